import { expect, it } from 'vitest';
import { sortRows } from './sort-rows.ts';

const rows = [
  { name: 'beta', at: 20 },
  { name: 'Alpha', at: null },
  { name: 'team-10', at: 100 },
  { name: 'team-9', at: 3 },
];
const values = { Name: (row: (typeof rows)[number]) => row.name, 'Last used': (row: (typeof rows)[number]) => row.at };
const names = (key: string, direction: 'asc' | 'desc') =>
  sortRows(rows, values, { key, direction }).map(({ name }) => name);

it('orders names as people do, and times with "never" as the longest ago', () => {
  expect(names('Name', 'asc')).toEqual(['Alpha', 'beta', 'team-9', 'team-10']);
  expect(names('Last used', 'asc')).toEqual(['Alpha', 'team-9', 'beta', 'team-10']);
  expect(names('Last used', 'desc')).toEqual(['team-10', 'beta', 'team-9', 'Alpha']);
});

it('leaves the rows as they are without a column, or for one that has no order', () => {
  expect(sortRows(rows, values, undefined)).toBe(rows);
  expect(names('Actions', 'asc')).toEqual(rows.map(({ name }) => name));
});
