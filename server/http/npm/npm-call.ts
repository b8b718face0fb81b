import type { z } from 'zod';
import { GatehouseError } from '../../contract/errors.ts';
import { authorizeInstance, authorizeProject, levelInProject, refusalError } from '../../accounts/access/authorize.ts';
import type { Actor } from '../../accounts/change.ts';
import { type AccessDecision, type Action, decide, type InstanceAction } from '../../accounts/access/policy.ts';
import { namedToken, type Principal, type Project } from '../../accounts/access/principal.ts';
import type { UserRecord } from '../../accounts/records.ts';
import { shorten } from '../../lib/printable.ts';
import type { PackageRow, PackageStore } from '../../registry/package-store.ts';
import { findMergedVersion } from '../../registry/packuments/merged-view.ts';
import type { Answer } from '../respond.ts';
import type { Call } from '../caller.ts';
import { isPackageManager } from '../negotiate.ts';
import type { RequestName } from '../openapi/schemas.ts';
import type { JsonSchema, Operation } from '../operation.ts';
import type { PathParameters, Route } from '../route-matcher.ts';
import type { TokenGuard } from '../token-guard.ts';
import { isOwnPackage, meantAtInstance, shadowedByUpstream } from './instance-names.ts';
import type { NpmPrefix } from './npm-path.ts';
import type { ReadyAnswer } from './ready-answers.ts';
import { seesGroup } from '../visibility.ts';

/** One request of the npm API on its way through the handlers. */
export interface NpmCall extends Call {
  readonly prefix: NpmPrefix;
  /** Looks up secrets that stand elsewhere than in the credentials. */
  readonly guard: Pick<TokenGuard, 'lookUp'>;
  /** Keeps an answer ready for requests that equal this one. */
  readonly keepReady: (answer: Omit<ReadyAnswer, 'principal'>) => void;
}

/** Returns what to answer, or nothing if it answered itself. `parameters` are those of the path. */
export type NpmHandler = (
  call: NpmCall,
  parameters: PathParameters,
) => Answer | undefined | Promise<Answer | undefined>;

export interface NpmOperation extends Operation<NpmHandler> {
  /**
   * Whether a token that is sent along is not looked at: people log in because the one they have no longer works, and must not be refused
   * for it.
   */
  readonly ignoresToken?: true;
  /** What the query may hold, each with its schema. */
  readonly query?: Readonly<Record<string, JsonSchema>>;
  /** The schema that parses the body, or the name of one. */
  readonly body?: z.ZodType | RequestName;
}

export type NpmRoute = Route<NpmOperation>;

/** The caller, who must be signed in with a token that may do `action`. @throws as `authorizeInstance`. */
export function requireUser(call: NpmCall, action: InstanceAction): Extract<Principal, { kind: 'user' }> {
  return authorizeInstance(call.principal, action);
}

/** Who a change is booked on. */
export function actorOf(call: NpmCall): Actor {
  const { user } = requireUser(call, 'identify');
  return {
    userId: user.id,
    username: user.username,
    origin: 'http',
    address: call.address,
    ...namedToken(call.principal),
  };
}

/** An operation that does not exist here; `text` says what to do instead. */
export function refused(summary: string, text: string): NpmOperation {
  return {
    handle: (call) => {
      requireUser(call, 'identify');
      throw new GatehouseError('invalid_request', text);
    },
    summary,
    description: `Always refused. ${text}`,
    access: 'identify',
    answers: {},
  };
}

/**
 * Packages of a name that the caller may read below the prefix, by id; at a group or the instance only those of the name's owner.
 * @throws GatehouseError `unauthenticated`, `project_not_found`, `group_not_found`, `insufficient_scope`, `account_blocked`.
 */
export function readablePackages(call: NpmCall, name: string): PackageRow[] {
  const { registry, prefix } = call;
  if (prefix.kind === 'project') {
    const project = requireProject(call, 'packages.read');
    const row = registry.packages.store.findPackage(project.id, name);
    return row ? [row] : [];
  }
  if (call.principal.kind === 'user') requireScope(call, 'packages.read');
  const within = prefix.kind === 'group' ? projectIdsOfGroup(call, prefix.reference) : undefined;
  const rows = registry.packages.store.packagesNamed(name);
  const readable = rows.filter(
    (row) => (within === undefined || within.has(row.projectId)) && mayRead(call, row.projectId),
  );
  return prefix.kind === 'instance' ? meantAtInstance(call, name, readable) : registry.packages.owners.select(readable);
}

/**
 * Whether a package of this registry stands in front of other registries' for the caller: one that the prefix shows, or one in a project
 * of which the caller is a member. Others see what an upstream has, unless the name is claimed.
 */
export function isLocalFor(call: NpmCall, name: string): boolean {
  if (readablePackages(call, name).length > 0) return true;
  return call.registry.packages.store.packagesNamed(name).some((row) => isOwnPackage(call, row));
}

/** What a change at a group or instance prefix names; the project that it is made in follows from it. */
export interface ChangeTarget {
  readonly version?: string;
  readonly tag?: string;
}

/**
 * As `readablePackages`, but at least one.
 * @throws GatehouseError also `package_not_found`, or `unauthenticated` where a caller without a token might see more with one.
 */
export function requirePackages(
  call: NpmCall,
  name: string,
  text = 'Package not found',
): [PackageRow, ...PackageRow[]] {
  const [first, ...more] = readablePackages(call, name);
  if (first) return [first, ...more];
  if (call.principal.kind === 'anonymous' && call.prefix.kind !== 'project')
    throw new GatehouseError('unauthenticated');
  const advice = 'publish it first, or check the name and the registry address.';
  throw packageNotFound(`There is no package ${shorten(name)} ${placeOf(call)}; ${advice}`, text);
}

/**
 * The package that a change is about. At a group or instance prefix it is, of those of the name's owner, the one whose version or tag is
 * shown there, and where the change names none, the one with the newest publish. The caller may do `action` with it.
 */
export function requirePackageFor(
  call: NpmCall,
  name: string,
  action: Action,
  target: ChangeTarget & { readonly missing?: () => GatehouseError } = {},
): PackageRow {
  requireScope(call, action);
  if (call.prefix.kind === 'project') requireProject(call, action);
  const { store } = call.registry.packages;
  let rows: [PackageRow, ...PackageRow[]];
  try {
    rows = requirePackages(call, name);
  } catch (error) {
    if (target.missing && error instanceof GatehouseError && error.code === 'package_not_found') throw target.missing();
    throw error;
  }
  const row = changedPackage(store, rows, target);
  requireAccessTo(call, row, action);
  return row;
}

/** @throws GatehouseError as `authorizeProject` if the caller may not do `action` with the package's project. */
export function requireAccessTo({ registry, principal }: NpmCall, { projectId }: PackageRow, action: Action): void {
  authorizeProject(registry.directory, principal, projectId, action);
}

/** Of packages of one name, the one that a change is made in, as `requirePackageFor` says. */
export function changedPackage(
  store: PackageStore,
  rows: readonly [PackageRow, ...PackageRow[]],
  { version, tag }: ChangeTarget,
): PackageRow {
  if (rows.length === 1) return rows[0];
  const named =
    version === undefined
      ? rows
          .flatMap((row) => store.tagsOf(row.id).flatMap((found) => (found.tag === tag ? [{ row, found }] : [])))
          .toSorted((a, b) => b.found.updatedAt - a.found.updatedAt)[0]?.row
      : rows.find(({ id }) => id === findMergedVersion(store, rows, version)?.packageId);
  return named ?? rows.reduce((a, b) => (store.newestPublish(b.id) > store.newestPublish(a.id) ? b : a));
}

/**
 * Refuses, before anything is looked up, a caller who may do `action` nowhere: whether the package is there or not makes no difference.
 * @throws GatehouseError `unauthenticated`, `insufficient_scope` or `account_blocked`.
 */
function requireScope(call: NpmCall, action: Action): void {
  const decision = decisionOf(call, undefined, action);
  if (!decision.allowed && decision.code !== 'container_not_found') throw refusalError(decision, 'project_not_found');
}

/** The project of a project prefix, if the caller may do `action` there. */
export function requireProject({ prefix, registry, principal }: NpmCall, action: Action): Project {
  if (prefix.kind !== 'project') throw new GatehouseError('method_not_allowed');
  return authorizeProject(registry.directory, principal, prefix.reference, action);
}

/** Whether the caller may do `action` with a project. */
export function isAllowed(call: NpmCall, project: Project | undefined, action: Action): boolean {
  return decisionOf(call, project, action).allowed;
}

function decisionOf({ registry, principal }: NpmCall, project: Project | undefined, action: Action): AccessDecision {
  const level = levelInProject(registry.directory, principal, project);
  return decide(action, { principal, level, visibility: project?.visibility });
}

/**
 * Address of the registry as this client reached it, without a trailing slash: with the numeric id of the project or group. Package
 * managers get it back letter for letter instead: npm 12 installs nothing from outside the address that it was given
 * (EALLOWREMOTE), Yarn 1 and others send their token only below it, and Yarn 4 would write `__archiveUrl` into lockfiles.
 */
export function baseOf(call: NpmCall): string {
  const { prefix, registry, origin, req } = call;
  if (isPackageManager(req)) return `${origin}${prefix.text}`;
  if (prefix.kind === 'instance') return `${origin}/api/v4/packages/npm`;
  const { kind, reference } = prefix;
  const { directory } = registry;
  const found = kind === 'project' ? directory.findProject(reference) : directory.findGroup(reference);
  const id = found?.id ?? encodeURIComponent(reference);
  return `${origin}/api/v4/${kind === 'project' ? `projects/${id}` : `groups/${id}/-`}/packages/npm`;
}

/**
 * Whether the caller may read the packages of a project.
 * @throws GatehouseError `insufficient_scope`: such a token can read nothing anywhere.
 */
export function mayRead(call: NpmCall, projectId: number): boolean {
  const project = call.registry.directory.findProject(projectId);
  const decision = decisionOf(call, project, 'packages.read');
  if (!decision.allowed && decision.code === 'insufficient_scope') throw refusalError(decision, 'project_not_found');
  return decision.allowed;
}

/** Ids of the projects in a group and its subgroups. @throws GatehouseError `unauthenticated`, `group_not_found`. */
export function projectIdsOfGroup(call: NpmCall, reference: string): Set<number> {
  const { directory } = call.registry;
  const group = directory.findGroup(reference);
  const projects = group ? directory.projectsOfGroup(group.id, { subgroups: true }) : [];
  const ids = projects.map(({ id }) => id);
  // Who can see the group, or any project in it, may know of it.
  if (group && (seesGroup(call, group) || ids.some((id) => mayRead(call, id)))) return new Set(ids);
  if (call.principal.kind === 'anonymous') throw new GatehouseError('unauthenticated');
  throw new GatehouseError('group_not_found');
}

function placeOf({ prefix, registry }: NpmCall): string {
  if (prefix.kind === 'instance') return 'that you can read';
  const { kind, reference } = prefix;
  if (kind === 'group') return `in the group ${reference} that you can read`;
  return `in the project ${registry.directory.findProject(reference)?.fullPath ?? reference}`;
}

/**
 * Ids of the projects below the prefix whose packages the caller may read. Empty only for callers who are signed in.
 * @throws GatehouseError `unauthenticated` (nothing is open to callers without a token), `project_not_found`, `group_not_found`,
 * `insufficient_scope`.
 */
export function readableProjectIds(call: NpmCall): readonly number[] {
  const ids = readableProjects(call).map((project) => project.id);
  if (ids.length === 0 && call.principal.kind === 'anonymous') throw new GatehouseError('unauthenticated');
  return ids;
}

/** As `readableProjectIds`, as projects. */
export function readableProjects(call: NpmCall): Project[] {
  const { prefix, registry } = call;
  if (prefix.kind === 'project') return [requireProject(call, 'packages.read')];
  if (call.principal.kind === 'user') requireScope(call, 'packages.read');
  const within = prefix.kind === 'group' ? projectIdsOfGroup(call, prefix.reference) : undefined;
  return registry.directory
    .allProjects()
    .filter((project) => (within === undefined || within.has(project.id)) && mayRead(call, project.id));
}

/** Ids of the packages that lists below the prefix leave out, since another namespace owns their name there. */
export function hiddenPackages(call: NpmCall, projectIds: readonly number[]): ReadonlySet<number> {
  const { owners } = call.registry.packages;
  if (call.prefix.kind === 'project') return new Set();
  const hidden = owners.hiddenIn(projectIds);
  return call.prefix.kind === 'group' ? hidden : new Set([...hidden, ...shadowedByUpstream(call, projectIds)]);
}

/** The place that a prefix names, if the caller may know of it. @throws as `readableProjectIds`. */
export function requirePrefix(call: NpmCall): void {
  if (call.prefix.kind === 'project') requireProject(call, 'packages.read');
  else if (call.prefix.kind === 'group') projectIdsOfGroup(call, call.prefix.reference);
}

/** @throws GatehouseError `user_not_found`. */
export function requireUserNamed({ registry }: NpmCall, username: string): UserRecord {
  const user = registry.people.users.findByUsername(username);
  if (user) return user;
  const text = `User not found. There is no user "${shorten(username)}" here.`;
  throw new GatehouseError('user_not_found', text, { gitlabMessage: 'User Not Found' });
}

/** @returns the error for a package, or a part of one, that is not there; `gitlabMessage` is GitLab's text. */
export function packageNotFound(text: string, gitlabMessage = 'Package not found'): GatehouseError {
  return new GatehouseError('package_not_found', `${gitlabMessage}. ${text}`, { gitlabMessage });
}
