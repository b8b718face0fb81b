import { GatehouseError } from '../contract/errors.ts';
import type { RuleLevel } from '../contract/levels.ts';
import type { Selector } from './records.ts';

/**
 * One entry of a change: without `id` it adds a rule, with `id` it changes that rule, with `destroy` it removes it. Fields that are
 * left out stay; null clears a selector.
 */
export interface RuleChange {
  readonly id?: number | null | undefined;
  readonly destroy?: boolean | null | undefined;
  readonly accessLevel?: RuleLevel | null | undefined;
  readonly userId?: number | null | undefined;
  readonly groupId?: number | null | undefined;
  readonly groupInheritanceType?: 0 | 1 | null | undefined;
  readonly requiredApprovals?: number | null | undefined;
}

/** The result of merging entries into rules. */
export interface Merged<Rule> {
  readonly unchanged: readonly Rule[];
  readonly changed: readonly Rule[];
  readonly added: readonly Omit<Rule, 'id'>[];
  readonly removed: readonly Rule[];
}

/**
 * Merges entries into the rules of a protection as GitLab does.
 * @param complete fills in missing fields from the existing rule or from defaults.
 * @throws GatehouseError `not_found` for an unknown id.
 */
export function mergeRules<Rule extends Selector & { readonly id: number }>(
  rules: readonly Rule[],
  entries: readonly RuleChange[],
  complete: (entry: RuleChange, rule: Rule | undefined) => Omit<Rule, 'id'>,
): Merged<Rule> {
  const known = new Map(rules.map((rule) => [rule.id, rule]));
  const left = new Map(known);
  const changed = new Map<number, Rule>();
  const removed = new Set<Rule>();
  const added: Omit<Rule, 'id'>[] = [];
  for (const entry of entries) {
    if (entry.id === undefined || entry.id === null) {
      if (entry.destroy !== true) added.push(complete(entry, undefined));
      continue;
    }
    const rule = known.get(entry.id);
    if (!rule) {
      throw new GatehouseError('not_found', `There is no rule ${entry.id} in this protection.`, {
        gitlabMessage: '404 Not found',
      });
    }
    left.delete(rule.id);
    if (entry.destroy === true) {
      changed.delete(rule.id);
      removed.add(rule);
      continue;
    }
    if (removed.has(rule)) continue;
    const after = { ...complete(entry, changed.get(rule.id) ?? rule), id: rule.id } as Rule;
    changed.set(rule.id, after);
  }
  const different = [...changed.values()].filter((after) => {
    const before = known.get(after.id);
    const same = JSON.stringify(before, keyOrder) === JSON.stringify(after, keyOrder);
    if (same && before) left.set(before.id, before);
    return !same;
  });
  return { unchanged: rules.filter((rule) => left.has(rule.id)), changed: different, added, removed: [...removed] };
}

const keyOrder = ['id', 'accessLevel', 'userId', 'groupId', 'groupInheritanceType', 'requiredApprovals'];

/** The selector of an entry, completed from the existing rule or with nulls. */
export function completeSelector(entry: RuleChange, rule: Selector | undefined): Selector {
  return {
    accessLevel: entry.accessLevel === undefined ? (rule?.accessLevel ?? null) : entry.accessLevel,
    userId: entry.userId === undefined ? (rule?.userId ?? null) : entry.userId,
    groupId: entry.groupId === undefined ? (rule?.groupId ?? null) : entry.groupId,
    groupInheritanceType: entry.groupInheritanceType ?? rule?.groupInheritanceType ?? 0,
  };
}
