import { GatehouseError } from '../../../contract/errors.ts';
import { visibilities } from '../../../contract/constants.ts';
import { authorizeGroup, authorizeInstance, levelInGroup } from '../../../accounts/access/authorize.ts';
import type { NamespaceRecord, ProjectRecord } from '../../../accounts/records.ts';
import { type Answer, created, ok } from '../../respond.ts';
import { requireUnmodified } from '../../preconditions.ts';
import { accepted, type GitlabCall, type GitlabRoute, groupOf, type Handler, pageOf, read } from '../call.ts';
import { matchesText, sorted } from '../lists.ts';
import { boolean, choice, type Declaration, given, integer, integers, text } from '../params.ts';
import { basicGroup, detailedGroup, presentProject, seesProject } from '../present-directory.ts';
import { listing as projectListing, listProjects } from './project-lists.ts';
import { seesGroup } from '../../visibility.ts';

const listing = {
  search: text(),
  owned: boolean(),
  top_level_only: boolean(),
  min_access_level: integer(),
  all_available: boolean(),
  skip_groups: integers(),
  visibility: choice(visibilities),
  order_by: choice(['name', 'path', 'id', 'similarity']),
  sort: choice(['asc', 'desc']),
} satisfies Declaration;

const newGroup = {
  name: text({ required: true }),
  path: text({ required: true }),
  parent_id: integer(),
  description: text(),
  visibility: choice(visibilities),
} satisfies Declaration;

const changes = {
  name: text(),
  path: text(),
  description: text(),
  visibility: choice(visibilities),
} satisfies Declaration;

const detail = { with_projects: boolean() } satisfies Declaration;
const projectFilter = { include_subgroups: boolean(), with_shared: boolean() } satisfies Declaration;

function listGroups(call: GitlabCall, groups: readonly NamespaceRecord[]): Answer {
  const filter = read(call, listing);
  const { directory } = call.registry;
  const { principal } = call;
  const levelIn = (group: NamespaceRecord) => levelInGroup(directory, principal, group);
  const least = Math.max(filter.min_access_level ?? 0, filter.owned ? 50 : 0, filter.all_available === false ? 10 : 0);
  const skipped = new Set(filter.skip_groups);
  const found = groups
    .filter((group) => seesGroup(call, group))
    .filter((group) => matchesText(filter.search, group.name, group.fullPath))
    .filter((group) => filter.top_level_only !== true || group.parentId === null)
    .filter((group) => !filter.visibility || group.visibility === filter.visibility)
    .filter((group) => !skipped.has(group.id))
    .filter((group) => levelIn(group) >= least);
  const rows = sorted(found, filter.order_by ?? 'name', filter.sort ?? 'asc');
  return pageOf(call, rows, (group) => basicGroup(call, group));
}

const createGroup: Handler = async (call) => {
  authorizeInstance(call.principal, 'create');
  const input = read(call, newGroup);
  const { directory, groups } = call.registry.people;
  if (typeof input.parent_id === 'number') {
    authorizeGroup(directory, call.principal, input.parent_id, 'group.create_subgroup');
  }
  const group = await groups
    .create(call.actor, {
      name: input.name ?? '',
      path: input.path ?? '',
      parentId: input.parent_id ?? null,
      description: input.description ?? '',
      visibility: input.visibility ?? 'private',
    })
    .catch((error: unknown) => {
      throw asSaveFailure(error);
    });
  return created(detailedGroup(call, group));
};

function projectsSharedWith(call: GitlabCall, group: NamespaceRecord): ProjectRecord[] {
  const { directory } = call.registry;
  return directory
    .allProjects()
    .filter(({ id }) => directory.index.sharesOf({ kind: 'project', id }).some((share) => share.groupId === group.id));
}

/** GitLab writes complaints about a new group as a Ruby hash within a text. */
function asSaveFailure(error: unknown): unknown {
  if (!(error instanceof GatehouseError) || !error.details.fields) return error;
  const fields = Object.entries(error.details.fields).map(
    ([field, complaints]) => `:${field}=>[${complaints.map((complaint) => JSON.stringify(complaint)).join(', ')}]`,
  );
  const text = `Failed to save group {${fields.join(', ')}}`;
  return new GatehouseError('invalid_request', error.message, { gitlabMessage: text });
}

const updateGroup: Handler = async (call) => {
  const group = groupOf(call, 'group.update');
  const input = read(call, changes);
  const after = await call.registry.people.groups.update(call.actor, group.id, given(input));
  return ok(detailedGroup(call, after));
};

const getGroup: Handler = (call) => {
  const group = groupOf(call, 'group.read');
  const { with_projects: withProjects } = read(call, detail);
  if (withProjects === false) return ok(detailedGroup(call, group));
  const projects = call.registry.directory
    .projectsOfGroup(group.id, { subgroups: false })
    .filter((project) => seesProject(call, project))
    .slice(0, 100);
  return ok({
    ...detailedGroup(call, group),
    projects: projects.map((project) => presentProject(call, project)),
  });
};

const deleteGroup: Handler = async (call) => {
  const group = groupOf(call, 'group.delete');
  requireUnmodified(call.req, group.updatedAt);
  await call.registry.people.groups.delete(call.actor, group.id);
  return accepted;
};

const listProjectsOfGroup: Handler = (call) => {
  const group = groupOf(call, 'group.read');
  const { include_subgroups: subgroups, with_shared: withShared } = read(call, projectFilter);
  const own = call.registry.directory.projectsOfGroup(group.id, { subgroups: subgroups ?? false });
  const shared = withShared === false ? [] : projectsSharedWith(call, group);
  return listProjects(call, [...new Set([...own, ...shared])]);
};

/** Groups and what is below them. */
export const groupRoutes: readonly GitlabRoute[] = [
  {
    pattern: '/groups',
    GET: {
      handle: (call) => {
        if (call.principal.kind === 'user') authorizeInstance(call.principal, 'read');
        return listGroups(call, call.registry.people.groups.all());
      },
      summary: 'List groups',
      description: 'Those that the caller can see.',
      access: 'group.read',
      parameters: listing,
      paged: true,
      answers: { 200: 'Group[]' },
    },
    POST: {
      handle: createGroup,
      summary: 'Create a group',
      description: 'With `parent_id` a subgroup, which takes the Maintainer role in that group.',
      access: 'create',
      parameters: newGroup,
      answers: { 201: 'GroupDetail' },
      errors: [409],
    },
  },
  {
    pattern: '/groups/:id',
    GET: {
      handle: getGroup,
      summary: 'Show a group',
      access: 'group.read',
      parameters: detail,
      answers: { 200: 'GroupDetail' },
    },
    PUT: {
      handle: updateGroup,
      summary: 'Change a group',
      access: 'group.update',
      parameters: changes,
      answers: { 200: 'GroupDetail' },
      errors: [409],
    },
    DELETE: {
      handle: deleteGroup,
      summary: 'Delete a group with its subgroups and projects',
      access: 'group.delete',
      answers: { 202: 'Message' },
      errors: [409, 412],
    },
  },
  {
    pattern: '/groups/:id/subgroups',
    GET: {
      handle: (call) => listGroups(call, call.registry.people.groups.subgroups(groupOf(call, 'group.read').id)),
      summary: 'List the subgroups of a group',
      access: 'group.read',
      parameters: listing,
      paged: true,
      answers: { 200: 'Group[]' },
    },
  },
  {
    pattern: '/groups/:id/descendant_groups',
    GET: {
      handle: (call) => listGroups(call, call.registry.people.groups.descendants(groupOf(call, 'group.read').id)),
      summary: 'List all groups below a group',
      access: 'group.read',
      parameters: listing,
      paged: true,
      answers: { 200: 'Group[]' },
    },
  },
  {
    pattern: '/groups/:id/projects',
    GET: {
      handle: listProjectsOfGroup,
      summary: 'List the projects of a group',
      access: 'group.read',
      parameters: { ...projectFilter, ...projectListing },
      paged: true,
      answers: { 200: 'Project[]' },
    },
  },
  {
    pattern: '/groups/:id/projects/shared',
    GET: {
      handle: (call) => listProjects(call, projectsSharedWith(call, groupOf(call, 'group.read'))),
      summary: 'List the projects that a group is invited to',
      access: 'group.read',
      parameters: projectListing,
      paged: true,
      answers: { 200: 'Project[]' },
    },
  },
];
