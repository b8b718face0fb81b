import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatehouseError } from '../../contract/errors.ts';
import { levelInProject, refusalError } from '../../accounts/access/authorize.ts';
import type { Actor } from '../../accounts/change.ts';
import { decide } from '../../accounts/access/policy.ts';
import type { Action } from '../../accounts/access/policy.ts';
import type { Principal, Project } from '../../accounts/access/principal.ts';
import { shorten } from '../../lib/printable.ts';
import type { PackageRow } from '../../registry/package-store.ts';
import type { Registry } from '../../services.ts';
import { rawPathOf } from '../respond.ts';
import { isPackageManager } from './client-kind.ts';
import { prefixTextOf } from './npm-route.ts';
import type { NpmPrefix, NpmRoute } from './npm-route.ts';
import type { ReadyAnswer } from './ready-answers.ts';

/** One request of the npm API on its way through the handlers. */
export interface NpmContext<R extends NpmRoute = NpmRoute> {
  readonly registry: Registry;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly prefix: NpmPrefix;
  readonly route: R;
  readonly principal: Principal;
  readonly origin: string;
  readonly address: string | null;
  /** Keeps an answer ready for requests that equal this one. */
  readonly keepReady: (answer: Omit<ReadyAnswer, 'principal'>) => void;
}

/** The caller, who must be signed in. @throws GatehouseError `unauthenticated`. */
export function requireUser(context: NpmContext): Extract<Principal, { kind: 'user' }> {
  if (context.principal.kind === 'anonymous') throw new GatehouseError('unauthenticated');
  return context.principal;
}

/** Who a change is booked on. */
export function actorOf(context: NpmContext): Actor {
  const { user } = requireUser(context);
  return { userId: user.id, username: user.username, origin: 'http', address: context.address };
}

/**
 * Packages of a name that the caller may read below the prefix, by id; none if there are none.
 * @throws GatehouseError `unauthenticated`, `project_not_found`, `group_not_found`, `insufficient_scope`, `account_blocked`.
 */
export function readablePackages(context: NpmContext, name: string): PackageRow[] {
  const { registry, prefix } = context;
  if (prefix.kind === 'project') {
    const project = requireProject(context, 'packages.read');
    const row = registry.packages.store.findPackage(project.id, name);
    return row ? [row] : [];
  }
  requireScope(context);
  const within = prefix.kind === 'group' ? projectIdsOfGroup(context, prefix.reference) : undefined;
  const rows = registry.packages.store.packagesNamed(name);
  return rows.filter((row) => (within === undefined || within.has(row.projectId)) && mayRead(context, row.projectId));
}

/**
 * As `readablePackages`, but at least one.
 * @throws GatehouseError also `package_not_found`, or `unauthenticated` where somebody without a token might see more with one.
 */
export function requirePackages(
  context: NpmContext,
  name: string,
  text = 'Package not found',
): [PackageRow, ...PackageRow[]] {
  const [first, ...more] = readablePackages(context, name);
  if (first) return [first, ...more];
  if (context.principal.kind === 'anonymous' && context.prefix.kind !== 'project')
    throw new GatehouseError('unauthenticated');
  throw new GatehouseError(
    'package_not_found',
    `${text}. There is no package ${shorten(name)} ${placeOf(context)}; publish it first, or check the name and the registry address.`,
    { gitlabMessage: text },
  );
}

/**
 * The package that a change is about: at a group or instance prefix the one with the newest publish among those that the caller can
 * see (api/npm.md, "Settled"). The caller may do `action` with it.
 */
export function requirePackageFor(
  context: NpmContext,
  name: string,
  action: Action,
  missing?: () => GatehouseError,
): PackageRow {
  requireUser(context);
  if (context.prefix.kind === 'project') requireProject(context, action);
  const { store } = context.registry.packages;
  let rows: PackageRow[];
  try {
    rows = requirePackages(context, name);
  } catch (error) {
    if (missing && error instanceof GatehouseError && error.code === 'package_not_found') throw missing();
    throw error;
  }
  const newest = rows.reduce((a, b) => (store.newestPublish(b.id) > store.newestPublish(a.id) ? b : a));
  authorize(context, context.registry.directory.findProject(newest.projectId), action);
  return newest;
}

/** The project of a project prefix, if the caller may do `action` there. */
export function requireProject(context: NpmContext, action: Action): Project {
  const { prefix, registry } = context;
  if (prefix.kind !== 'project') throw new GatehouseError('method_not_allowed');
  const project = registry.directory.findProject(prefix.reference);
  authorize(context, project, action);
  if (!project) throw new GatehouseError('project_not_found');
  return project;
}

/** Whether the caller may do `action` with a project. */
export function isAllowed(context: NpmContext, project: Project | undefined, action: Action): boolean {
  const { registry, principal } = context;
  const level = levelInProject(registry.directory, principal, project);
  return decide(action, { principal, level, visibility: project?.visibility }).allowed;
}

/** @throws GatehouseError unless the caller may do `action` with the project. */
export function authorize(context: NpmContext, project: Project | undefined, action: Action): void {
  const { registry, principal } = context;
  const level = levelInProject(registry.directory, principal, project);
  const decision = decide(action, { principal, level, visibility: project?.visibility });
  if (!decision.allowed) throw refusalError(decision, 'project_not_found');
}

/**
 * Address of the registry as this client reached it, without a trailing slash: with the numeric id of the project or group (api/npm.md,
 * "Settled"). Package managers get it back letter for letter instead: npm 12 installs nothing from outside the address that it was given
 * (EALLOWREMOTE), Yarn 1 and others send their token only below it, and Yarn 4 would write `__archiveUrl` into lockfiles.
 */
export function baseOf(context: NpmContext): string {
  const { prefix, registry, origin, req } = context;
  if (isPackageManager(req)) return `${origin}${prefixTextOf(rawPathOf(req))}`;
  switch (prefix.kind) {
    case 'project':
      return `${origin}/api/v4/projects/${registry.directory.findProject(prefix.reference)?.id ?? encodeURIComponent(prefix.reference)}/packages/npm`;
    case 'group':
      return `${origin}/api/v4/groups/${registry.directory.findGroup(prefix.reference)?.id ?? encodeURIComponent(prefix.reference)}/-/packages/npm`;
    case 'instance':
      return `${origin}/api/v4/packages/npm`;
  }
}

/**
 * What the token may not do is told before anything is looked for, whether it is there or not.
 * @throws GatehouseError `insufficient_scope`.
 */
function requireScope({ principal }: NpmContext): void {
  if (principal.kind === 'anonymous') return;
  const decision = decide('packages.read', { principal, level: 0, visibility: undefined });
  if (!decision.allowed && decision.code === 'insufficient_scope') throw refusalError(decision, 'project_not_found');
}

/** Whether the caller may read the packages of a project. @throws GatehouseError `insufficient_scope`. */
export function mayRead(context: NpmContext, projectId: number): boolean {
  const { registry, principal } = context;
  const project = registry.directory.findProject(projectId);
  const level = levelInProject(registry.directory, principal, project);
  const decision = decide('packages.read', { principal, level, visibility: project?.visibility });
  // A token that is too small is no matter of this one project: it would see nothing anywhere.
  if (!decision.allowed && decision.code === 'insufficient_scope') throw refusalError(decision, 'project_not_found');
  return decision.allowed;
}

/** Ids of the projects in a group and its subgroups. @throws GatehouseError `unauthenticated`, `group_not_found`. */
export function projectIdsOfGroup(context: NpmContext, reference: string): Set<number> {
  const { directory } = context.registry;
  const group = directory.findGroup(reference);
  const ids = new Set(
    group ? directory.projectsOfGroup(group.id, { subgroups: true }).map((project) => project.id) : [],
  );
  if (group && isGroupVisible(context, group.id, ids)) return ids;
  if (context.principal.kind === 'anonymous') throw new GatehouseError('unauthenticated');
  throw new GatehouseError('group_not_found');
}

/** Who can see the group, or any project in it, may know of it. */
function isGroupVisible(context: NpmContext, groupId: number, projectIds: ReadonlySet<number>): boolean {
  const { registry, principal } = context;
  if (
    principal.kind === 'user' &&
    (principal.user.isAdmin || registry.directory.groupLevel(principal.user.id, groupId) > 0)
  ) {
    return true;
  }
  const visibility = registry.directory.findGroup(groupId)?.visibility;
  if (visibility === 'public' || (visibility === 'internal' && principal.kind === 'user')) return true;
  return [...projectIds].some((id) => mayRead(context, id));
}

function placeOf(context: NpmContext): string {
  switch (context.prefix.kind) {
    case 'project':
      return `in the project ${context.registry.directory.findProject(context.prefix.reference)?.fullPath ?? context.prefix.reference}`;
    case 'group':
      return `in the group ${context.prefix.reference} that you can read`;
    case 'instance':
      return 'that you can read';
  }
}
