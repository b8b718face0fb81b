import { GatehouseError } from '../../../contract/errors.ts';
import { accessLevels } from '../../../contract/constants.ts';
import { authorizeGroup } from '../../../accounts/access/authorize.ts';
import type { NamespaceRecord } from '../../../accounts/records.ts';
import { shorten } from '../../../lib/printable.ts';
import { sendJson } from '../../respond.ts';
import { permissionOf } from './access-handlers.ts';
import { mayRead, requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { PathParameters, Service } from '../service-paths.ts';

/**
 * npm's organisations and teams (api/clients.md 5): an organisation is a group here, a team one of its subgroups. They can be read with
 * npm; who is in them is decided where everything about groups is.
 */
export const orgServices: readonly Service[] = [
  { path: 'org/:org/package', methods: { GET: listPackages } },
  { path: 'org/:org/user', methods: { GET: listMembers, PUT: refuseMembers, DELETE: refuseMembers } },
  { path: 'org/:org/team', methods: { GET: listTeams, PUT: refuseTeams } },
  { path: 'team/:org/:team', methods: { DELETE: refuseTeams } },
  { path: 'team/:org/:team/user', methods: { GET: listTeamMembers, PUT: refuseMembers, DELETE: refuseMembers } },
  { path: 'team/:org/:team/package', methods: { GET: listPackages, PUT: refuseGrants, DELETE: refuseGrants } },
];

function listPackages(context: NpmContext, parameters: PathParameters): void {
  const { user } = requireUser(context);
  const group = requireGroup(context, parameters);
  const { directory, packages } = context.registry;
  const projects = directory.projectsOfGroup(group.id, { subgroups: true }).filter(({ id }) => mayRead(context, id));
  const { rows } = packages.catalog.list({
    projectIds: projects.map(({ id }) => id),
    orderBy: 'name',
    direction: 'asc',
    offset: 0,
    limit: 100_000,
  });
  const listed = rows.map(({ name, projectId }) => {
    const level = user.isAdmin ? accessLevels.admin : directory.projectLevel(user.id, projectId);
    return [name, permissionOf(level)] as const;
  });
  sendJson(context.res, 200, Object.fromEntries(listed));
}

/** npm's roles are owner, admin and developer; who may only read is none of them, and is called what he is. */
function listMembers(context: NpmContext, parameters: PathParameters): void {
  requireUser(context);
  const grants = membersOf(context, requireGroup(context, parameters));
  sendJson(context.res, 200, Object.fromEntries(grants.map(({ username, level }) => [username, roleOf(level)])));
}

function listTeamMembers(context: NpmContext, parameters: PathParameters): void {
  requireUser(context);
  const grants = membersOf(context, requireGroup(context, parameters));
  sendJson(
    context.res,
    200,
    grants.map(({ username }) => username),
  );
}

function listTeams(context: NpmContext, parameters: PathParameters): void {
  requireUser(context);
  const group = requireGroup(context, parameters);
  const subgroups = [...context.registry.directory.index.namespaces.values()].filter(
    ({ kind, parentId }) => kind === 'group' && parentId === group.id,
  );
  const visible = subgroups.filter(({ id }) => isVisible(context, id));
  sendJson(context.res, 200, visible.map(({ path }) => `${group.fullPath}:${path}`).toSorted());
}

function membersOf({ registry }: NpmContext, group: NamespaceRecord): { username: string; level: number }[] {
  return registry.people.members.effective({ kind: 'group', id: group.id }).flatMap(({ userId, level }) => {
    const user = registry.directory.index.users.get(userId);
    return user ? [{ username: user.username, level }] : [];
  });
}

function roleOf(level: number): string {
  if (level >= accessLevels.owner) return 'owner';
  if (level >= accessLevels.maintainer) return 'admin';
  return level >= accessLevels.developer ? 'developer' : 'reader';
}

/** The group that a path names; not found for those who may not know of it. */
function requireGroup(context: NpmContext, { org = '', team }: PathParameters): NamespaceRecord {
  const scope = org.replace(/^@/, '');
  const path = team === undefined ? scope : `${scope}/${team}`;
  const { directory } = context.registry;
  // An organisation is named, never numbered.
  const group = /^\d+$/.test(path) ? undefined : directory.findGroup(path);
  if (group && isVisible(context, group.id)) return group;
  const what = team === undefined ? `organisation ${shorten(scope)}` : `team ${shorten(scope)}:${shorten(team)}`;
  throw new GatehouseError(
    'group_not_found',
    `There is no ${what} that you can see. An organisation is a group here, a team a subgroup of it; the Gatehouse window and GET /api/v4/groups show them.`,
    { gitlabMessage: 'Group not found' },
  );
}

function isVisible(context: NpmContext, groupId: number): boolean {
  try {
    authorizeGroup(context.registry.directory, context.principal, groupId, 'group.read');
    return true;
  } catch (error) {
    if (error instanceof GatehouseError && error.code !== 'insufficient_scope') return false;
    throw error;
  }
}

function refuseMembers(context: NpmContext): void {
  requireUser(context);
  throw elsewhere('Members of a group are changed in the Gatehouse window or with /api/v4/groups/:id/members.');
}

function refuseTeams(context: NpmContext): void {
  requireUser(context);
  throw elsewhere('A team is a subgroup here: make and delete it in the Gatehouse window or with /api/v4/groups.');
}

function refuseGrants(context: NpmContext): void {
  requireUser(context);
  throw elsewhere(
    'Access is given to projects, not to single packages: invite the group to the project in the Gatehouse window or with POST /api/v4/projects/:id/share.',
  );
}

function elsewhere(text: string): GatehouseError {
  return new GatehouseError('invalid_request', text);
}
