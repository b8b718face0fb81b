import { Router } from 'express';
import type { Registry } from '../registry.ts';

/**
 * `/-/liveness` (the process answers), `/-/readiness` and `/-/health` (the registry does: 503 while it drains). Open to everybody; they
 * tell nothing about what is stored.
 */
export function createHealthRouter({ registry, isReady }: { registry: Registry; isReady: () => boolean }): Router {
  const router = Router();
  router.get('/-/liveness', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get(['/-/readiness', '/-/health'], (_req, res) => {
    const ready = isReady();
    res.status(ready ? 200 : 503).json({ status: ready ? 'ok' : 'unavailable', version: registry.version });
  });
  return router;
}
