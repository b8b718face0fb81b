import type { RequestHandler } from 'express';
import { GatehouseError } from '../../contract/errors.ts';
import { anonymous } from '../../accounts/access/principal.ts';
import { Standing } from '../../accounts/access/standing.ts';
import type { ApiOptions } from '../api-options.ts';
import { authenticate } from '../authenticate.ts';
import { addressOf, originOf } from '../caller.ts';
import { drain } from '../request-body.ts';
import { noteCaller } from '../request-log.ts';
import { rawPathOf, send } from '../respond.ts';
import { RouteMatcher } from '../route-matcher.ts';
import { answerMoved } from './moved-prefix.ts';
import type { NpmCall } from './npm-call.ts';
import { parseNpmPath } from './npm-path.ts';
import { isProjectCall } from './project-calls.ts';
import { npmRoutes } from './npm-routes.ts';

/** The npm package registry API on its three prefixes; paths below no prefix, and GitLab's calls below one, go on to the next handler. */
export function createNpmApi({ registry, hosts, ready, guard }: ApiOptions): RequestHandler {
  const matcher = new RouteMatcher(npmRoutes);
  return async (req, res, next) => {
    const parsed = parseNpmPath(rawPathOf(req));
    if (!parsed || isProjectCall(req, parsed)) {
      next();
      return;
    }
    const match = matcher.match(req.method, parsed.segments);
    if (match.kind === 'none') throw new GatehouseError('not_found');
    const address = addressOf(req, hosts);
    const ignoresToken = match.kind === 'route' && match.route[match.method]?.ignoresToken === true;
    const standing = new Standing(() =>
      ignoresToken ? anonymous : authenticate(guard, req, { address, jobTokens: true }),
    );
    const { principal } = standing;
    noteCaller(req, principal);
    if (match.kind === 'other_methods') {
      // A tag that is empty is a path that GitLab does not have.
      if (rawPathOf(req).endsWith('/dist-tags/')) throw new GatehouseError('not_found');
      send(res, { status: 405, body: { error: '405 Not Allowed' }, headers: { Allow: match.allow.join(', ') } });
      drain(req);
      return;
    }
    const { generation } = registry.directory;
    const { prefix } = parsed;
    const call: NpmCall = {
      registry,
      req,
      res,
      prefix,
      get principal() {
        return standing.principal;
      },
      origin: originOf(req, hosts),
      address,
      guard,
      keepReady: (answer) => ready.keep(req, { ...answer, principal }, generation),
    };
    const { route, method, parameters } = match;
    const handle = () => answerMoved(call, method === 'GET') ?? route[method]?.handle(call, parameters);
    // Reads change nothing of the caller's own, but may fill caches for everybody.
    const answer = await (method === 'GET' ? handle() : standing.run(handle));
    if (answer) send(res, answer);
  };
}
