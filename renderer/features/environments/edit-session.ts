import type { ProtectedEnvironment } from '../../../server/contract/environments.ts';
import {
  changeCount,
  changesBetween,
  changeSentence,
  draftsOf,
  ruleKey,
  sameRule,
  type DraftRule,
} from '../../ui/rules/rule-draft.ts';

/** An edit under way: the rules it started from, and the rules in the form. */
export interface EditSession {
  /** When the stored rules of `base` were changed last. */
  updatedAt: number;
  base: readonly DraftRule[];
  rules: readonly DraftRule[];
  /** Changes made elsewhere that were merged into the form since, as sentences. */
  merged: readonly string[];
  /** What was typed as the name, for an environment that is not protected yet. */
  name?: string;
}

/** A rule that both this edit and another one changed, differently; undefined where it was removed. */
export interface Collision {
  key: string;
  mine: DraftRule | undefined;
  theirs: DraftRule | undefined;
}

/** How an edit relates to what is stored now. */
export type EditStatus =
  /** `dirty` says whether there is something to save. */
  | { kind: 'current'; dirty: boolean }
  /** Saving needs a decision about each of these rules. */
  | { kind: 'conflict'; collisions: readonly Collision[] }
  | { kind: 'unprotected' };

/** Starts an edit from what is stored. */
export function startEdit(environment: ProtectedEnvironment): EditSession {
  const base = draftsOf(environment);
  return { updatedAt: environment.updatedAt, base, rules: base, merged: [] };
}

/** Whether the form differs from the state that it started from. */
export function isDirty({ base, rules }: EditSession): boolean {
  return changeCount(changesBetween(base, rules)) > 0;
}

/**
 * The edit after the stored environment changed: its own changes applied to the stored rules, so that saving never brings back what
 * another edit removed. It stays as it is while both changed the same rule.
 */
export function followStored(session: EditSession, stored: ProtectedEnvironment): EditSession {
  if (stored.updatedAt === session.updatedAt) return session;
  const { rules, collisions } = merge(session, stored);
  if (collisions.length > 0) return session;
  const started = startEdit(stored);
  const followed = { ...started, rules };
  if (!isDirty(followed)) return started;
  const elsewhere = changeSentence(changesBetween(session.base, started.base));
  return { ...followed, merged: elsewhere === '' ? session.merged : [...session.merged, elsewhere] };
}

/** Whether the edit can be saved, given what is stored now (undefined: no longer protected). */
export function statusOf(session: EditSession, stored: ProtectedEnvironment | undefined): EditStatus {
  if (stored === undefined) return { kind: 'unprotected' };
  if (stored.updatedAt === session.updatedAt) return { kind: 'current', dirty: isDirty(session) };
  return { kind: 'conflict', collisions: merge(session, stored).collisions };
}

/** Decides a collision; `followStored` merges once none is left. */
export function decide(session: EditSession, { key, theirs }: Collision, keep: 'mine' | 'theirs'): EditSession {
  const before = session.base.find((rule) => ruleKey(rule) === key);
  return keep === 'mine'
    ? { ...session, base: withRule(session.base, key, theirs) }
    : { ...session, rules: withRule(session.rules, key, before) };
}

/** The three-way merge, rule by rule. Theirs keep their order; what this edit adds stands at the end. */
function merge(
  { base, rules: mine }: EditSession,
  stored: ProtectedEnvironment,
): { rules: DraftRule[]; collisions: Collision[] } {
  const theirs = draftsOf(stored);
  const [before, ours, others] = [base, mine, theirs].map(
    (rules) => new Map(rules.map((rule) => [ruleKey(rule), rule])),
  );
  const rules: DraftRule[] = [];
  const collisions: Collision[] = [];
  for (const key of new Set([...theirs, ...mine, ...base].map(ruleKey))) {
    const was = before?.get(key);
    const own = ours?.get(key);
    const other = others?.get(key);
    const kept = sameRule(own, was) ? other : own;
    if (kept !== undefined) rules.push(kept);
    if (!sameRule(own, was) && !sameRule(other, was) && !sameRule(own, other)) {
      collisions.push({ key, mine: own, theirs: other });
    }
  }
  return { rules, collisions };
}

function withRule(rules: readonly DraftRule[], key: string, rule: DraftRule | undefined): DraftRule[] {
  const others = rules.filter((each) => ruleKey(each) !== key);
  return rule === undefined ? others : [...others, rule];
}
