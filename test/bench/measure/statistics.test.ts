import { expect, test } from 'vitest';
import { Comparison } from './rounds.ts';
import type { RoundResult } from './rounds.ts';
import { median, percentile } from './statistics.ts';

function round(perSecond: number): RoundResult {
  return { perSecond, count: 1, seconds: 1, p50: 0, p95: 0, p99: 0, max: 0, bodyBytes: 0, busy: 0, serverBusy: 1 };
}

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([3, 1, 2])).toBe(2);
  expect(median([])).toBe(0);
});

test('a percentile sorts by value, not by text', () => {
  expect(percentile([100, 9, 20, 3, 1000], 1)).toBe(1000);
  expect(percentile([100, 9, 20, 3, 1000], 0)).toBe(3);
});

test('ratios are taken round by round, so a slow round for all changes nothing', () => {
  const comparison = new Comparison(
    new Map([
      ['a' as const, [round(100), round(10), round(120)]],
      ['b' as const, [round(50), round(5), round(60)]],
    ]),
  );
  expect(comparison.ratio('a', 'b')).toBe(2);
});
