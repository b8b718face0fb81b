import { z } from 'zod';
import { GatehouseError } from '../../../contract/errors.ts';
import { accessLevels } from '../../../contract/constants.ts';
import type { Project } from '../../../accounts/access/principal.ts';
import { readJson } from '../../request-body.ts';
import { headerOf, queryOf, sendJson } from '../../respond.ts';
import { actorOf, isAllowed, requirePackageFor, requirePackages, requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import { readableProjectIds } from '../npm-scope.ts';
import { requireUserId } from './people-documents.ts';
import type { PathParameters, Service } from '../service-paths.ts';

/** Who may do what with packages, below `/-/package/<name>/`, in the dialects of npm and pnpm (api/clients.md 5). */
export const packageFacets: readonly Service[] = [
  { path: 'visibility', methods: { GET: getVisibility } },
  { path: 'access', methods: { GET: getAccess, POST: setAccess } },
  { path: 'collaborators', methods: { GET: getCollaborators } },
  { path: 'owners', methods: { GET: getOwners, PUT: addOwner } },
  { path: 'owners/:user', methods: { DELETE: removeOwner } },
  { path: 'trust', methods: { GET: listTrust, POST: refuseTrust } },
  { path: 'trust/:id', methods: { DELETE: refuseTrust, GET: refuseTrust } },
];

export const accessServices: readonly Service[] = [
  { path: 'user/:user/package', methods: { GET: listOfUser } },
  // pnpm asks for one's own packages with an empty name.
  { path: '-/package', methods: { GET: listOwn } },
];

/** What a caller may do, in npm's words. */
export type Permission = 'read-write' | 'read-only';

/** Permission of a level of access in a project. */
export function permissionOf(level: number): Permission {
  return level >= accessLevels.developer ? 'read-write' : 'read-only';
}

function getVisibility(context: NpmContext, { name = '' }: PathParameters): void {
  sendJson(context.res, 200, { public: projectOf(context, name).visibility === 'public' });
}

function getAccess(context: NpmContext, { name = '' }: PathParameters): void {
  const { visibility } = projectOf(context, name);
  sendJson(context.res, 200, {
    access: visibility === 'public' ? 'public' : 'restricted',
    public: visibility === 'public',
    publish_requires_tfa: false,
    automation_token_overrides_tfa: false,
  });
}

const accessDocument = z.object({
  access: z.string().nullish(),
  publish_requires_tfa: z.boolean().nullish(),
});

/** POST: what is so already is agreed to; for the rest the text says where it is decided here. */
async function setAccess(context: NpmContext, { name = '' }: PathParameters): Promise<void> {
  requireUser(context);
  const parsed = accessDocument.safeParse(await readJson(context.req));
  if (!parsed.success) throw new GatehouseError('invalid_request', 'The body must be a JSON object with "access".');
  const { access, publish_requires_tfa: needsSecondFactor } = parsed.data;
  const row = requirePackageFor(context, name, 'packages.unpublish');
  const project = context.registry.directory.findProject(row.projectId);
  if (needsSecondFactor === true) {
    throw new GatehouseError(
      'invalid_request',
      'There is no two-factor authentication here. Who may publish is decided by roles; see the members of the project.',
    );
  }
  const isPublic = project?.visibility === 'public';
  if (access != null && (access === 'public') !== isPublic) {
    throw new GatehouseError(
      'invalid_request',
      `Whether ${name} is public is decided by its project ${project?.fullPath ?? ''}, which is ${project?.visibility ?? 'private'} and so are all packages in it. Change the project in the Gatehouse window or with PUT /api/v4/projects/${row.projectId} {"visibility": "${access === 'public' ? 'public' : 'private'}"}, or publish to another project.`,
    );
  }
  sendJson(context.res, 200, { ok: true });
}

/** GET: everybody with a role in the project. npm wants an object, pnpm (with `format=cli`) a list. */
function getCollaborators(context: NpmContext, { name = '' }: PathParameters): void {
  requireUser(context);
  const query = queryOf(context.req);
  const wanted = query.get('user')?.replace(/^@/, '').toLowerCase();
  const { directory, people } = context.registry;
  const collaborators = people.members
    .effective({ kind: 'project', id: projectOf(context, name).id })
    .flatMap((grant) => {
      const user = directory.index.users.get(grant.userId);
      return user && (wanted === undefined || user.username.toLowerCase() === wanted)
        ? [{ user: user.username, email: user.email, permissions: permissionOf(grant.level) }]
        : [];
    });
  const isNpm = headerOf(context.req, 'user-agent')?.startsWith('npm/') === true;
  if (query.get('format') === 'cli' && !isNpm) sendJson(context.res, 200, collaborators);
  else sendJson(context.res, 200, Object.fromEntries(collaborators.map((one) => [one.user, one.permissions])));
}

function getOwners(context: NpmContext, { name = '' }: PathParameters): void {
  const [row] = requirePackages(context, name);
  const owners = context.registry.packages.store.maintainersOf(row.id);
  sendJson(
    context.res,
    200,
    owners.map(({ username, email }) => ({ user: username, username, name: username, email })),
  );
}

const ownerDocument = z.object({ user: z.string().max(255) });

async function addOwner(context: NpmContext, { name = '' }: PathParameters): Promise<void> {
  const row = requirePackageFor(context, name, 'packages.unpublish');
  const parsed = ownerDocument.safeParse(await readJson(context.req));
  if (!parsed.success) throw new GatehouseError('invalid_request', '"user" is missing from the body.');
  const userId = requireUserId(context, parsed.data.user.replace(/^@/, ''));
  await setOwners(context, row.id, (owners) => [...owners, userId]);
}

async function removeOwner(context: NpmContext, { name = '', user = '' }: PathParameters): Promise<void> {
  const row = requirePackageFor(context, name, 'packages.unpublish');
  const userId = requireUserId(context, user.replace(/^@/, ''));
  await setOwners(context, row.id, (owners) => owners.filter((id) => id !== userId));
}

async function setOwners(
  context: NpmContext,
  packageId: number,
  change: (owners: readonly number[]) => readonly number[],
): Promise<void> {
  const { editor, store } = context.registry.packages;
  const owners = store.maintainersOf(packageId).map(({ id }) => id);
  await editor.setMaintainers(packageId, [...new Set(change(owners))], actorOf(context));
  sendJson(context.res, 200, { ok: true });
}

function listTrust(context: NpmContext, { name = '' }: PathParameters): void {
  requireUser(context);
  projectOf(context, name);
  sendJson(context.res, 200, []);
}

function refuseTrust(context: NpmContext, { name = '' }: PathParameters): void {
  requireUser(context);
  projectOf(context, name);
  throw new GatehouseError(
    'invalid_request',
    'This registry trusts no CI system by its identity. Give the CI a token instead: "npm token create", or "gatehouse token create" on the machine of the registry.',
  );
}

function listOwn(context: NpmContext): void {
  const { user } = requireUser(context);
  listOfUser(context, { user: user.username });
}

/** GET `/-/user/<name>/package`: the packages that somebody looks after or published, as far as the caller may read them. */
function listOfUser(context: NpmContext, { user = '' }: PathParameters): void {
  requireUser(context);
  const userId = requireUserId(context, user.replace(/^@/, ''));
  const { directory, packages } = context.registry;
  const account = directory.index.users.get(userId);
  const rows = packages.catalog.namesOfUser(userId, readableProjectIds(context));
  const listed = rows.map(({ name, projectId }) => {
    const level = account?.isAdmin ? accessLevels.admin : directory.projectLevel(userId, projectId);
    return [name, permissionOf(level)] as const;
  });
  sendJson(context.res, 200, Object.fromEntries(listed));
}

/** The project of a package that the caller may read. */
function projectOf(context: NpmContext, name: string): Project {
  for (const row of requirePackages(context, name)) {
    const project = context.registry.directory.findProject(row.projectId);
    if (project && isAllowed(context, project, 'packages.read')) return project;
  }
  throw new GatehouseError('project_not_found');
}
