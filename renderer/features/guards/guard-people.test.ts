import { describe, expect, it } from 'vitest';
import type { InheritedProtection, ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { guardPeople } from './guard-people.ts';

const role = { id: 1, kind: 'role', userId: null, groupId: null, groupInheritanceType: 0, detail: '' } as const;
const maintainers = { ...role, accessLevel: 40, description: 'Maintainers' } as const;
const administrators = { ...role, accessLevel: 60, description: 'Administrators' } as const;

const stored = (...rules: ProtectedEnvironment['rules']): ProtectedEnvironment => ({
  id: 1,
  name: 'production',
  tier: 'production',
  rules,
  approvalRules: [],
  updatedAt: 5,
});

const group = (fullPath: string, approvalRules: ProtectedEnvironment['approvalRules'] = []): InheritedProtection => ({
  ...stored(maintainers),
  approvalRules,
  group: { id: 9, fullPath },
});

const guard = { environment: 'production', tier: 'production' } as const;

describe('who may deploy where a tag is guarded', () => {
  it.each<[string, ProtectedEnvironment[], InheritedProtection[], string]>([
    ['rules of the project', [stored(maintainers)], [], 'Maintainers'],
    ['administrators, who are left out beside others', [stored(administrators, maintainers)], [], 'Maintainers'],
    ['nobody else', [stored(administrators)], [group('acme')], 'Administrators'],
    ['rules of a group only', [], [group('acme')], 'those whom the group acme allows'],
    ['rules of two groups only', [], [group('a'), group('a/b')], 'those whom the groups a, a/b allow'],
    // One of the project's rules and one of the group's have to match.
    ['both', [stored(maintainers)], [group('acme')], 'Maintainers (if the group acme also allows them)'],
    ['another tier', [stored(maintainers)], [{ ...group('acme'), tier: 'staging' }], 'Maintainers'],
  ])('%s', (_, environments, inherited, deployers) => {
    const people = guardPeople(guard, environments, inherited);
    expect(people).toEqual({ deployers, approvers: deployers, hasApprovalRules: false });
  });

  it('names the approvers of a group where it has approval rules', () => {
    const approving = group('acme', [{ ...maintainers, requiredApprovals: 1 }]);
    expect(guardPeople(guard, [stored(maintainers)], [approving])).toMatchObject({
      deployers: 'Maintainers (if the group acme also allows them)',
      approvers: 'approvers of the group acme',
      hasApprovalRules: true,
    });
  });
});
