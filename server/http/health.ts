import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AppOptions } from './app-options.ts';
import { renderMetrics } from './metrics.ts';
import { rawPathOf, sendJson } from './respond.ts';

const paths: ReadonlySet<string> = new Set(['/-/liveness', '/-/readiness', '/-/health', '/-/metrics']);

/**
 * Answers `/-/liveness` (the process answers), `/-/readiness` and `/-/health` (the registry does: 503 while it drains), and
 * `/-/metrics` with sums for Prometheus; says whether it was asked for one of them. Open to everybody; they tell nothing about what is stored.
 */
export function answerHealth(
  { registry, isReady, requests, ready }: Pick<AppOptions, 'registry' | 'isReady' | 'requests' | 'ready'>,
  req: IncomingMessage,
  res: ServerResponse,
): boolean {
  if (req.method !== 'GET' && req.method !== 'HEAD') return false;
  const path = rawPathOf(req).replace(/(?<=.)\/$/, '');
  if (!paths.has(path)) return false;
  if (path === '/-/metrics') {
    const body = Buffer.from(renderMetrics(registry, requests, ready.size));
    res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Content-Length': body.length });
    res.end(body);
  } else if (path === '/-/liveness') {
    sendJson(res, 200, { status: 'ok' });
  } else {
    const answers = isReady();
    const body = { status: answers ? 'ok' : 'unavailable', version: registry.version };
    sendJson(res, answers ? 200 : 503, body);
  }
  return true;
}
