import type { Directory } from '../accounts/directory.ts';
import type { ApprovalRule as ApprovalRuleView, DeployRule } from '../contract/environments.ts';
import type { ApprovalRule, DeployLevel, Selector } from './records.ts';

const roleNames: Readonly<Record<number, string>> = {
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrators',
};

/** Whether whoever reads a description may know of a group. */
export type GroupFilter = (groupId: number) => boolean;

export const everyGroup: GroupFilter = () => true;

/** For texts with readers who are not known. */
export const noGroup: GroupFilter = () => false;

/**
 * The description of a rule: the role's name, the user's display name or the group's name. A group that the
 * reader may not know of is only numbered.
 */
export function describeSelector(
  { index }: Pick<Directory, 'index'>,
  { userId, groupId, accessLevel }: Selector,
  isVisible: GroupFilter,
): string {
  if (userId !== null) return index.users.get(userId)?.name ?? `user ${userId}`;
  if (groupId !== null)
    return (isVisible(groupId) ? index.namespaces.get(groupId)?.name : undefined) ?? `group ${groupId}`;
  return roleNames[accessLevel ?? 0] ?? '';
}

/** A description within a sentence, where GitLab's "Developers + Maintainers" would read as two rules. */
export function inSentence({ userId, groupId }: Selector, description: string): string {
  return userId === null && groupId === null ? description.replace(' + ', ' and ') : description;
}

/** Distinguishes users or groups of the same name. */
function identifySelector({ index }: Pick<Directory, 'index'>, { userId, groupId }: Selector): string {
  const user = userId === null ? undefined : index.users.get(userId);
  if (user) return `@${user.username}`;
  return (groupId === null ? undefined : index.namespaces.get(groupId)?.fullPath) ?? '';
}

/** A rule as the window shows it. */
export function toDeployRule(directory: Pick<Directory, 'index'>, level: DeployLevel): DeployRule {
  const kind = level.userId !== null ? 'user' : level.groupId !== null ? 'group' : 'role';
  const { id, accessLevel, userId, groupId, groupInheritanceType } = level;
  return {
    id,
    kind,
    accessLevel,
    userId,
    groupId,
    groupInheritanceType,
    description: inSentence(level, describeSelector(directory, level, everyGroup)),
    detail: identifySelector(directory, level),
  };
}

/** An approval rule as the window shows it. */
export function toApprovalRule(directory: Pick<Directory, 'index'>, rule: ApprovalRule): ApprovalRuleView {
  return { ...toDeployRule(directory, rule), requiredApprovals: rule.requiredApprovals };
}
