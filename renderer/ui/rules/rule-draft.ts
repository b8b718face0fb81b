import type { GroupSummary } from '../../../server/contract/directory.ts';
import type {
  ApprovalRule,
  ApprovalRuleInput,
  DeployRule,
  DeployRuleInput,
  ProtectedEnvironment,
} from '../../../server/contract/environments.ts';
import { fewOf, plural } from '../text/format.ts';
import { ruleLevels } from '../../../server/contract/constants.ts';
import type { RuleLevel } from '../../../server/contract/levels.ts';

/** What a rule names, and how to show it. */
type Subject =
  | { kind: 'role'; accessLevel: RuleLevel }
  | { kind: 'user'; userId: number; label: string; detail?: string }
  | { kind: 'group'; groupId: number; groupInheritanceType: 0 | 1; label: string; detail?: string };

/** A rule while it is edited. With `approval` it says who approves a deployment instead of who may deploy; its id is null until it is stored. */
export type DraftRule = Subject & { approval?: { id: number | null; required: number } };

const roles: Record<RuleLevel, { label: string; detail: string }> = {
  30: { label: 'Developers and Maintainers', detail: 'Developer role or higher' },
  40: { label: 'Maintainers', detail: 'Maintainer role or higher' },
  60: { label: 'Administrators', detail: 'All administrators of this registry' },
};

/** The roles that a rule can name, widest first. */
export const roleRules = ruleLevels.map((accessLevel): DraftRule => ({ kind: 'role', accessLevel }));

/** Names that environments often have, to choose from; the most usual first. */
export const usualEnvironments = ['production', 'staging', 'testing', 'development'] as const;

/** A rule that names a user. */
export function userRule(user: { id: number; name: string; username: string }): DraftRule {
  return { kind: 'user', userId: user.id, label: user.name, detail: `@${user.username}` };
}

/** A rule that names the direct members of a group. */
export function groupRule(group: GroupSummary): DraftRule {
  return { kind: 'group', groupId: group.id, groupInheritanceType: 0, label: group.name, detail: group.fullPath };
}

/** The rule as one that says who approves, once. */
export function asApproval(rule: DraftRule): DraftRule {
  return { ...rule, approval: { id: null, required: 1 } };
}

/** What a rule is called on screen. */
export function ruleLabel(rule: DraftRule): string {
  return rule.kind === 'role' ? roles[rule.accessLevel].label : rule.label;
}

/**
 * The meaning of a role, `@username`, or the path of a group.
 * @param ofGroup whether the rule is one of a group, so that the role counts there
 */
export function ruleDetail(rule: DraftRule, ofGroup: boolean): string {
  if (rule.kind !== 'role') return rule.detail ?? '';
  const { detail } = roles[rule.accessLevel];
  return ofGroup && rule.accessLevel !== 60 ? `${detail} in the group` : detail;
}

/** Equal for the same rule before and after an edit, here or elsewhere. */
export function ruleKey(rule: DraftRule): string {
  return rule.approval === undefined ? subjectKey(rule) : `approval:${rule.approval.id ?? subjectKey(rule)}`;
}

/** Equal for two rules that name the same role, user or group. */
export function subjectKey(rule: Subject): string {
  switch (rule.kind) {
    case 'role':
      return `role:${rule.accessLevel}`;
    case 'user':
      return `user:${rule.userId}`;
    case 'group':
      return `group:${rule.groupId}`;
  }
}

/** The rules that say who may deploy, and those that say who approves. */
export function byKind(rules: readonly DraftRule[]): [deploy: DraftRule[], approval: DraftRule[]] {
  return [rules.filter((rule) => rule.approval === undefined), rules.filter((rule) => rule.approval !== undefined)];
}

/** Undefined for a rule that names nothing: its user or group was deleted. */
function draftOf(rule: DeployRule | ApprovalRule): DraftRule | undefined {
  const { kind, accessLevel, userId, groupId, groupInheritanceType, description: label, detail } = rule;
  const more = 'requiredApprovals' in rule ? { approval: { id: rule.id, required: rule.requiredApprovals } } : {};
  if (kind === 'role' && accessLevel !== null) return { kind, accessLevel, ...more };
  if (kind === 'user' && userId !== null) return { kind, userId, label, detail, ...more };
  if (kind === 'group' && groupId !== null) return { kind, groupId, groupInheritanceType, label, detail, ...more };
  return undefined;
}

/** The stored rules of an environment, ready to be edited. */
export function draftsOf({ rules, approvalRules }: Pick<ProtectedEnvironment, 'rules' | 'approvalRules'>): DraftRule[] {
  return [...rules, ...approvalRules].flatMap((rule) => draftOf(rule) ?? []);
}

/** Whether two rules with the same key, or none, mean the same. */
export function sameRule(a: DraftRule | undefined, b: DraftRule | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return inheritance(a) === inheritance(b) && a.approval?.required === b.approval?.required;
}

/** What is sent to the server for all rules; `isNew` where none of them is stored any more. */
export function inputOf(
  rules: readonly DraftRule[],
  isNew = false,
): { rules: DeployRuleInput[]; approvalRules: ApprovalRuleInput[] } {
  return {
    rules: rules.filter((rule) => rule.approval === undefined).map(selectorOf),
    approvalRules: rules.flatMap((rule): ApprovalRuleInput[] => {
      if (rule.approval === undefined) return [];
      const { id, required: requiredApprovals } = rule.approval;
      return id === null || isNew
        ? [{ ...selectorOf(rule), requiredApprovals }]
        : [{ id, requiredApprovals, groupInheritanceType: inheritance(rule) }];
    }),
  };
}

function selectorOf(rule: DraftRule): DeployRuleInput {
  switch (rule.kind) {
    case 'role':
      return { accessLevel: rule.accessLevel };
    case 'user':
      return { userId: rule.userId };
    case 'group':
      return { groupId: rule.groupId, groupInheritanceType: rule.groupInheritanceType };
  }
}

/** The rules, or where no one else may deploy, one that names the administrators: a protection has one at least. */
export function withAdministrators(rules: readonly DraftRule[]): readonly DraftRule[] {
  return byKind(rules)[0].length > 0 ? rules : [{ kind: 'role', accessLevel: 60 }, ...rules];
}

export interface RuleChanges {
  added: DraftRule[];
  removed: DraftRule[];
  /** The same rule, with inherited members of its group now included or excluded, or another number of approvals. */
  changed: { rule: DraftRule; was: DraftRule }[];
}

/** The differences between two lists of rules. Their order means nothing. */
export function changesBetween(before: readonly DraftRule[], after: readonly DraftRule[]): RuleChanges {
  const old = new Map(before.map((rule) => [ruleKey(rule), rule]));
  const kept = new Set(after.map(ruleKey));
  const added: DraftRule[] = [];
  const changed: RuleChanges['changed'] = [];
  for (const rule of after) {
    const was = old.get(ruleKey(rule));
    if (was === undefined) added.push(rule);
    else if (!sameRule(was, rule)) changed.push({ rule, was });
  }
  return { added, removed: before.filter((rule) => !kept.has(ruleKey(rule))), changed };
}

/** How many rules differ. */
export function changeCount(changes: RuleChanges): number {
  return changes.added.length + changes.removed.length + changes.changed.length;
}

/** "Adds Maintainers, Ada Lovelace. Removes the approver Release managers." Empty if nothing changes. */
export function changeSentence({ added, removed, changed }: RuleChanges): string {
  const parts: string[] = [];
  for (const [verb, rules] of [
    ['Adds', added],
    ['Removes', removed],
  ] as const) {
    const [deployers, approvers] = byKind(rules);
    if (deployers.length > 0) parts.push(`${verb} ${deployers.map(ruleLabel).join(', ')}.`);
    if (approvers.length > 0) {
      parts.push(
        `${verb} ${approvers.length === 1 ? 'the approver' : 'the approvers'} ${approvers.map(nameOf).join(', ')}.`,
      );
    }
  }
  for (const { rule, was } of changed) {
    const { approval } = rule;
    if (approval !== undefined && approval.required !== was.approval?.required) {
      parts.push(`Asks for ${plural(approval.required, 'approval')} of ${ruleLabel(rule)}.`);
    }
    if (inheritance(rule) === inheritance(was)) continue;
    const verb = approval === undefined ? 'deploy' : 'approve';
    parts.push(
      inheritance(rule) === 1
        ? `Lets inherited members of ${ruleLabel(rule)} ${verb} too.`
        : `Lets only direct members of ${ruleLabel(rule)} ${verb}.`,
    );
  }
  return parts.join(' ');
}

function nameOf(rule: DraftRule): string {
  const { approval } = rule;
  const more = approval === undefined || approval.required === 1 ? '' : ` (${plural(approval.required, 'approval')})`;
  return `${ruleLabel(rule)}${more}`;
}

/** Who may deploy: the first by name, and how many more, as "Maintainers and 2 more". */
export function ruleSummary(all: readonly DraftRule[]): string {
  const [deployers] = byKind(all);
  return deployers.length === 0 ? 'No one: the last user or group was deleted' : fewOf(deployers.map(ruleLabel), 1);
}

/** What unprotecting does. Groups above the project protect it still. */
export function unprotectConsequence(name: string, groups: readonly string[]): string {
  if (groups.length > 0) {
    return `Its rules are deleted. The rules of the group${groups.length === 1 ? '' : 's'} ${nameList.format(groups)} still decide who may deploy to ${name}.`;
  }
  return `Its rules are deleted. Everyone with the Developer role or higher may then deploy to ${name}.`;
}

/** What unprotecting a tier in a group does. */
export function unprotectTierConsequence(tier: string): string {
  return `Its rules are deleted. Rules of projects, and of groups above, still apply. Where there are none, everyone with the Developer role or higher may deploy to ${tier} environments.`;
}

/** What unprotecting does to tags that the environment guards, before their names. */
export function unguardConsequence(isOne: boolean, isStaged: boolean): string {
  if (isStaged) return isOne ? 'This tag no longer needs approval:' : 'These tags no longer need approval:';
  return `It stops guarding ${isOne ? 'this tag' : 'these tags'}:`;
}

/** Joins names in a sentence: "Maintainers, Ada and Grace". */
export const nameList = new Intl.ListFormat('en', { type: 'conjunction' });

function inheritance(rule: DraftRule): 0 | 1 {
  return rule.kind === 'group' ? rule.groupInheritanceType : 0;
}

/** What is wrong with the name of an environment, as a sentence; undefined if nothing is. */
export function environmentNameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return 'Enter a name.';
  if (name.length > 255) return 'A name has at most 255 characters.';
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'A name has no control characters.';
  if (taken.includes(name)) return `${name} is already protected.`;
  return undefined;
}
