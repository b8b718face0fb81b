import { GatehouseError } from '../../../contract/errors.ts';
import { shorten } from '../../../lib/printable.ts';
import { splitSpec } from '../../../registry/package-name.ts';
import { findMergedVersion } from '../../../registry/packuments/merged-view.ts';
import { auditReport, bulkAudit } from '../../../registry/advisories/audit-report.ts';
import { type Answer, ok } from '../../respond.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { type NpmCall, type NpmRoute, requirePackages, requirePrefix, requireUser } from '../npm-call.ts';
import { receiveAudit } from '../receive-document.ts';

/** Ping, whoami, signing keys, attestations and audits (api/clients.md 3, 6). Audits are answered from imported advisories only. */
export const serviceRoutes: readonly NpmRoute[] = [
  { pattern: '/-/ping', GET: () => ok({}) },
  { pattern: '/-/whoami', GET: whoami },
  { pattern: '/-/npm/v1/keys', GET: signingKeys },
  { pattern: '/-/npm/v1/security/advisories/bulk', POST: audit(bulkAudit) },
  { pattern: '/-/npm/v1/security/audits/quick', POST: audit(auditReport) },
  { pattern: '/-/npm/v1/security/audits', POST: audit(auditReport) },
  { pattern: '/-/npm/v1/attestations/*spec', GET: getAttestations },
  // What comes along is the identity token of a CI system, never one of ours.
  { pattern: '/-/npm/v1/oidc/token/exchange/package/*name', POST: refuseExchange, ignoresToken: ['POST'] },
];

function whoami(call: NpmCall): Answer {
  return ok({ username: requireUser(call, 'identify').user.username }, { 'Cache-Control': 'private, no-cache' });
}

/** GET: the keys that versions are signed with, those of versions from other registries included. */
async function signingKeys({ registry }: NpmCall): Promise<Answer> {
  return ok({ keys: await registry.upstream.trustedKeys(registry.packages.keys) });
}

function audit(report: typeof bulkAudit | typeof auditReport) {
  return async (call: NpmCall): Promise<Answer> => {
    requireUser(call, 'read_packages');
    requirePrefix(call);
    const body = await receiveAudit(call);
    return ok(await report(call.registry.npm.advisories, body));
  };
}

/** GET of `NAME@VERSION`: the provenance bundle that came along with the publish, as it came. Not parsed: it was when it came. */
function getAttestations(call: NpmCall, { spec = '' }: PathParameters): undefined {
  const { name, range: wanted } = splitSpec(spec);
  const { store } = call.registry.packages;
  const version = findMergedVersion(store, requirePackages(call, name), wanted);
  const bundle = version && store.bundleOf(version.id);
  if (!bundle) {
    const why = version ? 'was published without provenance' : 'is not here';
    throw new GatehouseError('not_found', `There are no attestations: ${shorten(name)}@${shorten(wanted)} ${why}.`);
  }
  const predicateType = JSON.stringify(bundle.predicateType);
  const body = Buffer.from(`{"attestations":[{"predicateType":${predicateType},"bundle":${bundle.text}}]}`);
  call.res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  call.res.end(body);
  return undefined;
}

function refuseExchange(): never {
  throw new GatehouseError(
    'not_found',
    'This registry knows no CI system whose identity tokens it could trust. Publish with a token: "npm token create", or "gatehouse token create" on the machine of the registry.',
  );
}
