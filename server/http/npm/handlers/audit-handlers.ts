import { GatehouseError } from '../../../contract/errors.ts';
import { auditReport, bulkAudit } from '../../../registry/advisories/audit-report.ts';
import { readJson } from '../../request-body.ts';
import { sendJson } from '../../respond.ts';
import { requireUser } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import { requirePrefix } from '../npm-scope.ts';
import type { Service } from '../service-paths.ts';

/** Audits, answered from what was imported (api/npm.md, "Settled"; api/clients.md 6). Nothing of them leaves this machine. */
export const auditServices: readonly Service[] = [
  { path: 'npm/v1/security/advisories/bulk', methods: { POST: bulk } },
  { path: 'npm/v1/security/audits/quick', methods: { POST: report } },
  { path: 'npm/v1/security/audits', methods: { POST: report } },
];

/** A tree of a large monorepo is a few megabytes. */
const largestBody = 32 * 1024 * 1024;

async function bulk(context: NpmContext): Promise<void> {
  const body = await readAudit(context);
  sendJson(context.res, 200, bulkAudit(context.registry.npm.advisories, body));
}

async function report(context: NpmContext): Promise<void> {
  const body = await readAudit(context);
  sendJson(context.res, 200, auditReport(context.registry.npm.advisories, body));
}

async function readAudit(context: NpmContext): Promise<unknown> {
  requireUser(context);
  requirePrefix(context);
  const body = await readJson(context.req, largestBody);
  if (body === undefined) throw new GatehouseError('invalid_request', 'This is no audit request. The body is empty.');
  return body;
}
