import { GatehouseError } from '../../../contract/errors.ts';
import type { ProjectRecord } from '../../../accounts/records.ts';
import { type ListedVersion, type VersionOrder, versionOrders } from '../../../registry/packuments/version-list.ts';
import { type Answer, noContent, ok } from '../../respond.ts';
import { requireUnmodified } from '../../preconditions.ts';
import { type GitlabCall, type GitlabRoute, groupOf, idOf, may, pageOf, projectOf, read } from '../call.ts';
import { pageHeaders, readPage } from '../lists.ts';
import { boolean, choice, type Declaration, text, type Values } from '../params.ts';
import { presentFile, presentPackage, presentSibling } from '../present-packages.ts';

/** Types of packages that GitLab knows; only npm's are here. */
const packageTypes = [
  'composer',
  'conan',
  'debian',
  'generic',
  'golang',
  'helm',
  'maven',
  'ml_model',
  'npm',
  'nuget',
  'pypi',
  'rubygems',
  'rpm',
  'terraform_module',
] as const;
const statuses = ['default', 'hidden', 'processing', 'error', 'pending_destruction', 'deprecated'] as const;
const projectOrders = versionOrders.filter((order) => order !== 'project_path');

const filters = {
  sort: choice(['asc', 'desc']),
  package_type: choice(packageTypes),
  package_name: text(),
  package_version: text(),
  include_versionless: boolean(),
  status: choice(statuses),
} satisfies Declaration;

const ofProject = { order_by: choice(projectOrders), ...filters } satisfies Declaration;
const ofGroup = { order_by: choice(versionOrders), exclude_subgroups: boolean(), ...filters } satisfies Declaration;

const item = '/projects/:id/packages/:package_id';

/** GitLab's generic Packages API. A package there is one version; its id is that of the version. */
export const packageRoutes: readonly GitlabRoute[] = [
  {
    pattern: '/projects/:id/packages',
    GET: {
      handle: listOfProject,
      summary: 'List the packages of a project',
      description: 'One entry for each version.',
      access: 'packages.read',
      parameters: ofProject,
      paged: true,
      answers: { 200: 'Package[]' },
    },
  },
  {
    pattern: '/groups/:id/packages',
    GET: {
      handle: listOfGroup,
      summary: 'List the packages of a group',
      description: 'One entry for each version, of the projects that the caller can read.',
      access: 'group.read',
      parameters: ofGroup,
      paged: true,
      answers: { 200: 'Package[]' },
    },
  },
  {
    pattern: item,
    GET: {
      handle: getPackage,
      summary: 'Show a package',
      access: 'packages.read',
      answers: { 200: 'PackageDetail' },
    },
    DELETE: {
      handle: deletePackage,
      summary: 'Delete a package',
      description: 'That one version of it.',
      access: 'packages.delete',
      answers: { 204: 'nothing' },
      errors: [409, 412],
    },
  },
  {
    pattern: `${item}/package_files`,
    GET: {
      handle: listFiles,
      summary: 'List the files of a package',
      description: 'Always one: the tarball.',
      access: 'packages.read',
      paged: true,
      answers: { 200: 'PackageFile[]' },
    },
  },
  {
    pattern: `${item}/package_files/:package_file_id`,
    DELETE: {
      handle: deleteFile,
      summary: 'Delete the file of a package',
      description: 'The version goes with it.',
      access: 'packages.delete',
      answers: { 204: 'nothing' },
      errors: [409, 412],
    },
  },
  {
    pattern: `${item}/pipelines`,
    GET: {
      handle: listPipelines,
      summary: 'List the pipelines of a package',
      description: 'Always none.',
      access: 'packages.read',
      answers: { 200: 'Pipeline[]' },
    },
  },
];

function listOfProject(call: GitlabCall): Answer {
  const project = projectOf(call, 'packages.read');
  return list(call, [project], read(call, ofProject), false);
}

function listOfGroup(call: GitlabCall): Answer {
  const group = groupOf(call, 'group.read');
  const wanted = read(call, ofGroup);
  const projects = call.registry.directory
    .projectsOfGroup(group.id, { subgroups: wanted.exclude_subgroups !== true })
    .filter((project) => may(call, project, 'packages.read'));
  return list(call, projects, wanted, true);
}

function list(
  call: GitlabCall,
  projects: readonly ProjectRecord[],
  wanted: Values<typeof filters> & { readonly order_by: VersionOrder | null | undefined },
  isOfGroup: boolean,
): Answer {
  const page = readPage(call.parameters());
  const status = wanted.status ?? undefined;
  const isEmpty =
    (wanted.package_type != null && wanted.package_type !== 'npm') ||
    // Whatever is here is published, or deprecated; versions are never half there.
    (status !== undefined && status !== 'default' && status !== 'deprecated');
  const { total, rows } = isEmpty
    ? { total: 0, rows: [] }
    : call.registry.packages.versionList.list({
        projectIds: projects.map(({ id }) => id),
        name: blankAsNone(wanted.package_name),
        version: blankAsNone(wanted.package_version),
        deprecated: status === undefined ? undefined : status === 'deprecated',
        orderBy: wanted.order_by ?? 'created_at',
        direction: wanted.sort ?? 'asc',
        offset: page.offset,
        limit: page.perPage,
      });
  const byId = new Map(projects.map((project) => [project.id, project]));
  const body = rows.flatMap((row) => {
    const project = byId.get(row.projectId);
    return project ? [presentPackage(call, row, project, isOfGroup)] : [];
  });
  return ok(body, pageHeaders(call, page, total));
}

function getPackage(call: GitlabCall): Answer {
  const project = projectOf(call, 'packages.read');
  const row = versionOf(call, project);
  const { store, versionList } = call.registry.packages;
  const tags = store.tagsOf(row.packageId);
  const others = versionList
    .ofPackage(row.packageId)
    .filter(({ id }) => id !== row.id)
    .map((other) => presentSibling(other, tags));
  return ok({ ...presentPackage(call, row, project, false), versions: others });
}

async function deletePackage(call: GitlabCall): Promise<Answer> {
  const project = projectOf(call, 'packages.delete');
  await deleteVersion(call, versionOf(call, project));
  return noContent;
}

function listFiles(call: GitlabCall): Answer {
  const row = versionOf(call, projectOf(call, 'packages.read'));
  return pageOf(call, [row], presentFile);
}

/** DELETE of the one file that a version has: without it there is no version. */
async function deleteFile(call: GitlabCall): Promise<Answer> {
  const row = versionOf(call, projectOf(call, 'packages.delete'));
  if (idOf(call, 'package_file_id') !== row.id) throw new GatehouseError('not_found');
  await deleteVersion(call, row);
  return noContent;
}

/** Nothing here is built by a pipeline. */
function listPipelines(call: GitlabCall): Answer {
  versionOf(call, projectOf(call, 'packages.read'));
  return ok([]);
}

async function deleteVersion(call: GitlabCall, row: ListedVersion): Promise<void> {
  requireUnmodified(call.req, call.registry.packages.store.getPackage(row.packageId)?.updatedAt ?? row.publishedAt);
  await call.registry.packages.unpublisher.unpublishVersion(row.packageId, row.version, call.actor);
}

/** The version that a path names, in this very project. @throws GatehouseError `not_found`. */
function versionOf(call: GitlabCall, project: ProjectRecord): ListedVersion {
  const row = call.registry.packages.versionList.find(idOf(call, 'package_id'));
  if (row?.projectId !== project.id) throw new GatehouseError('not_found');
  return row;
}

function blankAsNone(value: string | null | undefined): string | undefined {
  return value === null || value === '' ? undefined : value;
}
