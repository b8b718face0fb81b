import type { IncomingMessage } from 'node:http';
import { headerOf, queryOf } from '../respond.ts';
import { isPackageManager, sendsNpmHeaders } from '../negotiate.ts';
import type { NpmPath } from './npm-path.ts';

/** Calls of GitLab's API about a project as a whole, at addresses that packages could have, too. */
const calls: ReadonlySet<string> = new Set(['guards', 'guards/:pattern', 'access']);

/**
 * Whether a request at a project's npm address is for GitLab's API. A package manager means the package of that name, and so does whatever
 * sends its headers; a `PRIVATE-TOKEN` is of GitLab's API. What is published and unpublished is always a package.
 */
export function isProjectCall(
  req: IncomingMessage,
  { prefix, segments: [name = '', below, ...rest] }: NpmPath,
): boolean {
  if (prefix.kind !== 'project' || rest.length > 0) return false;
  if (name === '-') return below === 'guard_settings';
  if (!calls.has(below === undefined ? name : `${name}/:pattern`) || below === '-' || below === '-rev') return false;
  if (below === undefined && (req.method === 'PUT' || req.method === 'DELETE')) return false;
  const isGitlabs = headerOf(req, 'private-token') !== undefined || queryOf(req).has('private_token');
  return isGitlabs || !(isPackageManager(req) || sendsNpmHeaders(req));
}
