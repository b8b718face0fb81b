import { visibilities } from '../../../contract/constants.ts';
import { levelInProject } from '../../../accounts/access/authorize.ts';
import type { ProjectRecord } from '../../../accounts/records.ts';
import { type Answer, ok } from '../../respond.ts';
import { type GitlabCall, pageOf, read } from '../call.ts';
import { linkTo, matchesText, readPage, sorted } from '../lists.ts';
import { boolean, choice, type Declaration, integer, text } from '../params.ts';
import { presentProject, seesProject, simpleProject } from '../present-directory.ts';

/** Filters of a list of projects. */
export const listing = {
  simple: boolean(),
  membership: boolean(),
  owned: boolean(),
  search: text(),
  search_namespaces: boolean(),
  visibility: choice(visibilities),
  min_access_level: integer(),
  archived: boolean(),
  order_by: choice(['id', 'name', 'path', 'created_at', 'updated_at', 'last_activity_at', 'similarity']),
  sort: choice(['asc', 'desc']),
  pagination: choice(['keyset', 'legacy']),
  id_after: integer(),
  id_before: integer(),
} satisfies Declaration;

/** Those of some projects that the caller may see, filtered, ordered and paged as GitLab does. */
export function listProjects(call: GitlabCall, projects: readonly ProjectRecord[]): Answer {
  const filter = read(call, listing);
  const { principal } = call;
  const { directory } = call.registry;
  const levelIn = (project: ProjectRecord) => levelInProject(directory, principal, project);
  const least = Math.max(filter.min_access_level ?? 0, filter.owned ? 50 : 0, filter.membership ? 10 : 0);
  const found = projects
    .filter((project) => seesProject(call, project))
    .filter((project) =>
      matchesText(filter.search, project.name, project.path, filter.search_namespaces ? project.fullPath : ''),
    )
    .filter((project) => !filter.visibility || project.visibility === filter.visibility)
    .filter((project) => filter.archived !== true || project.id < 0)
    .filter((project) => levelIn(project) >= least)
    .filter((project) => typeof filter.id_after !== 'number' || project.id > filter.id_after)
    .filter((project) => typeof filter.id_before !== 'number' || project.id < filter.id_before);
  const order = filter.order_by ?? 'created_at';
  const direction = filter.sort ?? (order === 'name' || order === 'path' ? 'asc' : 'desc');
  const rows = sorted(found, order, direction);
  const present = (project: ProjectRecord) =>
    filter.simple ? simpleProject(call, project) : presentProject(call, project);
  if (filter.pagination === 'keyset' && order === 'id') return keysetPage(call, rows, direction, present);
  return pageOf(call, rows, present);
}

/** A page that is continued by the last id instead of a number; a new row can't shift it. */
function keysetPage(
  call: GitlabCall,
  rows: readonly ProjectRecord[],
  direction: 'asc' | 'desc',
  present: (project: ProjectRecord) => unknown,
): Answer {
  const { perPage } = readPage(call.parameters());
  const page = rows.slice(0, perPage);
  const last = page.at(-1);
  const headers: Record<string, string> = {};
  if (last && rows.length > perPage) {
    headers['Link'] = linkTo(call, { [direction === 'asc' ? 'id_after' : 'id_before']: String(last.id) }, 'next');
  }
  return ok(page.map(present), headers);
}
