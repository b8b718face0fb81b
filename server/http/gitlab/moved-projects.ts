import { GatehouseError } from '../../contract/errors.ts';
import { type Answer, queryWithoutToken } from '../respond.ts';
import type { GitlabCall, Handler } from './call.ts';
import { seesProject } from './present-directory.ts';

/** Segments of a raw path before the project's own: the empty one before the first slash, `api`, `v4`, `projects`. */
const leading = 4;

/** What a handler answers; a redirect where the path names a project by an old path of it. */
export async function answerOrRedirect(call: GitlabCall, handler: Handler): Promise<Answer> {
  try {
    return await handler(call);
  } catch (error) {
    const location =
      error instanceof GatehouseError && error.code === 'project_not_found' ? newAddress(call) : undefined;
    if (location === undefined) throw error;
    if (call.req.method === 'GET' || call.req.method === 'HEAD') {
      return { status: 301, body: { message: 'This project has moved.' }, headers: { Location: location } };
    }
    const text = 'Non GET methods are not allowed for moved projects';
    throw new GatehouseError('method_not_allowed', text, { gitlabMessage: text });
  }
}

/** The address of a request with the project's number in place of a path that it no longer has. */
function newAddress(call: GitlabCall): string | undefined {
  const { id: reference = '' } = call.path;
  const project = call.registry.directory.store.projects.findMoved(reference);
  if (!project || !seesProject(call, project)) return undefined;
  const segments = call.rawPath.split('/').slice(leading);
  const isEncoded = segments[0]?.includes('%') === true || !reference.includes('/');
  const rest = segments.slice(isEncoded ? 1 : reference.split('/').length);
  const query = queryWithoutToken(call.query);
  return `${call.origin}/api/v4/${['projects', project.id, ...rest].join('/')}${query === '' ? '' : `?${query}`}`;
}
