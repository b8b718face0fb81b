import { z } from 'zod';
import { ruleLevel } from '../contract/levels.ts';
import type { Actor, Change } from '../accounts/change.ts';
import type { Directory } from '../accounts/directory.ts';
import type { Protection, Selector } from './records.ts';
import { describeSelector, everyGroup, type GroupFilter } from './rule-names.ts';

const auditedRule = z.object({
  access_level: ruleLevel.nullable(),
  user_id: z.int().nullable(),
  group_id: z.int().nullable(),
  group_inheritance_type: z.union([z.literal(0), z.literal(1)]),
  /** The name at that time: the user or group may be deleted later. */
  description: z.string(),
});

/** The rules of a protection as the audit trail stores them: enough to restore them. */
export const auditedProtection = z.object({
  deploy_access_levels: z.array(auditedRule),
  approval_rules: z.array(auditedRule.extend({ required_approvals: z.int() })),
  /** Why rules went along with a user, group, member or share, as a sentence. */
  because: z.string().optional(),
});
export type AuditedProtection = z.infer<typeof auditedProtection>;

export const protectionActions = {
  protected: 'environment.protected',
  unprotected: 'environment.unprotected',
  rulesChanged: 'environment.rules_changed',
} as const;

/** The rules of a protection as values for the audit trail. */
export function toAudited(directory: Directory, protection: Protection): AuditedProtection {
  const audited = (selector: Selector) => ({
    access_level: selector.accessLevel,
    user_id: selector.userId,
    group_id: selector.groupId,
    group_inheritance_type: selector.groupInheritanceType,
    description: describeSelector(directory, selector, everyGroup),
  });
  return {
    deploy_access_levels: protection.deployLevels.map(audited),
    approval_rules: protection.approvalRules.map((rule) => ({
      ...audited(rule),
      required_approvals: rule.requiredApprovals,
    })),
  };
}

/** A state of the audit trail that may be one of rules, without the names of groups that the reader may not know of. */
export function withoutHiddenGroups(state: unknown, isVisible: GroupFilter): unknown {
  const rules = auditedProtection.safeParse(state);
  if (!rules.success) return state;
  const shown = <T extends z.infer<typeof auditedRule>>(rule: T): T =>
    rule.group_id === null || isVisible(rule.group_id) ? rule : { ...rule, description: `group ${rule.group_id}` };
  return {
    ...rules.data,
    deploy_access_levels: rules.data.deploy_access_levels.map(shown),
    approval_rules: rules.data.approval_rules.map(shown),
  };
}

/** Whether two states hold the same rules. */
export function sameRules(a: AuditedProtection, b: AuditedProtection): boolean {
  return JSON.stringify(keysOf(a)) === JSON.stringify(keysOf(b));
}

/** What a rule says, as a key. Without the description: users may have been renamed. */
export function ruleKey({ description: _description, ...rule }: z.infer<typeof auditedRule>): string {
  return JSON.stringify(rule);
}

function keysOf(state: AuditedProtection) {
  return [state.deploy_access_levels.map(ruleKey).toSorted(), state.approval_rules.map(ruleKey).toSorted()];
}

/**
 * Writes the audit row of a changed, new (without `before`) or ended (without `after`) protection, and announces it.
 * @param because why rules went along with a user, group, member or share, as a sentence without names
 */
export function recordProtection(
  { change, actor, directory }: { readonly change: Change; readonly actor: Actor; readonly directory: Directory },
  before: Protection | undefined,
  after: Protection | undefined,
  because?: string,
): void {
  const protection = after ?? before;
  if (!protection) return;
  const { owner, name } = protection;
  const projectId = owner.kind === 'project' ? owner.id : null;
  const groupId = owner.kind === 'group' ? owner.id : null;
  change.record({
    actor,
    action: before && after ? protectionActions.rulesChanged : protectionActions[after ? 'protected' : 'unprotected'],
    target: { type: 'protected_environment', id: protection.id, name },
    projectId,
    groupId,
    ...(before && { before: toAudited(directory, before) }),
    ...(after && { after: { ...toAudited(directory, after), ...(because === undefined ? {} : { because }) } }),
  });
  change.emit('environments.changed', { projectId, groupId, name });
}
