import { describe, expect, it } from 'vitest';
import type { DeployRule, ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { followStored, isDirty, rebase, statusOf, startEdit } from './edit-session.ts';
import type { DraftRule } from './rule-draft.ts';

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
  projectId: 1,
  name: 'production',
  rules,
  updatedAt,
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
    expect(followed.base).toBe(theirs);
    expect(statusOf(followed, theirs)).toEqual({ kind: 'current', dirty: false });
  });

  it('continues when the very same change was stored', () => {
    const theirs = stored(2, role(30));
    expect(statusOf(followStored(mine, theirs), theirs)).toEqual({ kind: 'current', dirty: false });
  });

  it('is a conflict when both changed the rules differently, and loses nothing', () => {
    const theirs = stored(2, role(60));
    const followed = followStored(mine, theirs);
    expect(followed).toBe(mine);
    expect(statusOf(followed, theirs)).toEqual({ kind: 'conflict', theirs });
  });

  it('can be rebased onto the stored changes', () => {
    const theirs = stored(2, role(60));
    const rebased = rebase(mine, theirs);
    expect(rebased.rules).toEqual([developers]);
    expect(isDirty(rebased)).toBe(true);
    expect(statusOf(rebased, theirs)).toEqual({ kind: 'current', dirty: true });
  });

  it('notices that the protection was removed', () => {
    expect(statusOf(mine, undefined)).toEqual({ kind: 'unprotected' });
  });
});
