import { Router } from 'express';
import type { AppOptions } from './app-options.ts';
import { renderMetrics } from './metrics.ts';

/**
 * `/-/liveness` (the process answers), `/-/readiness` and `/-/health` (the registry does: 503 while it drains). Open to everybody; they
 * tell nothing about what is stored. `/-/metrics` has sums for Prometheus.
 */
export function createHealthRouter({
  registry,
  isReady,
  requests,
  ready,
}: Pick<AppOptions, 'registry' | 'isReady' | 'requests' | 'ready'>): Router {
  const router = Router();
  router.get('/-/liveness', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get(['/-/readiness', '/-/health'], (_req, res) => {
    const answers = isReady();
    res.status(answers ? 200 : 503).json({ status: answers ? 'ok' : 'unavailable', version: registry.version });
  });
  router.get('/-/metrics', (_req, res) => {
    res.type('text/plain; version=0.0.4').send(renderMetrics(registry, requests, ready.size));
  });
  return router;
}
