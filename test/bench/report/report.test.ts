import { expect, test } from 'vitest';
import { topFunctions } from '../profile/top-functions.ts';
import { growthPlot } from './growth-plot.ts';
import { atLeast, atMost, below } from './row.ts';
import type { Row } from './row.ts';
import { markdownTable, textTable } from './table.ts';

const row: Row = {
  part: 'reads',
  work: 'packument',
  unit: '/s',
  gatehouse: 18_000,
  verdaccio: 380,
  bare: 24_000,
  goals: [atLeast('Verdaccio', 18_000 / 380, 30), atLeast('bare node:http', 0.65, 0.7)],
};

test('goals say whether they were met, at the limit too', () => {
  expect(atLeast('x', 4, 4).met).toBe(true);
  expect(atLeast('x', 3.99, 4).met).toBe(false);
  expect(atMost('x', 1.5, 1.5).met).toBe(true);
  expect(below('x', 20.1, 20, 'ms').met).toBe(false);
});

test('a ratio that could not be measured meets no goal', () => {
  expect(atLeast('x', Number.NaN, 1).met).toBe(false);
  expect(atMost('x', Number.NaN, 1).met).toBe(false);
  expect(below('x', Number.NaN, 1, 'ms').met).toBe(false);
});

test('the table has a line for each goal and keeps columns in line', () => {
  const lines = textTable([row]).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[2]).toMatch(/packument +18,000 +380 +24,000 +\/s +≥ 30 × Verdaccio +47\.4 × +met$/);
  expect(lines[3]).toMatch(/≥ 0\.7 × bare node:http +0\.65 × +MISSED$/);
  expect(
    markdownTable([row])
      .split('\n')
      .map((line) => line.split('|').length),
  ).toEqual([10, 10, 10, 10]);
});

test('the plot is one well-formed SVG with a panel for each series', () => {
  const points = [
    [10, 1],
    [10_000, 30],
  ] as const;
  const series = ['a < b', 'c', 'd', 'e'].map((name) => ({ name, points }));
  const svg = growthPlot([{ axis: 'packages', series }]);
  expect(svg.match(/<polyline/g)).toHaveLength(4);
  expect(svg).toContain('a &lt; b');
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test('the plot copes with one size and with nothing but zeros', () => {
  const svg = growthPlot([{ axis: 'packages', series: [{ name: 'a', points: [[10, 0]] }] }]);
  expect(svg).not.toMatch(/NaN|Infinity/);
});

test('functions are listed by their own time, without the idle time', () => {
  const frame = (functionName: string, url = '') => ({ functionName, url, lineNumber: 4 });
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('hash', 'file:///a/server/hash.js') },
      { id: 3, callFrame: frame('parse', 'file:///a/server/parse.js') },
    ],
    samples: [1, 2, 3, 2],
    timeDeltas: [9_000_000, 3000, 2000, 5000],
  };
  expect(topFunctions(JSON.stringify(profile), 5).split('\n')).toEqual([
    '   80.0 %       8 ms  hash server/hash.js:5',
    '   20.0 %       2 ms  parse server/parse.js:5',
  ]);
});
