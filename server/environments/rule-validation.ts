import { accessLevels } from '../contract/constants.ts';
import type { Directory } from '../accounts/directory.ts';
import { groupAndAncestors } from '../accounts/access/effective-access.ts';
import type { ProtectionOwner, Selector } from './records.ts';

export type RuleKind = 'Deploy access levels' | 'Approval rules';

const atLeastOne = 'At least one of access_level, group_id, user_id must be present';
const exactlyOne = 'Exactly one of access_level, group_id, user_id must be present';

/** How many of the three selectors are set. */
export function selectorCount(selector: Selector): number {
  return [selector.accessLevel, selector.userId, selector.groupId].filter((value) => value !== null).length;
}

/** Equal for rules that match the same users; the inheritance type matters only for groups. */
function selectorKey({ accessLevel, userId, groupId, groupInheritanceType }: Selector): string {
  return [accessLevel, userId, groupId, groupId === null ? null : groupInheritanceType].join(':');
}

/** Complaints about added or changed rules: a wrong number of selectors, or a user or group that doesn't qualify. */
export function selectorComplaints(
  directory: Directory,
  owner: ProtectionOwner,
  kind: RuleKind,
  selectors: readonly Selector[],
): string[] {
  const complaints = selectors.flatMap((selector) => {
    if (kind === 'Deploy access levels' && selectorCount(selector) !== 1) return [`${kind} base ${exactlyOne}`];
    if (selectorCount(selector) === 0) return [`${kind} base ${atLeastOne}`];
    return [
      ...(selector.userId === null ? [] : userComplaints(directory, owner, selector.userId)),
      ...(selector.groupId === null ? [] : groupComplaints(directory, owner, selector.groupId)),
    ].map((complaint) => `${kind} ${complaint}`);
  });
  return [...new Set(complaints)];
}

/** Complaint about equal rules of one protection, of which at least one is new or changed. */
export function duplicateComplaints(
  kind: RuleKind,
  all: readonly Selector[],
  touched: ReadonlySet<Selector>,
): string[] {
  const equals = [...Map.groupBy(all, selectorKey).values()];
  const duplicate = equals.some((rules) => rules.length > 1 && rules.some((rule) => touched.has(rule)));
  return duplicate ? [`${kind} has duplicate entries`] : [];
}

/** Whether a rule may name a user: Developer or higher in a project, Maintainer or higher in a group, inherited and invited access included. */
export function mayNameUser(directory: Directory, owner: ProtectionOwner, userId: number): boolean {
  return owner.kind === 'project'
    ? directory.projectLevel(userId, owner.id) >= accessLevels.developer
    : directory.groupLevel(userId, owner.id) >= accessLevels.maintainer;
}

function userComplaints(directory: Directory, owner: ProtectionOwner, userId: number): string[] {
  if (!directory.index.users.has(userId)) return [`user ${userId} does not exist`];
  if (mayNameUser(directory, owner, userId)) return [];
  const role = owner.kind === 'project' ? 'Developer' : 'Maintainer';
  return [`user ${userId} does not have ${role} access to the ${owner.kind}`];
}

/** Whether a rule may name a group: invited to the very project; for a group the group itself, one below it, or one invited to it. */
export function mayNameGroup({ index }: Directory, owner: ProtectionOwner, groupId: number): boolean {
  return (
    index.sharesOf(owner).some((share) => share.groupId === groupId) ||
    (owner.kind === 'group' && groupAndAncestors(index, groupId).includes(owner.id))
  );
}

function groupComplaints(directory: Directory, owner: ProtectionOwner, groupId: number): string[] {
  // The same for a group that does not exist: the caller may not know of those that do.
  if (mayNameGroup(directory, owner, groupId)) return [];
  return owner.kind === 'project'
    ? [`group ${groupId} is not invited to the project`]
    : [`group ${groupId} is neither the group itself, nor one of its subgroups, nor invited to it`];
}
