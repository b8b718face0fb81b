import { expect, it } from 'vitest';
import type { MemberEntry } from '../../../server/contract/directory.ts';
import type { DeployAccess, EnvironmentAccess } from '../../../server/contract/environments.ts';
import { accessRows } from './access-grid.tsx';

const person = (id: number, name: string) => ({ id, username: name.toLowerCase(), name });
const may = (user: DeployAccess['user'], allowed = true): DeployAccess => ({ user, allowed, reason: '', rule: null });
const environment = (name: string, ...users: DeployAccess[]): EnvironmentAccess => ({
  environment: name,
  protected: true,
  tier: 'other',
  users,
});

it('has a row for every member and for every administrator who is none', () => {
  const [root, ada, grace] = [person(1, 'Root'), person(2, 'Ada'), person(3, 'Grace')] as const;
  const members = [ada, grace].map((user) => ({ user }) as unknown as MemberEntry);
  const rows = accessRows([environment('production', may(root)), environment('staging', may(root), may(ada))], members);
  expect(rows.map((row) => [row.user.name, row.allowed])).toEqual([
    ['Ada', [false, true]],
    ['Grace', [false, false]],
    ['Root', [true, true]],
  ]);
});
