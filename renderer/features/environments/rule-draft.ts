import type { GroupSummary } from '../../../server/contract/directory.ts';
import type { DeployRule, DeployRuleInput, ProtectedEnvironment } from '../../../server/contract/environments.ts';
import { ruleLevels } from '../../../server/contract/constants.ts';
import type { RuleLevel } from '../../../server/contract/levels.ts';

/** A rule while it is edited: what it names, and how to show it. */
export type DraftRule =
  | { kind: 'role'; accessLevel: RuleLevel }
  | { kind: 'user'; userId: number; label: string; detail?: string }
  | { kind: 'group'; groupId: number; groupInheritanceType: 0 | 1; label: string; detail?: string };

const roles: Record<RuleLevel, { label: string; detail: string }> = {
  30: { label: 'Developers and Maintainers', detail: 'Everyone with the Developer role or higher' },
  40: { label: 'Maintainers', detail: 'Everyone with the Maintainer role or higher' },
  60: { label: 'Administrators', detail: 'Administrators of this registry only' },
};

/** The roles that a rule can name, widest first. */
export const roleRules = ruleLevels.map((accessLevel): DraftRule => ({ kind: 'role', accessLevel }));

/** A rule that names a user. */
export function userRule(user: { id: number; name: string; username: string }): DraftRule {
  return { kind: 'user', userId: user.id, label: user.name, detail: `@${user.username}` };
}

/** A rule that names the direct members of a group. */
export function groupRule(group: GroupSummary): DraftRule {
  return { kind: 'group', groupId: group.id, groupInheritanceType: 0, label: group.name, detail: group.fullPath };
}

/** What a rule is called on screen. */
export function ruleLabel(rule: DraftRule): string {
  return rule.kind === 'role' ? roles[rule.accessLevel].label : rule.label;
}

/** The meaning of a role, `@username`, or the path of a group. */
export function ruleDetail(rule: DraftRule): string {
  return (rule.kind === 'role' ? roles[rule.accessLevel].detail : rule.detail) ?? '';
}

/** Equal for two rules that name the same role, user or group: only one of them can exist. */
export function ruleKey(rule: DraftRule): string {
  switch (rule.kind) {
    case 'role':
      return `role:${rule.accessLevel}`;
    case 'user':
      return `user:${rule.userId}`;
    case 'group':
      return `group:${rule.groupId}`;
  }
}

/** Undefined for a rule that names nothing: its user or group was deleted. */
function draftOf(rule: DeployRule): DraftRule | undefined {
  const { kind, accessLevel, userId, groupId, groupInheritanceType, description: label, detail } = rule;
  if (kind === 'role' && accessLevel !== null) return { kind, accessLevel };
  if (kind === 'user' && userId !== null) return { kind, userId, label, detail };
  if (kind === 'group' && groupId !== null) return { kind, groupId, groupInheritanceType, label, detail };
  return undefined;
}

/** The stored rules of an environment, ready to be edited. */
export function draftsOf({ rules }: Pick<ProtectedEnvironment, 'rules'>): DraftRule[] {
  return rules.flatMap((rule) => draftOf(rule) ?? []);
}

/** Whether two rules with the same key, or none, mean the same. */
export function sameRule(a: DraftRule | undefined, b: DraftRule | undefined): boolean {
  return a === undefined || b === undefined ? a === b : inheritance(a) === inheritance(b);
}

/** What is sent to the server for a rule. */
export function inputOf(rule: DraftRule): DeployRuleInput {
  switch (rule.kind) {
    case 'role':
      return { accessLevel: rule.accessLevel };
    case 'user':
      return { userId: rule.userId };
    case 'group':
      return { groupId: rule.groupId, groupInheritanceType: rule.groupInheritanceType };
  }
}

export interface RuleChanges {
  added: DraftRule[];
  removed: DraftRule[];
  /** The same group, with its inherited members now included or excluded. */
  changed: DraftRule[];
}

/** The differences between two lists of rules. Their order means nothing. */
export function changesBetween(before: readonly DraftRule[], after: readonly DraftRule[]): RuleChanges {
  const old = new Map(before.map((rule) => [ruleKey(rule), rule]));
  const kept = new Set(after.map(ruleKey));
  const added: DraftRule[] = [];
  const changed: DraftRule[] = [];
  for (const rule of after) {
    const was = old.get(ruleKey(rule));
    if (was === undefined) added.push(rule);
    else if (!sameRule(was, rule)) changed.push(rule);
  }
  return { added, removed: before.filter((rule) => !kept.has(ruleKey(rule))), changed };
}

/** How many rules differ. */
export function changeCount(changes: RuleChanges): number {
  return changes.added.length + changes.removed.length + changes.changed.length;
}

/** "Adds Maintainers and Ada Lovelace. Removes Release managers." Empty if nothing changes. */
export function changeSentence({ added, removed, changed }: RuleChanges): string {
  const parts: string[] = [];
  if (added.length > 0) parts.push(`Adds ${list.format(added.map(ruleLabel))}.`);
  if (removed.length > 0) parts.push(`Removes ${list.format(removed.map(ruleLabel))}.`);
  for (const rule of changed) {
    parts.push(
      inheritance(rule) === 1
        ? `Lets inherited members of ${ruleLabel(rule)} deploy too.`
        : `Lets only direct members of ${ruleLabel(rule)} deploy.`,
    );
  }
  return parts.join(' ');
}

/** Names of rules in a row: "Maintainers, Ada Lovelace and 2 more". */
export function ruleSummary(rules: readonly DraftRule[], shown = 3): string {
  if (rules.length === 0) return 'No one: the last user or group was deleted';
  const names = rules.slice(0, shown).map(ruleLabel);
  const rest = rules.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : list.format(names);
}

const list = new Intl.ListFormat('en', { type: 'conjunction' });

function inheritance(rule: DraftRule): 0 | 1 {
  return rule.kind === 'group' ? rule.groupInheritanceType : 0;
}

/** What is wrong with the name of an environment, as a sentence; undefined if nothing is. */
export function environmentNameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'Give the environment a name.';
  if (name.length > 255) return 'A name has at most 255 characters.';
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'A name has no control characters.';
  if (taken.includes(name)) return `${name} is already protected.`;
  return undefined;
}
