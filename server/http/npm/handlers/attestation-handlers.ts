import { GatehouseError } from '../../../contract/errors.ts';
import { shorten } from '../../../lib/printable.ts';
import { sendJson } from '../../respond.ts';
import { requirePackages } from '../npm-context.ts';
import type { NpmContext } from '../npm-context.ts';
import type { PathParameters, Service } from '../service-paths.ts';

/** Provenance bundles, and the exchange of tokens that would make them (api/clients.md 3, 6). */
export const attestationServices: readonly Service[] = [
  { path: 'npm/v1/attestations/*spec', methods: { GET: getAttestations } },
  {
    path: 'npm/v1/oidc/token/exchange/package/*name',
    methods: { POST: refuseExchange },
    // What comes along is the identity token of a CI system, never one of ours.
    ignoresToken: ['POST'],
  },
];

/** GET `/-/npm/v1/attestations/NAME@VERSION`: the bundle that came along with the publish, as it came. */
function getAttestations(context: NpmContext, { spec = '' }: PathParameters): void {
  const at = spec.lastIndexOf('@');
  const name = at > 0 ? spec.slice(0, at) : spec;
  const wanted = at > 0 ? spec.slice(at + 1) : '';
  const { store } = context.registry.packages;
  const versions = requirePackages(context, name)
    .flatMap((row) => store.findVersion(row.id, wanted) ?? [])
    .toSorted((a, b) => b.publishedAt - a.publishedAt);
  const bundle = versions[0] && store.bundleOf(versions[0].id);
  if (!bundle) {
    const why = versions[0] ? 'was published without provenance' : 'is not here';
    throw new GatehouseError('not_found', `There are no attestations: ${shorten(name)}@${shorten(wanted)} ${why}.`);
  }
  const attestation = { predicateType: bundle.predicateType, bundle: JSON.parse(bundle.text) as unknown };
  sendJson(context.res, 200, { attestations: [attestation] });
}

function refuseExchange(): void {
  throw new GatehouseError(
    'not_found',
    'This registry knows no CI system whose identity tokens it could trust. Publish with a token: "npm token create", or "gatehouse token create" on the machine of the registry.',
  );
}
