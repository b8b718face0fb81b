import { expect, it } from 'vitest';
import { fewOf } from './format.ts';

it.each([
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b, c'],
  [['a', 'b', 'c', 'd'], 'a, b, c and 1 more'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c and 2 more'],
])('names three of many: %j', (names, text) => {
  expect(fewOf(names, 3)).toBe(text);
});
