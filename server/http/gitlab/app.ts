import express from 'express';
import type { Express, NextFunction, Request, Response } from 'express';
import type { AppOptions } from '../app-options.ts';
import type { PrincipalOf } from '../authenticate.ts';
import { addressOf, originOf } from '../caller.ts';
import { refuse } from '../refuse.ts';
import { drain } from '../request-body.ts';
import { rawPathOf } from '../respond.ts';
import { createGitlabRouter } from './router.ts';

export interface GitlabAppOptions extends Pick<AppOptions, 'registry' | 'hosts' | 'log'> {
  readonly principalOf: PrincipalOf;
}

/** GitLab's API at `/api/v4`, and the answer to every path that nobody knows. */
export function createGitlabApp({ registry, hosts, log, principalOf }: GitlabAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.use(
    '/api/v4',
    createGitlabRouter({
      services: {
        version: registry.version,
        directory: registry.people,
        environments: registry.environments,
        packages: registry.packages,
      },
      originOf: (req) => originOf(req, hosts),
      addressOf: (req) => addressOf(req, hosts),
      principalOf,
      report: (error, req) => log.error({ err: error, url: rawPathOf(req) }, 'request failed'),
    }),
  );
  // For a person who opens the address in a browser.
  app.get('/', (req, res) => {
    const origin = originOf(req, hosts);
    res.type('text/plain').send(
      `Gatehouse ${registry.version}

This is a registry for npm packages. What it holds for you:

    npm view NAME --registry=${origin}/api/v4/packages/npm/

The window of the app shows everything under "Connect"; in a terminal, "gatehouse connect" points npm here.
`,
    );
  });
  app.use((req, res) => {
    res.status(404).json({ error: '404 Not Found' });
    drain(req);
  });
  // Express tells a handler of errors by its four parameters.
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => refuse(log, req, res, error));
  return app;
}
