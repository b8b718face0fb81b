import { expect, it } from 'vitest';
import type { Directory } from '../accounts/directory.ts';
import { describeSelector, everyGroup, toDeployRule } from './rule-names.ts';

const nobody = { index: { users: new Map(), namespaces: new Map() } } as unknown as Pick<Directory, 'index'>;
const developers = { id: 1, accessLevel: 30 as const, userId: null, groupId: null, groupInheritanceType: 0 as const };

it('shows a role in the window as one rule, where GitLab joins two names with a plus', () => {
  expect(describeSelector(nobody, developers, everyGroup)).toBe('Developers + Maintainers');
  expect(toDeployRule(nobody, developers)).toMatchObject({ kind: 'role', description: 'Developers and Maintainers' });
});
