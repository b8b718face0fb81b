import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import type { AppOptions } from './app-options.ts';
import { createPrincipalOf } from './authenticate.ts';
import type { PrincipalOf } from './authenticate.ts';
import { addressOf, originOf, refuseForeignOrigin } from './caller.ts';
import { createGitlabRouter } from './gitlab/router.ts';
import type { GitlabRouterOptions } from './gitlab/router.ts';
import { createHealthRouter } from './health.ts';
import { createNpmApi } from './npm/npm-api.ts';
import { npmErrorAnswer } from './npm/npm-errors.ts';
import { drain } from './request-body.ts';
import { TokenGuard } from './token-guard.ts';
import { asGatehouseError } from './unexpected-errors.ts';

/** The HTTP face of a registry: npm's API, GitLab's API and the health checks. */
export function createApp(options: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'extended');

  app.use((req, res, next) => {
    options.requests.follow(req, res);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    const origin = originOf(req, options.hosts);
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseForeignOrigin(req, origin);
    next();
  });
  app.use(createHealthRouter(options));
  const principalOf = createPrincipalOf(new TokenGuard(options.registry.directory), (req) =>
    addressOf(req, options.hosts),
  );
  const npmApi = createNpmApi({ ...options, principalOf });
  app.use((req, res, next) => {
    if (!npmApi(req, res)) next();
  });
  app.use('/api/v4', createGitlabRouter(gitlabOptions(options, principalOf)));
  app.use((req, res) => {
    res.status(404).json({ error: '404 Not Found' });
    drain(req);
  });
  app.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    const known = asGatehouseError(error);
    if (known.status >= 500) options.log.error({ err: error, url: req.path }, 'request failed');
    if (res.headersSent) {
      next(error);
      return;
    }
    const { status, body, headers } = npmErrorAnswer(known);
    res.status(status).set(headers).json(body);
    drain(req);
  });
  return app;
}

function gitlabOptions({ registry, hosts, log }: AppOptions, principalOf: PrincipalOf): GitlabRouterOptions {
  return {
    services: {
      version: registry.version,
      directory: registry.people,
      environments: registry.environments,
      packages: registry.packages,
    },
    originOf: (req) => originOf(req, hosts),
    addressOf: (req) => addressOf(req, hosts),
    principalOf,
    report: (error, req) => log.error({ err: error, url: req.url?.split('?', 1)[0] }, 'request failed'),
  };
}
