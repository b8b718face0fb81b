import { expect, it } from 'vitest';
import { ByteCache, CacheBudget } from './byte-cache.ts';

const kilobyte = 1024;

it('lets go of what was not used for longest once all caches together pass the budget', () => {
  const dropped: string[] = [];
  const budget = new CacheBudget(25 * kilobyte);
  const [texts, numbers] = [
    new ByteCache<string>(budget, (key) => dropped.push(key)),
    new ByteCache<number>(budget, (key) => dropped.push(key)),
  ];
  for (const key of ['a', 'b', 'c', 'd']) texts.set(key, key.toUpperCase(), 5 * kilobyte);
  texts.get('a');
  numbers.set('e', 5, 5 * kilobyte);
  expect([texts.get('a'), texts.get('b'), texts.get('c'), numbers.get('e')]).toEqual(['A', undefined, 'C', 5]);
  expect(dropped).toEqual(['b']);
  expect(budget.size).toBeLessThan(25 * kilobyte);
  texts.clear();
  numbers.delete('e');
  expect(budget.size).toBe(0);
});

it('never keeps a value that would push out the rest, and forgets the one it was to replace', () => {
  const budget = new CacheBudget(100 * kilobyte);
  const cache = new ByteCache<string>(budget);
  cache.set('a', 'small', 1);
  expect(cache.set('a', 'huge', 30 * kilobyte)).toBeUndefined();
  expect(cache.get('a')).toBeUndefined();
  expect(budget.size).toBe(0);
});

it('holds no block that small buffers share: each kept 64 KiB alive for a few hundred bytes', () => {
  const cache = new ByteCache<{ bytes: Buffer; etag: string }>(new CacheBudget(100 * kilobyte));
  const kept = cache.set('a', { bytes: Buffer.from('small'), etag: '"1"' }, 5)?.value;
  expect(kept).toEqual({ bytes: Buffer.from('small'), etag: '"1"' });
  expect(kept?.bytes.buffer.byteLength).toBe(5);
  expect(cache.get('a')).toBe(kept);
  // What holds no more than its bytes is not copied, so that two caches share it.
  expect(cache.set('b', { bytes: kept?.bytes ?? Buffer.alloc(0), etag: '"2"' }, 5)?.value.bytes).toBe(kept?.bytes);
});

it('counts keys and its own objects: a million empty values took hundreds of megabytes', () => {
  const budget = new CacheBudget(1024 * kilobyte);
  const cache = new ByteCache<number>(budget);
  let held = 0;
  for (let index = 0; index < 10_000; index += 1) cache.set(`${'k'.repeat(1000)}${index}`, index, 0);
  for (let index = 0; index < 10_000; index += 1) {
    if (cache.get(`${'k'.repeat(1000)}${index}`) !== undefined) held += 1;
  }
  expect(held * 2 * kilobyte).toBeLessThan(1024 * kilobyte);
  expect(held).toBeGreaterThan(100);
});
