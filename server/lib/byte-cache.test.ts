import { expect, it } from 'vitest';
import { ByteCache } from './byte-cache.ts';

it('lets go of what was not used for longest once the sizes pass the limit', () => {
  const dropped: string[] = [];
  const cache = new ByteCache<string>(10, (key) => dropped.push(key));
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  expect(dropped).toEqual(['b']);
  expect(cache.size).toBe(8);
});

it('never keeps a value that is larger than the limit, and forgets the one it was to replace', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'small', 1);
  cache.set('a', 'huge', 11);
  expect(cache.get('a')).toBeUndefined();
  expect(cache.size).toBe(0);
});
