import { GatehouseError } from '../../contract/errors.ts';
import type { Project } from '../../accounts/access/principal.ts';
import { requireProject, mayRead, projectIdsOfGroup } from './npm-context.ts';
import type { NpmContext } from './npm-context.ts';

/**
 * Ids of the projects below the prefix whose packages the caller may read. Empty only for somebody who is signed in.
 * @throws GatehouseError `unauthenticated` (nothing is open to callers without a token), `project_not_found`, `group_not_found`,
 * `insufficient_scope`.
 */
export function readableProjectIds(context: NpmContext): readonly number[] {
  const ids = readableProjects(context).map((project) => project.id);
  if (ids.length === 0 && context.principal.kind === 'anonymous') throw new GatehouseError('unauthenticated');
  return ids;
}

/** As `readableProjectIds`, as projects. */
export function readableProjects(context: NpmContext): Project[] {
  const { prefix, registry } = context;
  if (prefix.kind === 'project') return [requireProject(context, 'packages.read')];
  const within = prefix.kind === 'group' ? projectIdsOfGroup(context, prefix.reference) : undefined;
  return registry.directory
    .allProjects()
    .filter((project) => (within === undefined || within.has(project.id)) && mayRead(context, project.id));
}

/** The place that a prefix names, if the caller may know of it. @throws as `readableProjectIds`. */
export function requirePrefix(context: NpmContext): void {
  if (context.prefix.kind === 'project') requireProject(context, 'packages.read');
  else if (context.prefix.kind === 'group') projectIdsOfGroup(context, context.prefix.reference);
}
