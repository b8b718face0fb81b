import { expect, it } from 'vitest';
import { parentPath } from './moves.ts';

it.each([
  ['/packages/12', '/packages'],
  ['/packages/12/versions/1.0.0', '/packages/12'],
  ['/people/users/3', '/people?tab=users'],
  ['/people/projects/3', '/people?tab=projects'],
  ['/people/groups/3', '/people?tab=groups'],
  ['/packages', undefined],
  ['/people', undefined],
])('%s is a part of %s', (path, parent) => {
  expect(parentPath(path)).toBe(parent);
});
