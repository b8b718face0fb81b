import { GatehouseError } from '../../../contract/errors.ts';
import { accessLevels } from '../../../contract/constants.ts';
import { authorizeGroup } from '../../../accounts/access/authorize.ts';
import type { NamespaceRecord } from '../../../accounts/records.ts';
import { shorten } from '../../../lib/printable.ts';
import type { AnswerOf } from '../../openapi/schemas.ts';
import { type Answer, ok } from '../../respond.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { mayRead, type NpmCall, type NpmRoute, refused, requireUser } from '../npm-call.ts';
import { permissionsIn } from './access-handlers.ts';

const memberAdvice = 'Members of a group are changed in the Gatehouse window or with /api/v4/groups/:id/members.';
const teamAdvice = 'A team is a subgroup here: make and delete it in the Gatehouse window or with /api/v4/groups.';
const grantAdvice =
  'Access is given to projects, not to single packages: invite the group to the project in the Gatehouse window or with POST /api/v4/projects/:id/share.';

/** npm's organisations and teams: an organisation is a group here, a team one of its subgroups. Read-only. */
export const orgRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/org/:org/package',
    GET: {
      handle: listPackages,
      summary: 'List the packages of an organisation',
      access: 'read',
      answers: { 200: 'Permissions' },
    },
  },
  {
    pattern: '/-/org/:org/user',
    GET: {
      handle: listMembers,
      summary: 'List the members of an organisation',
      access: 'read',
      answers: { 200: 'OrganisationRoles' },
    },
    PUT: refused('Add a member to an organisation', memberAdvice),
    DELETE: refused('Remove a member from an organisation', memberAdvice),
  },
  {
    pattern: '/-/org/:org/team',
    GET: {
      handle: listTeams,
      summary: 'List the teams of an organisation',
      access: 'read',
      answers: { 200: 'Names' },
    },
    PUT: refused('Create a team', teamAdvice),
  },
  { pattern: '/-/team/:org/:team', DELETE: refused('Delete a team', teamAdvice) },
  {
    pattern: '/-/team/:org/:team/user',
    GET: {
      handle: listTeamMembers,
      summary: 'List the members of a team',
      access: 'read',
      answers: { 200: 'Names' },
    },
    PUT: refused('Add a member to a team', memberAdvice),
    DELETE: refused('Remove a member from a team', memberAdvice),
  },
  {
    pattern: '/-/team/:org/:team/package',
    GET: {
      handle: listPackages,
      summary: 'List the packages of a team',
      access: 'read',
      answers: { 200: 'Permissions' },
    },
    PUT: refused('Give a team access to a package', grantAdvice),
    DELETE: refused('Take access to a package from a team', grantAdvice),
  },
];

function listPackages(call: NpmCall, parameters: PathParameters): Answer {
  const { user } = requireUser(call, 'read');
  const group = requireGroup(call, parameters);
  const { directory, packages } = call.registry;
  const projects = directory.projectsOfGroup(group.id, { subgroups: true }).filter(({ id }) => mayRead(call, id));
  const projectIds = projects.map(({ id }) => id);
  const { rows } = packages.catalog.list({ projectIds, orderBy: 'name', direction: 'asc', offset: 0, limit: 100_000 });
  return ok(permissionsIn(call, rows, user.id));
}

/** npm's roles are owner, admin and developer; it has no word for lower ones. */
function listMembers(call: NpmCall, parameters: PathParameters): Answer {
  const members = membersOf(call, parameters);
  return ok(Object.fromEntries(members.map(({ username, level }) => [username, roleOf(level)])));
}

function listTeamMembers(call: NpmCall, parameters: PathParameters): Answer {
  return ok(membersOf(call, parameters).map(({ username }) => username));
}

function listTeams(call: NpmCall, parameters: PathParameters): Answer {
  requireUser(call, 'read');
  const group = requireGroup(call, parameters);
  const teams = [...call.registry.directory.index.namespaces.values()].filter(
    ({ kind, parentId, id }) => kind === 'group' && parentId === group.id && isVisible(call, id),
  );
  return ok(teams.map(({ path }) => `${group.fullPath}:${path}`).toSorted());
}

function membersOf(call: NpmCall, parameters: PathParameters): { username: string; level: number }[] {
  requireUser(call, 'read');
  const { registry } = call;
  const { id } = requireGroup(call, parameters);
  return registry.people.members.effectiveFor(call.principal, { kind: 'group', id }).flatMap(({ userId, level }) => {
    const user = registry.directory.index.users.get(userId);
    return user ? [{ username: user.username, level }] : [];
  });
}

function roleOf(level: number): AnswerOf<'OrganisationRoles'>[string] {
  if (level >= accessLevels.owner) return 'owner';
  if (level >= accessLevels.maintainer) return 'admin';
  return level >= accessLevels.developer ? 'developer' : 'reader';
}

/** The group that a path names. @throws GatehouseError `group_not_found`, also where the caller may not see it. */
function requireGroup(call: NpmCall, { org = '', team }: PathParameters): NamespaceRecord {
  const scope = org.replace(/^@/, '');
  const path = team === undefined ? scope : `${scope}/${team}`;
  const { directory } = call.registry;
  // An organisation is named, never numbered.
  const group = /^\d+$/.test(path) ? undefined : directory.findGroup(path);
  if (group && isVisible(call, group.id)) return group;
  const what = team === undefined ? `organisation ${shorten(scope)}` : `team ${shorten(scope)}:${shorten(team)}`;
  throw new GatehouseError(
    'group_not_found',
    `There is no ${what} that you can see. An organisation is a group here, a team a subgroup of it; the Gatehouse window and GET /api/v4/groups show them.`,
    { gitlabMessage: 'Group not found' },
  );
}

function isVisible(call: NpmCall, groupId: number): boolean {
  try {
    authorizeGroup(call.registry.directory, call.principal, groupId, 'group.read');
    return true;
  } catch (error) {
    if (error instanceof GatehouseError && error.code !== 'insufficient_scope') return false;
    throw error;
  }
}
