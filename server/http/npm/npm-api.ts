import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatehouseError } from '../../contract/errors.ts';
import { anonymous } from '../../accounts/access/principal.ts';
import type { Registry } from '../../services.ts';
import type { PrincipalOf } from '../authenticate.ts';
import { addressOf, originOf, refuseForeignOrigin } from '../caller.ts';
import type { HostPolicy } from '../caller.ts';
import type { Log } from '../../lib/log.ts';
import { refuse } from '../refuse.ts';
import { drain } from '../request-body.ts';
import { noteCaller } from '../request-log.ts';
import { rawPathOf, sendJson } from '../respond.ts';
import type { NpmContext } from './npm-context.ts';
import { parseNpmPath } from './npm-route.ts';
import type { NpmRoute } from './npm-route.ts';
import type { ReadyAnswers } from './ready-answers.ts';
import { putPackument } from './handlers/publish-handlers.ts';
import { getDistTags, getManifest, getPackument, getTarball } from './handlers/read-handlers.ts';
import { findService } from './services.ts';
import { deleteDistTag, putDistTag } from './handlers/tag-handlers.ts';
import { deletePackument, deleteTarball } from './handlers/unpublish-handlers.ts';
import {
  forwardDistTags,
  forwardManifest,
  forwardPackument,
  forwardTarball,
  orForward,
} from './handlers/upstream-handlers.ts';

type Handler<K extends NpmRoute['kind']> = (
  context: NpmContext<Extract<NpmRoute, { kind: K }>>,
) => Promise<void> | void;
type Methods<K extends NpmRoute['kind']> = Partial<Record<'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH', Handler<K>>>;

/** What each kind of route can be asked; HEAD is answered as GET without a body. */
const handlers: { readonly [K in Exclude<NpmRoute['kind'], 'service' | 'package-facet'>]: Methods<K> } = {
  root: { GET: ({ res }) => sendJson(res, 200, { db_name: 'gatehouse' }) },
  packument: { GET: orForward(getPackument, forwardPackument), PUT: putPackument, DELETE: deletePackument },
  manifest: { GET: orForward(getManifest, forwardManifest) },
  tarball: { GET: orForward(getTarball, forwardTarball), DELETE: deleteTarball },
  'dist-tags': { GET: orForward(getDistTags, forwardDistTags) },
  'dist-tag': { PUT: putDistTag, DELETE: deleteDistTag },
};

export interface NpmApiOptions {
  readonly registry: Registry;
  readonly hosts: HostPolicy;
  readonly log: Log;
  readonly principalOf: PrincipalOf;
  readonly ready: ReadyAnswers;
}

/** Answers a request if it is one of the npm API's; says whether it was. */
export type NpmApi = (req: IncomingMessage, res: ServerResponse) => boolean;

/** The npm package registry API on its three prefixes (api/npm.md). */
export function createNpmApi(options: NpmApiOptions): NpmApi {
  return (req, res) => {
    const path = rawPathOf(req);
    if (!path.includes('/packages/npm')) return false;
    let parsed;
    try {
      parsed = parseNpmPath(path);
    } catch (error) {
      refuse(options.log, req, res, error);
      return true;
    }
    if (!parsed) return false;
    handle(options, req, res, parsed).catch((error: unknown) => refuse(options.log, req, res, error));
    return true;
  };
}

async function handle(
  { registry, hosts, ready, principalOf }: NpmApiOptions,
  req: IncomingMessage,
  res: ServerResponse,
  parsed: Pick<NpmContext, 'prefix' | 'route'>,
): Promise<void> {
  const origin = originOf(req, hosts);
  const method = req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET');
  if (method !== 'GET') refuseForeignOrigin(req, origin);
  const { methods, ignoresToken } = methodsOf(parsed.route);
  const principal = ignoresToken.includes(method) ? anonymous : principalOf(req, { jobTokens: true });
  noteCaller(req, principal);
  const { generation } = registry.directory;
  const context: NpmContext = {
    registry,
    req,
    res,
    ...parsed,
    principal,
    origin,
    address: addressOf(req, hosts),
    keepReady: (answer) => ready.keep(req, { ...answer, principal }, generation),
  };
  const handler = Object.hasOwn(methods, method) ? methods[method as keyof typeof methods] : undefined;
  if (!handler) {
    // The tag is empty, which is a path that GitLab does not have (api/npm.md 5.2).
    if (parsed.route.kind === 'dist-tags' && rawPathOf(req).endsWith('/')) throw new GatehouseError('not_found');
    const allowed = Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
    sendJson(res, 405, { error: '405 Not Allowed' }, { Allow: allowed.join(', ') });
    drain(req);
    return;
  }
  await handler(context as never);
}

function methodsOf(route: NpmRoute): { methods: Methods<never>; ignoresToken: readonly string[] } {
  if (route.kind === 'service' || route.kind === 'package-facet') {
    const found = findService(route);
    if (found) return found;
    throw new GatehouseError('not_found');
  }
  return { methods: handlers[route.kind] as unknown as Methods<never>, ignoresToken: [] };
}
