import type { EffectiveLevel, Visibility } from '../../contract/levels.ts';
import { accessLevels } from '../../contract/constants.ts';
import type { Principal, TokenScope } from './principal.ts';

/**
 * Which role and scope each action needs, as one table for HTTP, the window and the command line. Only deploy rules compare roles
 * elsewhere (environments/deploy-decision.ts).
 */

/** How a caller without a token is refused. */
type AnonymousRefusal =
  /** 401, whether the thing exists or not. */
  | 'sign_in'
  /** 404 if it is invisible, 403 if it is public: GitLab has no sign-in check on protected environments. */
  | 'by_visibility';

interface Rule {
  /** Scopes of which one is needed; a caller without a token (window, command line) needs none. */
  readonly scopes: readonly TokenScope[];
  /** Least effective access; `visible`: any access that shows the container. */
  readonly role: EffectiveLevel | 'visible';
  /** Whether callers without a token are allowed where the container is public. */
  readonly anonymousIfPublic: boolean;
  readonly anonymousRefusal: AnonymousRefusal;
}

const apiRead: readonly TokenScope[] = ['api', 'read_api'];
const apiWrite: readonly TokenScope[] = ['api'];
const packageRead: readonly TokenScope[] = ['api', 'read_api', 'read_package_registry', 'write_package_registry'];
const packageWrite: readonly TokenScope[] = ['api', 'write_package_registry'];

const { developer, maintainer, owner, reporter } = accessLevels;

function rule(
  scopes: readonly TokenScope[],
  role: Rule['role'],
  more: Partial<Pick<Rule, 'anonymousIfPublic' | 'anonymousRefusal'>> = {},
): Rule {
  return { scopes, role, anonymousIfPublic: false, anonymousRefusal: 'sign_in', ...more };
}

const rules = {
  // Packages
  'packages.read': rule(packageRead, 'visible', { anonymousIfPublic: true }),
  'packages.publish': rule(packageWrite, developer),
  'packages.set_tag': rule(packageWrite, developer),
  // Whose approval counts, the rules of the environment say; they may name people of any role.
  'packages.approve': rule(packageWrite, 'visible'),
  'packages.remove_tag': rule(packageWrite, maintainer),
  'packages.deprecate': rule(packageWrite, maintainer),
  'packages.unpublish': rule(packageWrite, maintainer),
  'packages.delete': rule(packageWrite, maintainer),
  // A reader's own mark, but a change: a token that only reads sets none.
  'packages.star': rule(packageWrite, 'visible'),

  // Environments; stopping, changing and deleting also need the protection's consent
  'environments.read': rule(apiRead, reporter),
  'environments.create': rule(apiWrite, developer),
  'environments.update': rule(apiWrite, developer),
  'environments.stop': rule(apiWrite, developer),
  'environments.delete': rule(apiWrite, developer),
  'protected_environments.read': rule(apiRead, maintainer, { anonymousRefusal: 'by_visibility' }),
  'protected_environments.write': rule(apiWrite, maintainer, { anonymousRefusal: 'by_visibility' }),
  'group_protected_environments.read': rule(apiRead, owner, { anonymousRefusal: 'by_visibility' }),
  'group_protected_environments.write': rule(apiWrite, owner, { anonymousRefusal: 'by_visibility' }),
  'deploy_access.read': rule(apiRead, maintainer),

  // Guarded tags: who may read environments may read which one guards a tag.
  'guards.read': rule(apiRead, reporter),
  'guards.write': rule(apiWrite, maintainer),

  // Projects
  'project.read': rule(apiRead, 'visible', { anonymousIfPublic: true }),
  'project.update': rule(apiWrite, maintainer),
  'project.delete': rule(apiWrite, owner),
  'project.read_members': rule(apiRead, 'visible'),
  'project.manage_members': rule(apiWrite, maintainer),
  'project.share': rule(apiWrite, maintainer),
  'project.read_audit': rule(apiRead, maintainer),

  // Groups
  'group.read': rule(apiRead, 'visible', { anonymousIfPublic: true }),
  'group.update': rule(apiWrite, owner),
  'group.delete': rule(apiWrite, owner),
  'group.create_subgroup': rule(apiWrite, maintainer),
  'group.create_project': rule(apiWrite, developer),
  'group.read_members': rule(apiRead, 'visible'),
  'group.manage_members': rule(apiWrite, owner),
  'group.share': rule(apiWrite, owner),
  'group.read_audit': rule(apiRead, owner),
} as const satisfies Record<string, Rule>;

/** Something that can be done with a project or a group. */
export type Action = keyof typeof rules;

export interface Facts {
  readonly principal: Principal;
  /** Effective access of the caller in the project or group; 0 for none. */
  readonly level: EffectiveLevel;
  /** Of the project or group; undefined if there is none, which looks the same as a hidden one. */
  readonly visibility: Visibility | undefined;
}

export type Refusal =
  | { readonly allowed: false; readonly code: 'unauthenticated' | 'container_not_found' | 'forbidden' }
  | { readonly allowed: false; readonly code: 'account_blocked' }
  | { readonly allowed: false; readonly code: 'insufficient_scope'; readonly requiredScopes: readonly TokenScope[] };

export type AccessDecision = { readonly allowed: true } | Refusal;

const allowed: AccessDecision = { allowed: true };

/**
 * Whether a caller may do something with a project or a group. Refused with `container_not_found` if the caller may not know that it
 * exists, else with `forbidden`. A missing scope is reported first, as it says nothing about the container.
 */
export function decide(action: Action, facts: Facts): AccessDecision {
  const { scopes, role, anonymousIfPublic, anonymousRefusal }: Rule = rules[action];
  const { principal, level, visibility } = facts;

  if (principal.kind === 'anonymous') {
    if (visibility === 'public' && anonymousIfPublic) return allowed;
    if (anonymousRefusal === 'sign_in') return { allowed: false, code: 'unauthenticated' };
    return { allowed: false, code: visibility === 'public' ? 'forbidden' : 'container_not_found' };
  }
  if (principal.user.state === 'blocked') return { allowed: false, code: 'account_blocked' };
  const scope = checkScopes(principal, scopes);
  if (!scope.allowed) return scope;
  if (visibility === undefined) return { allowed: false, code: 'container_not_found' };
  if (principal.user.isAdmin) return allowed;
  if (!maySee(principal, level, visibility)) return { allowed: false, code: 'container_not_found' };
  // Reading public or internal projects needs no membership.
  const needed = role === 'visible' || (role === reporter && visibility !== 'private') ? 0 : role;
  return level >= needed ? allowed : { allowed: false, code: 'forbidden' };
}

/** Whether a caller with the role `level` in a project or group may know that it exists. */
export function maySee(principal: Principal, level: EffectiveLevel, visibility: Visibility): boolean {
  if (visibility === 'public') return true;
  if (principal.kind === 'anonymous') return false;
  if (principal.user.isAdmin || level > 0) return true;
  return visibility === 'internal' && principal.user.external !== true;
}

/**
 * What a call needs that is not about one project or group: the scope of its token, and for some an administrator. `identify` is for
 * calls that say no more than whose token it is.
 */
export type InstanceAction =
  | 'identify'
  | 'read_packages'
  | 'write_packages'
  | 'read'
  | 'read_users'
  | 'write'
  | 'create'
  | 'administrate'
  | 'administrate_read';

const instanceScopes: Readonly<Record<InstanceAction, readonly TokenScope[]>> = {
  identify: ['read_user', ...packageRead],
  read_packages: packageRead,
  write_packages: packageWrite,
  read: apiRead,
  read_users: ['api', 'read_api', 'read_user'],
  write: apiWrite,
  create: apiWrite,
  administrate: apiWrite,
  administrate_read: apiRead,
};

/** What an action needs, for the documents that list it. */
export interface Requirements {
  /** Of which the token of the caller needs one. */
  readonly scopes: readonly TokenScope[];
  readonly who: EffectiveLevel | 'visible' | 'administrator' | 'user';
  /** Whether callers without a token are allowed where the project or group is public. */
  readonly anonymousIfPublic: boolean;
}

/** What the policy asks of a caller for an action. */
export function requirementsOf(action: Action | InstanceAction): Requirements {
  if (isAction(action)) {
    const { scopes, role: who, anonymousIfPublic }: Rule = rules[action];
    return { scopes, who, anonymousIfPublic };
  }
  const who = needsAdministrator(action) ? 'administrator' : 'user';
  return { scopes: instanceScopes[action], who, anonymousIfPublic: false };
}

function isAction(action: Action | InstanceAction): action is Action {
  return Object.hasOwn(rules, action);
}

function needsAdministrator(action: InstanceAction): boolean {
  return action === 'administrate' || action === 'administrate_read';
}

/** Whether a caller may make a call of the directory that belongs to no project or group. */
export function decideInstance(action: InstanceAction, principal: Principal): AccessDecision {
  if (principal.kind === 'anonymous') return { allowed: false, code: 'unauthenticated' };
  if (principal.user.state === 'blocked') return { allowed: false, code: 'account_blocked' };
  const scope = checkScopes(principal, instanceScopes[action]);
  if (!scope.allowed) return scope;
  // Groups and projects give whoever makes them names and visitors; external users get along with what they are invited to.
  if (action === 'create' && principal.user.external === true && !principal.user.isAdmin)
    return { allowed: false, code: 'forbidden' };
  return !needsAdministrator(action) || principal.user.isAdmin ? allowed : { allowed: false, code: 'forbidden' };
}

function checkScopes(principal: Extract<Principal, { kind: 'user' }>, scopes: readonly TokenScope[]): AccessDecision {
  const { token } = principal;
  if (!token || scopes.some((scope) => token.scopes.includes(scope))) return allowed;
  return { allowed: false, code: 'insufficient_scope', requiredScopes: scopes };
}

/** Whether a caller with the role `own` in a project or group may grant or remove the role `level` there. */
export function mayGrant(principal: Principal, own: number, level: number): boolean {
  return principal.kind === 'user' && (principal.user.isAdmin || own >= level);
}
