import { GatehouseError } from '../../contract/errors.ts';
import type { UpstreamRow } from '../upstream-store.ts';

/**
 * The upstream itself, if anything can be published there.
 * @throws GatehouseError `invalid_request` that says what to change.
 */
export function requirePushable(upstream: UpstreamRow): UpstreamRow {
  if (upstream.kind === 'archive') {
    throw new GatehouseError(
      'invalid_request',
      `${upstream.name} holds packages from bundles; nothing can be pushed to it.`,
    );
  }
  const target = upstream.pushUrl ?? upstream.url;
  const needsProject = upstream.kind === 'gitlab' || upstream.kind === 'gatehouse';
  if (needsProject && !/\/projects\/[^/]+\/packages\/npm$/.test(target)) {
    throw new GatehouseError(
      'invalid_request',
      `Packages are published to a project. Set the address for publishing of ${upstream.name} to …/api/v4/projects/ID/packages/npm.`,
    );
  }
  return upstream;
}
