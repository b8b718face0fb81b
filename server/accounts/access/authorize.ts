import { GatehouseError } from '../../contract/errors.ts';
import type { EffectiveLevel } from '../../contract/levels.ts';
import type { Actor } from '../change.ts';
import type { Directory } from '../directory.ts';
import type { NamespaceRecord, ProjectRecord } from '../records.ts';
import { type Action, decide, decideInstance, type InstanceAction, maySee, type Refusal } from './policy.ts';
import { anonymous, type Principal, type Project } from './principal.ts';
import { restOn } from './standing.ts';

/** Effective access of a caller in a project; 0 for callers without a token and for unknown projects. */
export function levelInProject(
  directory: Pick<Directory, 'projectLevel'>,
  principal: Principal,
  project?: Pick<Project, 'id'>,
): EffectiveLevel {
  return principal.kind === 'user' && project ? directory.projectLevel(principal.user.id, project.id) : 0;
}

/** Effective access of a caller in a group; 0 for callers without a token and for unknown groups. */
export function levelInGroup(
  directory: Pick<Directory, 'groupLevel'>,
  principal: Principal,
  group?: Pick<NamespaceRecord, 'id'>,
): EffectiveLevel {
  return principal.kind === 'user' && group ? directory.groupLevel(principal.user.id, group.id) : 0;
}

/** Which groups a caller may know of, by id; of one that is gone, administrators alone. */
export function groupsSeenBy(
  directory: Pick<Directory, 'groupLevel' | 'index'>,
  principal: Principal,
): (groupId: number) => boolean {
  return (groupId) => {
    const group = directory.index.namespaces.get(groupId);
    if (!group) return principal.kind === 'user' && principal.user.isAdmin;
    return maySee(principal, levelInGroup(directory, principal, group), group.visibility);
  };
}

/**
 * The project behind a reference, if the caller may do `action` with it. The decision is made again inside each write of the request.
 * @throws GatehouseError `unauthenticated`, `project_not_found`, `forbidden`, `insufficient_scope` or `account_blocked`.
 */
export function authorizeProject(
  directory: Pick<Directory, 'findProject' | 'projectLevel'>,
  principal: Principal,
  reference: string | number,
  action: Action,
): ProjectRecord {
  const project = directory.findProject(reference);
  const level = levelInProject(directory, principal, project);
  const allowed = requireAccess(project, { principal, level }, action, 'project_not_found');
  restOn((caller) => void authorizeProject(directory, caller, allowed.id, action));
  return allowed;
}

/**
 * The group behind a reference, if the caller may do `action` with it. The decision is made again inside each write of the request.
 * @throws GatehouseError `unauthenticated`, `group_not_found`, `forbidden`, `insufficient_scope` or `account_blocked`.
 */
export function authorizeGroup(
  directory: Pick<Directory, 'findGroup' | 'groupLevel'>,
  principal: Principal,
  reference: string | number,
  action: Action,
): NamespaceRecord {
  const group = directory.findGroup(reference);
  const level = levelInGroup(directory, principal, group);
  const allowed = requireAccess(group, { principal, level }, action, 'group_not_found');
  restOn((caller) => void authorizeGroup(directory, caller, allowed.id, action));
  return allowed;
}

/** A project by id, if whoever makes a change may know of it; for the texts of refusals. */
export function projectSeenBy(directory: Directory, actor: Actor, projectId: number): ProjectRecord | undefined {
  const project = directory.findProject(projectId);
  if (!project || directory.isAdministrator(actor)) return project;
  const user = actor.userId === null ? undefined : directory.index.users.get(actor.userId);
  const principal: Principal = user ? { kind: 'user', user, token: null } : anonymous;
  return maySee(principal, levelInProject(directory, principal, project), project.visibility) ? project : undefined;
}

function requireAccess<T extends ProjectRecord | NamespaceRecord>(
  found: T | undefined,
  caller: { readonly principal: Principal; readonly level: EffectiveLevel },
  action: Action,
  notFound: 'project_not_found' | 'group_not_found',
): T {
  const decision = decide(action, { ...caller, visibility: found?.visibility });
  if (!decision.allowed) throw refusalError(decision, notFound);
  if (!found) throw new GatehouseError(notFound);
  return found;
}

/**
 * The signed-in caller, if allowed to make a call that belongs to no project or group. Decided again as above.
 * @throws GatehouseError `unauthenticated`, `forbidden`, `insufficient_scope` or `account_blocked`.
 */
export function authorizeInstance(principal: Principal, action: InstanceAction): Extract<Principal, { kind: 'user' }> {
  const decision = decideInstance(action, principal);
  if (!decision.allowed) throw refusalError(decision, 'not_found');
  if (principal.kind === 'anonymous') throw new GatehouseError('unauthenticated');
  restOn((caller) => void authorizeInstance(caller, action));
  return principal;
}

/** The error for a refusal; `notFound` is used for what the caller may not know of. */
export function refusalError(
  refusal: Refusal,
  notFound: 'project_not_found' | 'group_not_found' | 'not_found',
): GatehouseError {
  switch (refusal.code) {
    case 'container_not_found':
      return new GatehouseError(notFound);
    case 'insufficient_scope':
      return new GatehouseError('insufficient_scope', undefined, { requiredScopes: refusal.requiredScopes });
    case 'unauthenticated':
    case 'forbidden':
    case 'account_blocked':
      return new GatehouseError(refusal.code);
  }
}
