import type { RequestListener } from 'node:http';
import express from 'express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { GatehouseError } from '../contract/errors.ts';
import type { ApiOptions, AppOptions } from './api-options.ts';
import { originOf, refuseForeignOrigin } from './caller.ts';
import { npmError, sendError } from './errors.ts';
import { addInstanceRoutes } from './instance-routes.ts';
import { createNpmApi } from './npm/npm-api.ts';
import { rawPathOf, revalidate } from './respond.ts';
import { printsOwnText, sendsNpmHeaders } from './negotiate.ts';
import { TokenGuard } from './token-guard.ts';

/** The HTTP interface of a registry: health checks, npm's API, GitLab's API, and a 404 for everything else. */
export function createApp(options: AppOptions): RequestListener {
  const { registry, hosts, log, requests } = options;
  const api: ApiOptions = { ...options, guard: new TokenGuard(registry.directory) };
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use((req, res, next) => {
    requests.follow(req, res);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    // What an answer shows depends on its caller, whose token may stand in headers that caches know nothing of.
    res.setHeader('Cache-Control', revalidate);
    const origin = originOf(req, hosts);
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseForeignOrigin(req, origin);
    next();
  });
  const sendDocument = whenFirstUsed(async () =>
    (await import('./openapi/send-document.ts')).createDocumentSender(registry.version),
  );
  addInstanceRoutes(app, { ...options, sendDocument });
  app.use(createNpmApi(api));
  app.use((req, _res, next) => {
    if (!sendsNpmHeaders(req)) {
      next();
      return;
    }
    const meant = registryMeantBy(rawPathOf(req));
    const text = `There is no npm registry at this address. Set it to ${originOf(req, hosts)}${meant} (with the slash at its end), and the token for the same address.`;
    throw new GatehouseError('not_found', text);
  });
  app.use(
    '/api/v4',
    whenFirstUsed(async () => (await import('./gitlab/gitlab-api.ts')).createGitlabApi(api)),
  );
  // For a person who opens the address in a browser.
  app.get('/', (req, res) => {
    res.type('text/plain').send(
      `Gatehouse ${registry.version}

This is a registry for npm packages. What it holds for you:

    npm view NAME --registry=${originOf(req, hosts)}/api/v4/packages/npm/

The window of the app shows everything under "Connect"; in a terminal, "gatehouse connect" points npm here.
`,
    );
  });
  app.use(() => {
    throw new GatehouseError('not_found');
  });
  // Express knows a handler of errors by its four parameters.
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) =>
    sendError(log, { req, res, answerOf: (known) => npmError(known, printsOwnText(req)) }, error),
  );
  return app;
}

/** The path of the registry that a client meant who asks outside of any: that of the project or group in its path, if there is one. */
function registryMeantBy(path: string): string {
  const [, kind, id = ''] = /^\/api\/v4\/(projects|groups)\/([^/]+)/.exec(path) ?? [];
  const isReference = /^\d+$/.test(id) || /%2f/i.test(id) || kind === 'groups';
  if (kind === undefined || !isReference) return '/api/v4/packages/npm/';
  return `/api/v4/${kind}/${id}${kind === 'groups' ? '/-' : ''}/packages/npm/`;
}

/** A handler that is loaded by the first request that reaches it. */
function whenFirstUsed(load: () => Promise<RequestHandler>): RequestHandler {
  let handler: Promise<RequestHandler> | undefined;
  return async (req, res, next) => {
    handler ??= load();
    const loaded = await handler.catch((error: unknown) => {
      // The next request tries again.
      handler = undefined;
      throw error;
    });
    await loaded(req, res, next);
  };
}
