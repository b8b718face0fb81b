import { describe, expect, it } from 'vitest';
import type { DeployRule, ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { followStored, isDirty, rebase, standingOf, startEdit } from './edit-session.ts';
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
    expect(standingOf(startEdit(first), first)).toEqual({ kind: 'current', dirty: false });
    expect(standingOf(mine, first)).toEqual({ kind: 'current', dirty: true });
  });

  it('follows others silently while it has no changes of its own', () => {
    const theirs = stored(2, role(60));
    const followed = followStored(startEdit(first), theirs);
    expect(followed.base).toBe(theirs);
    expect(standingOf(followed, theirs)).toEqual({ kind: 'current', dirty: false });
  });

  it('goes on without a question when someone else made the very same change', () => {
    const theirs = stored(2, role(30));
    expect(standingOf(followStored(mine, theirs), theirs)).toEqual({ kind: 'current', dirty: false });
  });

  it('is a conflict when both changed the rules differently, and loses nothing', () => {
    const theirs = stored(2, role(60));
    const followed = followStored(mine, theirs);
    expect(followed).toBe(mine);
    expect(standingOf(followed, theirs)).toEqual({ kind: 'conflict', theirs });
  });

  it('can be carried over onto the changes of the other', () => {
    const theirs = stored(2, role(60));
    const rebased = rebase(mine, theirs);
    expect(rebased.rules).toEqual([developers]);
    expect(isDirty(rebased)).toBe(true);
    expect(standingOf(rebased, theirs)).toEqual({ kind: 'current', dirty: true });
  });

  it('is told that the protection was taken away', () => {
    expect(standingOf(mine, undefined)).toEqual({ kind: 'gone' });
  });
});
