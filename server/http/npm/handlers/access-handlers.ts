import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { accessLevels } from '../../../contract/constants.ts';
import { noReplyAddress } from '../../../accounts/naming.ts';
import type { UserRecord } from '../../../accounts/records.ts';
import type { Project } from '../../../accounts/access/principal.ts';
import { type Answer, headerOf, ok, queryOf } from '../../respond.ts';
import { readDocument } from '../../request-body.ts';
import type { PathParameters } from '../../route-matcher.ts';
import {
  actorOf,
  hiddenPackages,
  isAllowed,
  type NpmCall,
  type NpmRoute,
  readableProjectIds,
  requirePackageFor,
  requirePackages,
  requireUser,
  requireUserNamed,
} from '../npm-call.ts';

const accessDocument = z.object({ access: z.string().nullish(), publish_requires_tfa: z.boolean().nullish() });
const ownerDocument = z.object({ user: z.string().max(255) });

const refusedTrust = {
  handle: refuseTrust,
  description: 'Always refused, with a text that says how to publish from a CI system.',
  access: 'packages.read',
  answers: {},
} as const;

/** Access to packages, in the dialects of npm and pnpm. */
export const accessRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/package/*name/visibility',
    GET: {
      handle: getVisibility,
      summary: 'Ask whether a package is public',
      access: 'packages.read',
      answers: { 200: 'PackageVisibility' },
    },
  },
  {
    pattern: '/-/package/*name/access',
    GET: {
      handle: getAccess,
      summary: 'Show the access of a package',
      access: 'packages.read',
      answers: { 200: 'PackageAccess' },
    },
    POST: {
      handle: setAccess,
      summary: 'Change the access of a package',
      description: 'Accepts what is so already; for the rest the error says where it is decided.',
      access: 'packages.unpublish',
      body: accessDocument,
      answers: { 200: 'Ok' },
    },
  },
  {
    pattern: '/-/package/*name/collaborators',
    GET: {
      handle: getCollaborators,
      summary: 'List the users with a role in the project of a package',
      description: 'npm gets an object; others get a list with `format=cli`.',
      access: 'read',
      query: { user: { type: 'string' }, format: { type: 'string', enum: ['cli'] } },
      answers: { 200: 'Collaborators' },
    },
  },
  {
    pattern: '/-/package/*name/owners',
    GET: {
      handle: getOwners,
      summary: 'List the maintainers of a package',
      access: 'packages.read',
      answers: { 200: 'Maintainer[]' },
    },
    PUT: {
      handle: addOwner,
      summary: 'Add a maintainer to a package',
      access: 'packages.unpublish',
      body: ownerDocument,
      answers: { 200: 'Ok' },
      errors: [409],
    },
  },
  {
    pattern: '/-/package/*name/owners/:user',
    DELETE: {
      handle: removeOwner,
      summary: 'Remove a maintainer from a package',
      access: 'packages.unpublish',
      answers: { 200: 'Ok' },
      errors: [409],
    },
  },
  {
    pattern: '/-/package/*name/trust',
    GET: {
      handle: listTrust,
      summary: 'List the trusted publishers of a package',
      description: 'Always none.',
      access: 'packages.read',
      answers: { 200: 'Names' },
    },
    POST: { ...refusedTrust, summary: 'Add a trusted publisher' },
  },
  {
    pattern: '/-/package/*name/trust/:trust',
    GET: { ...refusedTrust, summary: 'Show a trusted publisher' },
    DELETE: { ...refusedTrust, summary: 'Remove a trusted publisher' },
  },
  {
    pattern: '/-/user/:user/package',
    GET: {
      handle: listOfUser,
      summary: 'List the packages of a user',
      description: 'Those that the user maintains or has published.',
      access: 'read_packages',
      answers: { 200: 'Permissions' },
    },
  },
  // pnpm sends an empty name for the caller's own packages.
  {
    pattern: '/-/-/package',
    GET: {
      handle: (call) => listOfUser(call, { user: requireUser(call, 'read_packages').user.username }),
      summary: 'List one’s packages',
      access: 'read_packages',
      answers: { 200: 'Permissions' },
    },
  },
];

/** npm's word for a level of access in a project. */
export function permissionOf(level: number): 'read-write' | 'read-only' {
  return level >= accessLevels.developer ? 'read-write' : 'read-only';
}

function getVisibility(call: NpmCall, { name = '' }: PathParameters): Answer {
  return ok({ public: projectOf(call, name).visibility === 'public' });
}

function getAccess(call: NpmCall, { name = '' }: PathParameters): Answer {
  const isPublic = projectOf(call, name).visibility === 'public';
  const access = isPublic ? 'public' : 'restricted';
  return ok({ access, public: isPublic, publish_requires_tfa: false, automation_token_overrides_tfa: false });
}

/** POST: accepts what is so already; for the rest the error says where it is decided. */
async function setAccess(call: NpmCall, { name = '' }: PathParameters): Promise<Answer> {
  requireUser(call, 'write_packages');
  const complaint = 'The body must be a JSON object with "access".';
  const { access, publish_requires_tfa: needsSecondFactor } = await readDocument(call.req, accessDocument, complaint);
  const row = requirePackageFor(call, name, 'packages.unpublish');
  const project = call.registry.directory.findProject(row.projectId);
  if (needsSecondFactor === true) {
    const text =
      'There is no two-factor authentication here. Who may publish is decided by roles; see the members of the project.';
    throw new GatehouseError('invalid_request', text);
  }
  if (access != null && (access === 'public') !== (project?.visibility === 'public')) {
    const request = `PUT /api/v4/projects/${row.projectId} {"visibility": "${access === 'public' ? 'public' : 'private'}"}`;
    const text = `Whether ${name} is public is decided by its project ${project?.fullPath ?? ''}, which is ${project?.visibility ?? 'private'} and so are all packages in it. Change the project in the Gatehouse window or with ${request}, or publish to another project.`;
    throw new GatehouseError('invalid_request', text);
  }
  return ok({ ok: true });
}

/** GET: all users with a role in the project. npm expects an object, pnpm (with `format=cli`) a list. */
function getCollaborators(call: NpmCall, { name = '' }: PathParameters): Answer {
  requireUser(call, 'read');
  const query = queryOf(call.req);
  const wanted = query.get('user')?.replace(/^@/, '').toLowerCase();
  const { directory, people } = call.registry;
  const container = { kind: 'project', id: projectOf(call, name).id } as const;
  const collaborators = people.members.effectiveFor(call.principal, container).flatMap((grant) => {
    const user = directory.index.users.get(grant.userId);
    return user && (wanted === undefined || user.username.toLowerCase() === wanted)
      ? [{ user: user.username, permissions: permissionOf(grant.level) }]
      : [];
  });
  const isNpm = headerOf(call.req, 'user-agent')?.startsWith('npm/') === true;
  if (query.get('format') === 'cli' && !isNpm) return ok(collaborators);
  return ok(Object.fromEntries(collaborators.map((one) => [one.user, one.permissions])));
}

function getOwners(call: NpmCall, { name = '' }: PathParameters): Answer {
  const [row] = requirePackages(call, name);
  const owners = call.registry.packages.store.maintainersOf(row.id);
  return ok(
    owners.map(({ username }) => ({ user: username, username, name: username, email: noReplyAddress(username) })),
  );
}

async function addOwner(call: NpmCall, { name = '' }: PathParameters): Promise<Answer> {
  const row = requirePackageFor(call, name, 'packages.unpublish');
  const { user } = await readDocument(call.req, ownerDocument, '"user" is missing from the body.');
  const { id } = namedUser(call, user);
  return setOwners(call, row.id, (owners) => [...owners, id]);
}

async function removeOwner(call: NpmCall, { name = '', user = '' }: PathParameters): Promise<Answer> {
  const row = requirePackageFor(call, name, 'packages.unpublish');
  const { id } = namedUser(call, user);
  return setOwners(call, row.id, (owners) => owners.filter((owner) => owner !== id));
}

/** The user that a client names, with an "@" in front or without. */
function namedUser(call: NpmCall, name: string): UserRecord {
  return requireUserNamed(call, name.replace(/^@/, ''));
}

type OwnersChange = (owners: readonly number[]) => readonly number[];

async function setOwners(call: NpmCall, packageId: number, change: OwnersChange): Promise<Answer> {
  const { editor, store } = call.registry.packages;
  const owners = store.maintainersOf(packageId).map(({ id }) => id);
  await editor.setMaintainers(packageId, [...new Set(change(owners))], actorOf(call));
  return ok({ ok: true });
}

function listTrust(call: NpmCall, { name = '' }: PathParameters): Answer {
  requireUser(call, 'read_packages');
  projectOf(call, name);
  return ok([]);
}

function refuseTrust(call: NpmCall, parameters: PathParameters): never {
  listTrust(call, parameters);
  throw new GatehouseError(
    'invalid_request',
    'This registry trusts no CI system by its identity. Give the CI a token instead: "npm token create", or "gatehouse token create" on the machine of the registry.',
  );
}

/** GET: the packages that a user maintains or published, as far as the caller may read them. */
function listOfUser(call: NpmCall, { user = '' }: PathParameters): Answer {
  requireUser(call, 'read_packages');
  const { id } = namedUser(call, user);
  const projectIds = readableProjectIds(call);
  const hidden = hiddenPackages(call, projectIds);
  const rows = call.registry.packages.catalog.namesOfUser(id, projectIds);
  return ok(
    permissionsIn(
      call,
      rows.filter(({ packageId }) => !hidden.has(packageId)),
      id,
    ),
  );
}

/** Permissions of a user by package. */
export function permissionsIn(
  { registry: { directory } }: NpmCall,
  rows: readonly { readonly name: string; readonly projectId: number }[],
  userId: number,
): Record<string, string> {
  const isAdmin = directory.index.users.get(userId)?.isAdmin === true;
  const levels = new Map<number, number>();
  for (const { projectId } of rows) {
    if (levels.has(projectId)) continue;
    levels.set(projectId, isAdmin ? accessLevels.admin : directory.projectLevel(userId, projectId));
  }
  return Object.fromEntries(rows.map(({ name, projectId }) => [name, permissionOf(levels.get(projectId) ?? 0)]));
}

/** The project of a package that the caller may read. */
function projectOf(call: NpmCall, name: string): Project {
  for (const row of requirePackages(call, name)) {
    const project = call.registry.directory.findProject(row.projectId);
    if (project && isAllowed(call, project, 'packages.read')) return project;
  }
  throw new GatehouseError('project_not_found');
}
