import { levelInGroup } from '../accounts/access/authorize.ts';
import { maySee } from '../accounts/access/policy.ts';
import type { NamespaceRecord } from '../accounts/records.ts';
import type { Call } from './caller.ts';

type Viewer = Pick<Call, 'principal' | 'registry'>;

/** Whether the caller may know of a group. */
export function seesGroup({ principal, registry }: Viewer, group: NamespaceRecord): boolean {
  return maySee(principal, levelInGroup(registry.directory, principal, group), group.visibility);
}

/** Which groups the caller may know of, by id. */
export function visibleGroups(call: Viewer): (groupId: number) => boolean {
  const { index } = call.registry.directory;
  return (groupId) => {
    const group = index.namespaces.get(groupId);
    return group ? seesGroup(call, group) : call.principal.kind === 'user' && call.principal.user.isAdmin;
  };
}
