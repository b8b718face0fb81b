import { expect, it } from 'vitest';
import { matchRank, rankMatches, rankOptions, searchRank } from './match-rank.ts';

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

it.each([
  ['Settings', 'settings'],
  ['Set up a client', 'set'],
  ['Who may deploy where', 'deploy'],
  ['Copy the registry address', 'copy address'],
  ['Go offline', 'gof'],
  ['Create a token', 'crtok'],
  ['Environments', 'enviroments'],
])('finds %j by %j', (title, typed) => {
  expect(searchRank(typed, title)).toBeDefined();
});

it.each(['sgo', 'offlineX', 'gxo', 'gie'])('does not find "Go offline" by %j', (typed) => {
  expect(searchRank(typed, 'Go offline', 'upstream network')).toBeUndefined();
});

it('ranks the title before its keywords, and both before scattered letters', () => {
  const all = [
    { title: 'Two open kennels', keywords: '' },
    { title: 'Connect', keywords: 'client npmrc token' },
    { title: 'Create a token', keywords: '' },
    { title: 'Tokens', keywords: '' },
    { title: 'token', keywords: '' },
  ];
  const found = all
    .map((each) => ({ ...each, rank: searchRank('token', each.title, each.keywords) ?? Infinity }))
    .toSorted((a, b) => a.rank - b.rank);
  expect(found.map(({ title }) => title)).toEqual(['token', 'Tokens', 'Create a token', 'Connect', 'Two open kennels']);
});
