import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Request, Router } from 'express';
import type { Actor } from '../../accounts/change.ts';
import type { Principal } from '../../accounts/access/principal.ts';
import type { PrincipalOf } from '../authenticate.ts';
import { noteCaller } from '../request-log.ts';
import { drain } from '../request-body.ts';
import { queryOf, rawPathOf, sendEmpty, sendJson } from '../respond.ts';
import { auditRoutes } from './routes/audit-routes.ts';
import type { Answer, GitlabCall, GitlabServices, Handler } from './call.ts';
import { deployAccessRoutes } from './routes/deploy-access-routes.ts';
import { environmentRoutes } from './routes/environment-routes.ts';
import { sendGitlabError } from './errors.ts';
import { groupRoutes } from './routes/group-routes.ts';
import { memberRoutes } from './routes/member-routes.ts';
import { answerOrSendOn } from './moved-projects.ts';
import { namespaceRoutes } from './routes/namespace-routes.ts';
import { projectRoutes } from './routes/project-routes.ts';
import { protectedEnvironmentRoutes } from './routes/protected-environment-routes.ts';
import { bodyParameters, type Parameters, queryParameters } from './request-parameters.ts';
import { type Route, RouteTable } from './route-table.ts';
import { shareRoutes } from './routes/share-routes.ts';
import { packageRoutes } from './routes/package-routes.ts';
import { actAsAnother } from './sudo.ts';
import { tokenRoutes } from './routes/token-routes.ts';
import { userRoutes } from './routes/user-routes.ts';
import { versionRoutes } from './routes/version-routes.ts';

/** What the router needs of the server that it is mounted in. */
export interface GitlabRouterOptions {
  readonly services: GitlabServices;
  /** Scheme, host and port that the client used, for links. @throws GatehouseError for host names that aren't ours. */
  readonly originOf: (req: IncomingMessage) => string;
  readonly addressOf: (req: IncomingMessage) => string | null;
  readonly principalOf: PrincipalOf;
  /** Hears of failures that are the server's own. */
  readonly report: (error: unknown, req: IncomingMessage) => void;
}

/**
 * GitLab's API around packages: users, groups, projects, members, shares, tokens, environments and their protection, the audit trail.
 * To be mounted at `/api/v4`. Paths that it doesn't know go on to the next handler.
 */
export function createGitlabRouter(options: GitlabRouterOptions): Router {
  const table = new RouteTable<Handler>(gitlabRoutes());
  const router = Router();
  router.use((req, res, next) => {
    const match = table.match(req.method, rawPathOf(req));
    if (match.kind === 'none') {
      next();
      return;
    }
    const answering = async () => {
      if (match.kind === 'other_methods') {
        const headers = { Allow: match.allow.join(', ') };
        if (req.method === 'OPTIONS') sendEmpty(res, 204, headers);
        else sendJson(res, 405, { error: '405 Not Allowed' }, headers);
        return;
      }
      const call = await receive(options, req, match);
      send(res, await answerOrSendOn(call, match.handler));
    };
    answering()
      .catch((error: unknown) => sendGitlabError(res, error, (failure) => options.report(failure, req)))
      // A body that nobody read would keep the client from reading the answer.
      .finally(() => drain(req));
  });
  return router;
}

/** Every call of the API with what carries it out. */
export function gitlabRoutes(): Route<Handler>[] {
  return [
    // Before the protections, as a name with raw slashes would take in the word that ends these paths.
    ...deployAccessRoutes,
    ...protectedEnvironmentRoutes,
    ...environmentRoutes,
    ...memberRoutes,
    ...shareRoutes,
    ...auditRoutes,
    ...userRoutes,
    ...tokenRoutes,
    ...groupRoutes,
    ...projectRoutes,
    ...namespaceRoutes,
    ...packageRoutes,
    ...versionRoutes,
  ];
}

/** Reads the body, which may carry the token, finds out who calls, and keeps complaints about the body for when it is asked for. */
async function receive(
  options: GitlabRouterOptions,
  req: Request,
  { pattern, parameters: path }: { readonly pattern: string; readonly parameters: GitlabCall['path'] },
): Promise<GitlabCall> {
  const { services } = options;
  const origin = options.originOf(req);
  let body: Parameters = {};
  let bodyError: unknown;
  try {
    body = await bodyParameters(req);
  } catch (error) {
    bodyError = error;
  }
  req.body = body;
  const caller = options.principalOf(req, { jobTokens: pattern.includes('/packages') });
  noteCaller(req, caller);
  const principal = actAsAnother(services.directory, caller, req, body);
  const parameters = (): Parameters => {
    // What kept the body from being read is thrown only now, since who may not call at all is told that first.
    if (bodyError !== undefined) throw bodyError as Error;
    return { ...queryParameters(req), ...body, ...path };
  };
  const rawPath = req.originalUrl.split('?', 1)[0] ?? '/';
  const actor = actorOf(principal, caller, options.addressOf(req));
  return { req, services, principal, actor, origin, rawPath, query: queryOf(req), path, parameters };
}

/** Who acts, and who is behind that where an administrator acts as somebody else. */
function actorOf(principal: Principal, caller: Principal, address: string | null): Actor {
  if (principal.kind === 'anonymous') return { userId: null, username: 'anonymous', origin: 'http', address };
  const { id, username } = principal.user;
  const behind = caller.kind === 'user' && caller.user.id !== id ? ` (by ${caller.user.username})` : '';
  return { userId: id, username: `${username}${behind}`, origin: 'http', address };
}

function send(res: ServerResponse, answer: Answer): void {
  if (answer.body === undefined) sendEmpty(res, answer.status, answer.headers);
  else sendJson(res, answer.status, answer.body, answer.headers);
}
