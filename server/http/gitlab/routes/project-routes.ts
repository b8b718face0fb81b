import { visibilities } from '../../../contract/constants.ts';
import { authorizeGroup, authorizeInstance } from '../../../accounts/access/authorize.ts';
import { groupAndAncestors } from '../../../accounts/access/effective-access.ts';
import type { Account } from '../../../accounts/access/principal.ts';
import { pathFromName } from '../../../accounts/naming.ts';
import { type Answer, created, ok } from '../../respond.ts';
import { requireUnmodified } from '../../preconditions.ts';
import { accepted, type GitlabCall, type GitlabRoute, type Handler, idOf, pageOf, projectOf, read } from '../call.ts';
import { matchesText } from '../lists.ts';
import { atLeastOneOf, boolean, choice, type Declaration, given, integer, text } from '../params.ts';
import { basicGroup, basicUser, fullProject, presentProject } from '../present-directory.ts';
import { listing, listProjects } from './project-lists.ts';
import { seesGroup } from '../../visibility.ts';

const newProject = {
  naming: atLeastOneOf('name', 'path'),
  name: text(),
  path: text(),
  namespace_id: integer(),
  description: text(),
  visibility: choice(visibilities),
} satisfies Declaration;

const changes = {
  name: text(),
  path: text(),
  description: text(),
  visibility: choice(visibilities),
} satisfies Declaration;

const search = { search: text() } satisfies Declaration;

const groupFilter = { ...search, with_shared: boolean(), shared_min_access_level: integer() } satisfies Declaration;

const createProject: Handler = (call) => {
  const { user } = authorizeInstance(call.principal, 'create');
  return createProjectOf(call, user);
};

/** For administrators: a project in the personal namespace of another user. */
const createProjectForUser: Handler = (call) => {
  authorizeInstance(call.principal, 'administrate');
  return createProjectOf(call, call.registry.people.users.get(idOf(call, 'user_id')));
};

async function createProjectOf(call: GitlabCall, user: Account): Promise<Answer> {
  const input = read(call, newProject);
  const { directory, projects } = call.registry.people;
  const personal = directory.store.namespaces.findPersonal(user.id);
  const namespaceId = input.namespace_id ?? personal?.id ?? 0;
  if (namespaceId !== personal?.id) {
    const namespace = directory.store.namespaces.find(namespaceId);
    if (namespace?.kind === 'user') authorizeInstance(call.principal, 'administrate');
    else authorizeGroup(directory, call.principal, namespaceId, 'group.create_project');
  }
  const name = input.name ?? input.path ?? '';
  const project = await projects.create(call.actor, {
    name,
    path: input.path ?? pathFromName(name),
    namespaceId,
    description: input.description ?? '',
    visibility: input.visibility ?? 'private',
  });
  return created(fullProject(call, project));
}

const updateProject: Handler = async (call) => {
  const project = projectOf(call, 'project.update');
  const input = read(call, changes);
  // Visibility and path are for the owners to change.
  const ownersOnly =
    (input.visibility && input.visibility !== project.visibility) || (input.path && input.path !== project.path);
  if (ownersOnly) projectOf(call, 'project.delete');
  const after = await call.registry.people.projects.update(call.actor, project.id, given(input));
  return ok(fullProject(call, after));
};

/** The groups that a project lives in, and with `with_shared` those that are invited to it. */
const listGroups: Handler = (call) => {
  const project = projectOf(call, 'project.read_members');
  const filter = read(call, groupFilter);
  const { directory, shares } = call.registry.people;
  const { index } = directory;
  const namespace = index.namespaceOf(project.id);
  const above = namespace?.kind === 'group' ? groupAndAncestors(index, namespace.id) : [];
  const invited = filter.with_shared
    ? shares
        .of({ kind: 'project', id: project.id })
        .filter((share) => share.level >= (filter.shared_min_access_level ?? 0))
        .map((share) => share.groupId)
    : [];
  const groups = [...new Set([...above, ...invited])]
    .flatMap((id) => index.namespaces.get(id) ?? [])
    .filter((group) => seesGroup(call, group) && matchesText(filter.search, group.name, group.fullPath))
    .toSorted((a, b) => a.id - b.id);
  return pageOf(call, groups, (group) => basicGroup(call, group));
};

const deleteProject: Handler = async (call) => {
  const project = projectOf(call, 'project.delete');
  requireUnmodified(call.req, project.updatedAt);
  await call.registry.people.projects.delete(call.actor, project.id);
  return accepted;
};

const listUsers: Handler = (call) => {
  const { id } = projectOf(call, 'project.read_members');
  const { search: wanted } = read(call, search);
  const { directory, members } = call.registry.people;
  const users = members
    .effectiveFor(call.principal, { kind: 'project', id })
    .flatMap((grant) => directory.index.users.get(grant.userId) ?? [])
    .filter((user) => matchesText(wanted, user.username, user.name));
  return pageOf(call, users, (user) => basicUser(call, user));
};

const listInvitedGroups: Handler = (call) => {
  const { id } = projectOf(call, 'project.read_members');
  const { search: wanted } = read(call, search);
  const { directory, shares } = call.registry.people;
  const groups = shares
    .of({ kind: 'project', id })
    .flatMap((share) => directory.index.namespaces.get(share.groupId) ?? [])
    .filter((group) => seesGroup(call, group) && matchesText(wanted, group.name, group.fullPath));
  return pageOf(call, groups, (group) => basicGroup(call, group));
};

/** Projects. */
export const projectRoutes: readonly GitlabRoute[] = [
  {
    pattern: '/projects',
    GET: {
      handle: (call) => {
        if (call.principal.kind === 'user') authorizeInstance(call.principal, 'read');
        return listProjects(call, call.registry.directory.allProjects());
      },
      summary: 'List projects',
      description:
        'Those that the caller can see. With `pagination=keyset` and `order_by=id` pages follow each other by id.',
      access: 'project.read',
      parameters: listing,
      paged: true,
      answers: { 200: 'Project[]' },
    },
    POST: {
      handle: createProject,
      summary: 'Create a project',
      description:
        'In the personal namespace of the caller unless `namespace_id` names another, where it takes the Developer role.',
      access: 'create',
      parameters: newProject,
      answers: { 201: 'FullProject' },
      errors: [409],
    },
  },
  {
    pattern: '/projects/user/:user_id',
    POST: {
      handle: createProjectForUser,
      summary: 'Create a project for a user',
      access: 'administrate',
      parameters: newProject,
      answers: { 201: 'FullProject' },
      errors: [409],
    },
  },
  {
    pattern: '/projects/:id',
    GET: {
      handle: (call) => ok(presentProject(call, projectOf(call, 'project.read'))),
      summary: 'Show a project',
      access: 'project.read',
      answers: { 200: 'Project' },
    },
    PUT: {
      handle: updateProject,
      summary: 'Change a project',
      description: 'Visibility and path are changed by its owners only.',
      access: 'project.update',
      parameters: changes,
      answers: { 200: 'FullProject' },
      errors: [409],
    },
    DELETE: {
      handle: deleteProject,
      summary: 'Delete a project',
      access: 'project.delete',
      answers: { 202: 'Message' },
      errors: [409, 412],
    },
  },
  {
    pattern: '/projects/:id/users',
    GET: {
      handle: listUsers,
      summary: 'List the users of a project',
      access: 'project.read_members',
      parameters: search,
      paged: true,
      answers: { 200: 'BasicUser[]' },
    },
  },
  {
    pattern: '/projects/:id/groups',
    GET: {
      handle: listGroups,
      summary: 'List the groups above a project',
      description: 'With `with_shared` also those that are invited to it.',
      access: 'project.read_members',
      parameters: groupFilter,
      paged: true,
      answers: { 200: 'Group[]' },
    },
  },
  {
    pattern: '/projects/:id/invited_groups',
    GET: {
      handle: listInvitedGroups,
      summary: 'List the groups that are invited to a project',
      access: 'project.read_members',
      parameters: search,
      paged: true,
      answers: { 200: 'Group[]' },
    },
  },
];
