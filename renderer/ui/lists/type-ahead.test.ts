import { describe, expect, it } from 'vitest';
import { createTypeAhead, findTyped } from './type-ahead.ts';

describe('what is typed on a list', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };

  it('is collected until the typing pauses', () => {
    const { type } = createTypeAhead();
    expect(type({ ...plain, key: 'b', timeStamp: 0 })).toBe('b');
    expect(type({ ...plain, key: '/', timeStamp: 100 })).toBe('b/');
    expect(type({ ...plain, key: 'x', timeStamp: 2_000 })).toBe('x');
    type({ ...plain, key: 'End', timeStamp: 2_100 });
    expect(type({ ...plain, key: 'y', timeStamp: 2_200 })).toBe('y');
  });

  it('leaves shortcuts alone', () => {
    const { type } = createTypeAhead();
    expect(type({ ...plain, key: 'n', ctrlKey: true, timeStamp: 0 })).toBeUndefined();
    expect(type({ ...plain, key: '/', timeStamp: 0 })).toBeUndefined();
    expect(type({ ...plain, key: 'Enter', timeStamp: 0 })).toBeUndefined();
  });

  it('begins with no letter that is a shortcut of the list, and goes on with it', () => {
    const { type } = createTypeAhead('/ ar');
    expect(type({ ...plain, key: 'r', timeStamp: 0 })).toBeUndefined();
    expect(type({ ...plain, key: 'b', timeStamp: 100 })).toBe('b');
    expect(type({ ...plain, key: 'a', timeStamp: 200 })).toBe('ba');
  });

  it('leads to the name that begins with it, then to one with such a word', () => {
    const names = ['@acme/boiler', 'alpha', 'beta', 'boiler', 'bolt'];
    expect(findTyped(names, 'boi', 0)).toBe(3);
    expect(findTyped(names.slice(0, 3), 'boi', 1)).toBe(0);
    expect(findTyped(names, 'zzz', 0)).toBe(-1);
    expect(findTyped([], 'a', 0)).toBe(-1);
  });

  it('goes on to the next name with the same letter', () => {
    const names = ['beta', 'boiler', 'bolt'];
    expect(findTyped(names, 'b', 0)).toBe(1);
    expect(findTyped(names, 'bb', 1)).toBe(2);
    expect(findTyped(names, 'bbb', 2)).toBe(0);
  });
});
