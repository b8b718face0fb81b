import type { Directory } from '../accounts/directory.ts';
import type { ApprovalRule as ApprovalRuleView, DeployRule } from '../contract/environments.ts';
import type { ApprovalRule, DeployLevel, Selector } from './records.ts';

const roleNames: Readonly<Record<number, string>> = {
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrators',
};

/** The description of a rule: the role's name, the user's display name or the group's name (api/environments.md 5). */
export function describeSelector(directory: Pick<Directory, 'index'>, selector: Selector): string {
  const { index } = directory;
  if (selector.userId !== null) return index.users.get(selector.userId)?.name ?? `user ${selector.userId}`;
  if (selector.groupId !== null) return index.namespaces.get(selector.groupId)?.name ?? `group ${selector.groupId}`;
  return roleNames[selector.accessLevel ?? 0] ?? '';
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
    description: describeSelector(directory, level),
    detail: identifySelector(directory, level),
  };
}

/** An approval rule as the window shows it. */
export function toApprovalRule(directory: Pick<Directory, 'index'>, rule: ApprovalRule): ApprovalRuleView {
  return { ...toDeployRule(directory, rule), requiredApprovals: rule.requiredApprovals };
}
