import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AppOptions } from './app-options.ts';
import { createPrincipalOf } from './authenticate.ts';
import { addressOf, originOf, refuseForeignOrigin } from './caller.ts';
import { createGitlabApp } from './gitlab/app.ts';
import { answerHealth } from './health.ts';
import { createNpmApi } from './npm/npm-api.ts';
import { refuse } from './refuse.ts';
import { TokenGuard } from './token-guard.ts';

/** The HTTP face of a registry: npm's API, GitLab's API and the health checks. */
export function createApp(options: AppOptions): RequestListener {
  const { registry, hosts, log } = options;
  const principalOf = createPrincipalOf(new TokenGuard(registry.directory), (req) => addressOf(req, hosts));
  const npmApi = createNpmApi({ ...options, principalOf });
  // Made, and in a built server loaded, by the first request that is for neither npm nor a health check: many servers never get one.
  let gitlabApp: RequestListener | undefined;
  const answer = (req: IncomingMessage, res: ServerResponse): void => {
    const origin = originOf(req, hosts);
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseForeignOrigin(req, origin);
    if (answerHealth(options, req, res) || npmApi(req, res)) return;
    gitlabApp ??= createGitlabApp({ registry, hosts, log, principalOf });
    gitlabApp(req, res);
  };
  return (req, res) => {
    options.requests.follow(req, res);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    try {
      answer(req, res);
    } catch (error) {
      refuse(log, req, res, error);
    }
  };
}
