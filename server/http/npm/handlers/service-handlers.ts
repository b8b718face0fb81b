import { GatehouseError } from '../../../contract/errors.ts';
import { shorten } from '../../../lib/printable.ts';
import { splitSpec } from '../../../registry/package-name.ts';
import { findMergedVersion } from '../../../registry/packuments/merged-view.ts';
import { auditReport, bulkAudit } from '../../../registry/advisories/audit-report.ts';
import { type Answer, ok } from '../../respond.ts';
import type { PathParameters } from '../../route-matcher.ts';
import { type NpmCall, type NpmRoute, requirePackages, requirePrefix, requireUser } from '../npm-call.ts';
import { receiveAudit } from '../receive-document.ts';

const treeAudit = {
  handle: audit(auditReport),
  description: 'For npm 6, Yarn 1 and pnpm: the tree as a lock file has it.',
  access: 'read_packages',
  body: 'AuditedTree',
  answers: { 200: 'AuditReport' },
} as const;

/** Ping, whoami, signing keys, attestations and audits. Audits are answered from imported advisories only. */
export const serviceRoutes: readonly NpmRoute[] = [
  {
    pattern: '/-/ping',
    GET: { handle: () => ok({}), summary: 'Ping', access: 'anyone', answers: { 200: 'Empty' } },
  },
  {
    pattern: '/-/whoami',
    GET: { handle: whoami, summary: 'Show the name of the user', access: 'identify', answers: { 200: 'Whoami' } },
  },
  {
    pattern: '/-/npm/v1/keys',
    GET: {
      handle: signingKeys,
      summary: 'List the signing keys',
      description: 'For `npm audit signatures`.',
      access: 'anyone',
      answers: { 200: 'SigningKeys' },
    },
  },
  {
    pattern: '/-/npm/v1/security/advisories/bulk',
    POST: {
      handle: audit(bulkAudit),
      summary: 'Audit versions',
      description: 'Answered from the advisories that were imported.',
      access: 'read_packages',
      body: 'AuditedVersions',
      answers: { 200: 'AuditedPackages' },
    },
  },
  { pattern: '/-/npm/v1/security/audits/quick', POST: { ...treeAudit, summary: 'Audit a tree quickly' } },
  { pattern: '/-/npm/v1/security/audits', POST: { ...treeAudit, summary: 'Audit a tree' } },
  {
    pattern: '/-/npm/v1/attestations/*spec',
    GET: {
      handle: getAttestations,
      summary: 'Get the provenance of a version',
      access: 'packages.read',
      answers: { 200: 'Attestations' },
    },
  },
  {
    pattern: '/-/npm/v1/oidc/token/exchange/package/*name',
    POST: {
      handle: refuseExchange,
      summary: 'Exchange an identity token',
      description: 'Always refused, with a text that says how to publish from a CI system.',
      access: 'anyone',
      // What comes along is the identity token of a CI system, never one of ours.
      ignoresToken: true,
      answers: {},
    },
  },
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
