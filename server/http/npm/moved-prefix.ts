import { GatehouseError } from '../../contract/errors.ts';
import { levelInGroup, levelInProject } from '../../accounts/access/authorize.ts';
import { decideInstance, maySee } from '../../accounts/access/policy.ts';
import { type Answer, queryOf, queryWithoutToken } from '../respond.ts';
import type { NpmCall } from './npm-call.ts';

/**
 * For a prefix that names a project or group by an old path: the redirect of a read to the same address below the number, which no
 * further move changes, so that lockfiles go on working. Undefined where the path is in use, is unknown or is not for the caller to know of.
 * @throws GatehouseError `project_not_found` or `group_not_found`, with the new path, for anything but a read.
 */
export function answerMoved(call: NpmCall, isRead: boolean): Answer | undefined {
  const { prefix, registry, principal, req } = call;
  if (prefix.kind === 'instance') return undefined;
  const { kind, reference } = prefix;
  const { directory } = registry;
  const isProject = kind === 'project';
  if (isProject ? directory.findProject(reference) : directory.findGroup(reference)) return undefined;
  const moved = isProject
    ? directory.store.projects.findMoved(reference)
    : directory.store.namespaces.findMoved(reference);
  if (!moved) return undefined;
  const level = isProject ? levelInProject(directory, principal, moved) : levelInGroup(directory, principal, moved);
  if (!maySee(principal, level, moved.visibility)) return undefined;
  if (principal.kind === 'user' && !decideInstance('read_packages', principal).allowed) return undefined;
  const place = isProject ? `projects/${moved.id}` : `groups/${moved.id}/-`;
  const address = `${call.origin}/api/v4/${place}/packages/npm`;
  const gitlabMessage = isProject ? 'Project not found' : 'Group not found';
  if (!isRead) {
    const text = `${gitlabMessage}. It has moved to ${moved.fullPath}: use the registry address ${address}/`;
    throw new GatehouseError(isProject ? 'project_not_found' : 'group_not_found', text, { gitlabMessage });
  }
  const url = req.url ?? '';
  const [path = ''] = url.split('?', 1);
  const below = path.slice(path.indexOf('/packages/npm') + '/packages/npm'.length);
  const query = queryWithoutToken(queryOf(req));
  const location = `${address}${below}${query === '' ? '' : `?${query}`}`;
  return { status: 301, body: { message: `This ${kind} has moved.` }, headers: { Location: location } };
}
