import type { ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { changeCount, changesBetween, draftsOf, type DraftRule } from './rule-draft.ts';

/** An edit under way: the state it started from and the rules as they stand in the form. */
export interface EditSession {
  base: ProtectedEnvironment;
  rules: readonly DraftRule[];
}

/** How an edit relates to what is stored now. */
export type EditStanding =
  /** Nothing else happened; `dirty` says whether there is something to save. */
  | { kind: 'current'; dirty: boolean }
  /** Someone else changed the rules, and so did this form, differently. Saving needs a decision. */
  | { kind: 'conflict'; theirs: ProtectedEnvironment }
  /** Someone else took the protection away. */
  | { kind: 'gone' };

/** Starts an edit from what is stored. */
export function startEdit(environment: ProtectedEnvironment): EditSession {
  return { base: environment, rules: draftsOf(environment.rules) };
}

/** Whether the form differs from the state that it started from. */
export function isDirty({ base, rules }: EditSession): boolean {
  return changeCount(changesBetween(draftsOf(base.rules), rules)) > 0;
}

/**
 * The edit after the stored environment was heard of again. An edit without changes of its own, or with the very changes that
 * someone else made, goes on from the new state; any other is kept as it is, for `standingOf` to call a conflict.
 */
export function followStored(session: EditSession, stored: ProtectedEnvironment): EditSession {
  if (stored.updatedAt === session.base.updatedAt) return session;
  const sameRules = changeCount(changesBetween(draftsOf(stored.rules), session.rules)) === 0;
  return !isDirty(session) || sameRules ? startEdit(stored) : session;
}

/** Whether the edit can be saved, given what is stored now (undefined: no longer protected). */
export function standingOf(session: EditSession, stored: ProtectedEnvironment | undefined): EditStanding {
  if (stored === undefined) return { kind: 'gone' };
  if (stored.updatedAt !== session.base.updatedAt) return { kind: 'conflict', theirs: stored };
  return { kind: 'current', dirty: isDirty(session) };
}

/** Keeps the rules of the form, now as a change of what someone else stored. */
export function rebase(session: EditSession, theirs: ProtectedEnvironment): EditSession {
  return { base: theirs, rules: session.rules };
}
