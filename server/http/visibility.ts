import { groupsSeenBy, levelInGroup } from '../accounts/access/authorize.ts';
import { maySee } from '../accounts/access/policy.ts';
import type { NamespaceRecord } from '../accounts/records.ts';
import type { Call } from './caller.ts';

type Viewer = Pick<Call, 'principal' | 'registry'>;

/** Whether the caller may know of a group. */
export function seesGroup({ principal, registry }: Viewer, group: NamespaceRecord): boolean {
  return maySee(principal, levelInGroup(registry.directory, principal, group), group.visibility);
}

/** Which groups the caller may know of, by id. */
export function visibleGroups({ principal, registry }: Viewer): (groupId: number) => boolean {
  return groupsSeenBy(registry.directory, principal);
}
