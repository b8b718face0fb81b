import { describe, expect, it } from 'vitest';
import type { DeployRule, ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { decide, followStored, statusOf, startEdit, type EditSession } from './edit-session.ts';
import { draftsOf, type DraftRule } from '../../ui/rules/rule-draft.ts';

const role = (accessLevel: 30 | 40 | 60): DeployRule => ({
  id: accessLevel,
  kind: 'role',
  accessLevel,
  userId: null,
  groupId: null,
  groupInheritanceType: 0,
  description: '',
  detail: '',
});
const stored = (updatedAt: number, ...rules: DeployRule[]): ProtectedEnvironment => ({
  id: 1,
  name: 'production',
  tier: 'production',
  rules,
  approvalRules: [],
  updatedAt,
});
const user: DeployRule = { ...role(30), id: 2, kind: 'user', accessLevel: null, userId: 7, description: 'Ada' };
const crew = (groupInheritanceType: 0 | 1): DeployRule => ({
  ...role(30),
  id: 3,
  kind: 'group',
  accessLevel: null,
  groupId: 3,
  groupInheritanceType,
  description: 'Crew',
});
const edited = (base: DeployRule[], rules: DeployRule[]): EditSession => ({
  ...startEdit(stored(1, ...base)),
  rules: draftsOf({ rules, approvalRules: [] }),
});
const developers: DraftRule = { kind: 'role', accessLevel: 30 };

describe('an edit of deploy rules', () => {
  const first = stored(1, role(40));
  const mine = { ...startEdit(first), rules: [developers] };

  it('starts clean and is dirty once a rule differs', () => {
    expect(statusOf(startEdit(first), first)).toEqual({ kind: 'current', dirty: false });
    expect(statusOf(mine, first)).toEqual({ kind: 'current', dirty: true });
  });

  it('follows the stored rules while it has no changes of its own', () => {
    const theirs = stored(2, role(60));
    const followed = followStored(startEdit(first), theirs);
    expect(followed).toEqual(startEdit(theirs));
    expect(statusOf(followed, theirs)).toEqual({ kind: 'current', dirty: false });
  });

  it('continues when the very same change was stored', () => {
    const theirs = stored(2, role(30));
    expect(statusOf(followStored(mine, theirs), theirs)).toEqual({ kind: 'current', dirty: false });
  });

  it.each<[string, DeployRule[], DeployRule[], DeployRule[], DeployRule[]]>([
    [
      'a rule revoked elsewhere stays revoked',
      [role(40), user],
      [role(40), user, role(60)],
      [role(40)],
      [role(40), role(60)],
    ],
    ['a rule added elsewhere stays', [role(40), user], [role(40)], [role(40), user, role(30)], [role(40), role(30)]],
    ['both removed the same rule', [role(40), user], [role(40), role(30)], [role(40)], [role(40), role(30)]],
    ['both added the same rule', [role(40)], [role(40), user, role(60)], [role(40), user], [role(40), user, role(60)]],
    ['a group changed elsewhere keeps that change', [crew(0), user], [crew(0)], [crew(1), user], [crew(1)]],
  ])('is applied on top of the stored rules: %s', (_what, base, ours, theirs, result) => {
    const followed = followStored(edited(base, ours), stored(2, ...theirs));
    expect(followed.rules).toEqual(draftsOf({ rules: result, approvalRules: [] }));
    expect(statusOf(followed, stored(2, ...theirs))).toMatchObject({ kind: 'current' });
  });

  it('says what was changed elsewhere while there is something to save', () => {
    const followed = followStored(edited([role(40), user], [role(40), user, role(60)]), stored(2, role(40)));
    expect(followed.merged).toEqual(['Removes Ada.']);
    expect(followStored(followed, stored(3, role(40), role(30))).merged).toEqual([
      'Removes Ada.',
      'Adds Developers and Maintainers.',
    ]);
  });

  it('waits for a decision where both changed the same rule, and takes either', () => {
    const session = edited([role(40), crew(0)], [role(40), crew(1)]);
    const theirs = stored(2, role(40));
    expect(followStored(session, theirs)).toBe(session);
    const status = statusOf(session, theirs);
    const [collision] = status.kind === 'conflict' ? status.collisions : [];
    if (collision === undefined) throw new Error('There is no collision.');
    expect(collision).toMatchObject({ mine: { groupInheritanceType: 1 }, theirs: undefined });
    const rulesAfter = (keep: 'mine' | 'theirs') => followStored(decide(session, collision, keep), theirs).rules;
    expect(rulesAfter('mine')).toEqual(draftsOf({ rules: [role(40), crew(1)], approvalRules: [] }));
    expect(rulesAfter('theirs')).toEqual(draftsOf({ rules: [role(40)], approvalRules: [] }));
  });

  it('notices that the protection was removed', () => {
    expect(statusOf(mine, undefined)).toEqual({ kind: 'unprotected' });
  });
});
