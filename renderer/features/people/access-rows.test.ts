import { expect, it } from 'vitest';
import type { MemberEntry } from '../../../server/contract/directory.ts';
import { accessRows, isLastOwner } from './access-rows.ts';

const member = (id: number, more: Partial<MemberEntry> = {}): MemberEntry => ({
  user: { id, username: `user${id}`, name: `User ${id}`, state: 'active', isAdmin: false },
  level: 50,
  expiresOn: null,
  direct: true,
  source: { kind: 'group', id: 1, fullPath: 'team' },
  throughGroup: null,
  ...more,
});

it('knows the owner whom a group cannot lose', () => {
  const lastOf = (members: MemberEntry[], kind: 'group' | 'project' = 'group') =>
    accessRows({ kind, id: 1, fullPath: 'team' }, members, [])
      .filter((row) => isLastOwner(row, members))
      .map(({ name }) => name);
  expect(lastOf([member(1), member(2, { level: 40 })])).toEqual(['User 1']);
  expect(lastOf([member(1), member(2, { expiresOn: '2999-01-01' })])).toEqual(['User 1']);
  expect(lastOf([member(1), member(2, { throughGroup: { id: 2, name: 'Other', fullPath: 'other' } })])).toEqual([
    'User 1',
  ]);
  expect(lastOf([member(1), member(2)])).toEqual([]);
  expect(lastOf([member(1)], 'project')).toEqual([]);
});
