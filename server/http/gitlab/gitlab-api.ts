import type { Request, RequestHandler } from 'express';
import type { Actor } from '../../accounts/change.ts';
import { anonymous, namedToken, type Principal } from '../../accounts/access/principal.ts';
import { Standing } from '../../accounts/access/standing.ts';
import type { ApiOptions } from '../api-options.ts';
import { authenticate } from '../authenticate.ts';
import { type Answer, queryOf, rawPathOf, send } from '../respond.ts';
import { addressOf, originOf } from '../caller.ts';
import { gitlabError, sendError } from '../errors.ts';
import { drain } from '../request-body.ts';
import { noteCaller } from '../request-log.ts';
import { type PathParameters, RouteMatcher, segmentsOf } from '../route-matcher.ts';
import type { GitlabCall } from './call.ts';
import { gitlabRoutes } from './gitlab-routes.ts';
import { answerOrRedirect } from './moved-projects.ts';
import { BodyNeeded, queryParameters, type ReceivedBody, withBody } from './request-parameters.ts';
import { actAsAnother } from './sudo.ts';

/**
 * GitLab's API around packages: users, groups, projects, members, shares, tokens, environments and their protection, the audit trail.
 * To be mounted at `/api/v4`. Paths that it doesn't know go on to the next handler.
 */
export function createGitlabApi(options: ApiOptions): RequestHandler {
  const matcher = new RouteMatcher(gitlabRoutes, { lenient: true });
  return async (req, res, next) => {
    const match = matcher.match(req.method, lenientSegmentsOf(rawPathOf(req)));
    if (match.kind === 'none') {
      next();
      return;
    }
    try {
      if (match.kind === 'other_methods') {
        const headers = { Allow: ['OPTIONS', ...match.allow].toSorted().join(', ') };
        send(res, req.method === 'OPTIONS' ? { status: 204, headers } : { ...methodNotAllowed, headers });
        return;
      }
      const { route, method, parameters } = match;
      const handler = route[method]?.handle;
      const isRead = method === 'GET';
      const jobTokens = route.pattern.includes('/packages');
      const handle = async (body: ReceivedBody | undefined): Promise<Answer> => {
        const { call, standing } = receive(options, req, { jobTokens, path: parameters, body });
        const work = () => (handler ? answerOrRedirect(call, handler) : Promise.resolve(methodNotAllowed));
        return isRead ? work() : standing.run(work);
      };
      send(res, await withBody(req, { jobTokens }, handle));
    } catch (error) {
      sendError(options.log, { req, res, answerOf: gitlabError }, error);
    } finally {
      // A body that is never read would keep the client from reading the answer.
      drain(req);
    }
  };
}

const methodNotAllowed: Answer = { status: 405, body: { error: '405 Not Allowed' } };

/** The decoded segments of a path, none if it isn't UTF-8. A percent sign that begins no code is literal: some clients don't encode names. */
function lenientSegmentsOf(path: string): string[] {
  try {
    return segmentsOf(path, (segment) => decodeURIComponent(segment.replace(/%(?![0-9a-f]{2})/gi, '%25')));
  } catch {
    return [];
  }
}

/** Identifies the caller of a request, whose body may have been read by now. */
function receive(
  { registry, hosts, guard }: ApiOptions,
  req: Request,
  { jobTokens, path, body }: { jobTokens: boolean; path: PathParameters; body: ReceivedBody | undefined },
): { call: GitlabCall; standing: Standing } {
  const origin = originOf(req, hosts);
  const address = addressOf(req, hosts);
  const sent = body?.parameters ?? {};
  let caller: Principal = anonymous;
  const standing = new Standing(() => {
    caller = authenticate(guard, req, { address, jobTokens, body: sent });
    noteCaller(req, caller);
    return actAsAnother(registry.people, caller, req, sent);
  });
  const { principal } = standing;
  const call: GitlabCall = {
    registry,
    req,
    origin,
    address,
    principal,
    path,
    actor: actorOf(principal, caller, address),
    rawPath: req.originalUrl.split('?', 1)[0] ?? '/',
    query: queryOf(req),
    parameters() {
      if (!body) throw new BodyNeeded();
      // Only now, since a refusal of the caller comes before complaints about the body.
      if (body.error !== undefined) throw body.error as Error;
      return { ...queryParameters(req), ...sent, ...path };
    },
  };
  return { call, standing };
}

/** The caller, with the administrator behind it where one acts as another user. */
function actorOf(principal: Principal, caller: Principal, address: string | null): Actor {
  if (principal.kind === 'anonymous') return { userId: null, username: 'anonymous', origin: 'http', address };
  const { id, username } = principal.user;
  const behind = caller.kind === 'user' && caller.user.id !== id ? ` (by ${caller.user.username})` : '';
  return { userId: id, username: `${username}${behind}`, origin: 'http', address, ...namedToken(caller) };
}
