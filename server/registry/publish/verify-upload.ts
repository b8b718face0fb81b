import { GatehouseError } from '../../contract/errors.ts';
import { integrityOf, parseIntegrity } from '../../lib/integrity.ts';
import { shorten } from '../../lib/printable.ts';
import { isSameVersion } from '../package-version.ts';
import type { TarballInspection } from './tarball-inspector.ts';
import type { TarballDigests } from './tarball-store.ts';
import type { PublishRequest } from './upload-document.ts';

/**
 * Compares what a publish document claims with the bytes that came along.
 * @throws GatehouseError `invalid_request` that says which claim differs and how.
 */
export function verifyUpload(request: PublishRequest, digests: TarballDigests, inspection: TarballInspection): void {
  const { claims, name, version } = request;
  const label = `${name}@${version}`;
  if (claims.length !== undefined && claims.length !== digests.size) {
    throw mismatch(label, 'length', String(claims.length), String(digests.size));
  }
  if (claims.shasum !== undefined && claims.shasum.toLowerCase() !== digests.sha1) {
    throw mismatch(label, 'dist.shasum', claims.shasum, digests.sha1);
  }
  if (claims.integrity !== undefined) verifyIntegrity(label, claims.integrity, digests);
  const { packageJson } = inspection;
  if (packageJson['name'] !== name) {
    throw different(label, 'name', packageJson['name'], name);
  }
  if (!isPackedVersion(packageJson['version'], version)) {
    throw different(label, 'version', packageJson['version'], version);
  }
}

/** npm cleans the version of package.json before it publishes: `v1.2.3`, ` 1.2.3 ` and `1.2.3+build` become `1.2.3`. */
function isPackedVersion(inTarball: unknown, version: string): boolean {
  return typeof inTarball === 'string' && isSameVersion(inTarball.trim().replace(/^[v=]+\s*/, ''), version);
}

function verifyIntegrity(label: string, claimed: string, digests: TarballDigests): void {
  const parsed = parseIntegrity(claimed);
  const known = [...(parsed?.['sha512'] ?? []), ...(parsed?.['sha1'] ?? [])];
  if (known.length === 0) {
    throw new GatehouseError(
      'invalid_request',
      `dist.integrity of ${label} is "${shorten(claimed)}", which is no SHA-512 or SHA-1 in the form "sha512-<base64>".`,
    );
  }
  for (const { algorithm, digest } of known) {
    const actual = algorithm === 'sha1' ? integrityOf(digests.sha1, 'sha1') : integrityOf(digests.sha512);
    if (`${algorithm}-${digest}` !== actual) throw mismatch(label, 'dist.integrity', `${algorithm}-${digest}`, actual);
  }
}

function mismatch(label: string, what: string, claimed: string, actual: string): GatehouseError {
  return new GatehouseError(
    'invalid_request',
    `The ${what} of ${label} does not match the tarball: the document says ${shorten(claimed, 140)}, the bytes that arrived give ${actual}. Publish again; if it stays, something changes the upload on its way.`,
  );
}

function different(label: string, field: string, inTarball: unknown, expected: string): GatehouseError {
  return new GatehouseError(
    'invalid_request',
    `The package.json inside the tarball of ${label} has the ${field} ${shown(inTarball)}, but the document says "${expected}". Pack and publish again.`,
  );
}

/** A value of the tarball's own package.json, which may be nested as deep as it likes. */
function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'of a list' : 'of an object';
  return shorten(JSON.stringify(value));
}
