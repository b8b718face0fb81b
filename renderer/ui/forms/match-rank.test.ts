import { expect, it } from 'vitest';
import { matchRank, rankMatches, rankOptions } from './match-rank.ts';

it.each([
  ['maint', 'Maintainers', 0],
  ['maint', 'Developers and Maintainers', 1],
  ['ada', 'Lin (@ada)', 1],
  ['tain', 'Maintainers', 2],
  ['x', 'Maintainers', undefined],
  [' MAINT ', 'maintainers', 0],
])('ranks %j in %j as %j', (typed, text, rank) => {
  expect(matchRank(typed, text)).toBe(rank);
});

it('puts a match at the beginning first, and keeps the order of equal ones', () => {
  const versions = ['13.0.0', '3.1.0', '0.3.1', '3.0.0'];
  expect(rankMatches(versions, '3', (version) => [version])).toEqual(['3.1.0', '3.0.0', '0.3.1', '13.0.0']);
  const options = versions.map((value) => ({ value, label: value }));
  expect(rankOptions({ options, search: '3', limit: 2 }).map((option) => 'value' in option && option.value)).toEqual([
    '3.1.0',
    '3.0.0',
  ]);
});
