import type { ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { changeCount, changesBetween, draftsOf, type DraftRule } from './rule-draft.ts';

/** An edit under way: the state it started from and the rules in the form. */
export interface EditSession {
  base: ProtectedEnvironment;
  rules: readonly DraftRule[];
}

/** How an edit relates to what is stored now. */
export type EditStatus =
  /** Nothing else changed; `dirty` says whether there is something to save. */
  | { kind: 'current'; dirty: boolean }
  /** The stored rules changed, and so did the form, differently. Saving needs a decision. */
  | { kind: 'conflict'; theirs: ProtectedEnvironment }
  | { kind: 'unprotected' };

/** Starts an edit from what is stored. */
export function startEdit(environment: ProtectedEnvironment): EditSession {
  return { base: environment, rules: draftsOf(environment.rules) };
}

/** Whether the form differs from the state that it started from. */
export function isDirty({ base, rules }: EditSession): boolean {
  return changeCount(changesBetween(draftsOf(base.rules), rules)) > 0;
}

/**
 * The edit after the stored environment changed. Without changes of its own, or with the very same changes, it continues from the new
 * state; otherwise it stays as it is and is a conflict.
 */
export function followStored(session: EditSession, stored: ProtectedEnvironment): EditSession {
  if (stored.updatedAt === session.base.updatedAt) return session;
  const sameRules = changeCount(changesBetween(draftsOf(stored.rules), session.rules)) === 0;
  return !isDirty(session) || sameRules ? startEdit(stored) : session;
}

/** Whether the edit can be saved, given what is stored now (undefined: no longer protected). */
export function statusOf(session: EditSession, stored: ProtectedEnvironment | undefined): EditStatus {
  if (stored === undefined) return { kind: 'unprotected' };
  if (stored.updatedAt !== session.base.updatedAt) return { kind: 'conflict', theirs: stored };
  return { kind: 'current', dirty: isDirty(session) };
}

/** Carries the rules of the form over, as a change of the newer stored state. */
export function rebase(session: EditSession, theirs: ProtectedEnvironment): EditSession {
  return { base: theirs, rules: session.rules };
}
