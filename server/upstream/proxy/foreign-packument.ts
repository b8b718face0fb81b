import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';
import { nextTurn } from '../../lib/turns.ts';
import { isValidVersion } from '../../registry/package-version.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A manifest of another registry, known to have its version, name and a tarball. */
export type ForeignManifest = JsonObject & {
  readonly name: string;
  readonly version: string;
  readonly dist: JsonObject & { readonly tarball: string };
};

/** A packument of another registry, validated: what is in `versions` can be relied on. */
export interface ForeignPackument {
  readonly name: string;
  readonly versions: ReadonlyMap<string, ForeignManifest>;
  readonly distTags: ReadonlyMap<string, string>;
  readonly time: JsonObject;
  /** Everything else at the top of the document. */
  readonly rest: JsonObject;
}

/** Versions that are looked at between two turns of the event loop. */
const versionsPerTurn = 1000;

/**
 * Validates a packument of another registry. Invalid versions, and those without a tarball, are left out.
 * @throws GatehouseError `upstream_invalid` if it is no packument of this package.
 */
export async function readPackument(value: unknown, name: string, host: string): Promise<ForeignPackument> {
  if (!isObject(value) || !isObject(value['versions'])) {
    throw new GatehouseError('upstream_invalid', `${host} sent something for ${shorten(name)} that is no packument.`, {
      retryAfterSeconds: 10,
    });
  }
  if (value['name'] !== name) {
    throw new GatehouseError(
      'upstream_invalid',
      `${host} sent the packument of ${shorten(JSON.stringify(value['name']) ?? 'nothing')} when asked for ${shorten(name)}.`,
    );
  }
  const { versions: rawVersions, 'dist-tags': rawTags, time, name: _name, ...rest } = value;
  const versions = new Map<string, ForeignManifest>();
  for (const [index, [version, manifest]] of Object.entries(rawVersions).entries()) {
    if (index % versionsPerTurn === versionsPerTurn - 1) await nextTurn();
    if (isManifest(manifest, name, version)) versions.set(version, manifest);
  }
  const distTags = new Map<string, string>();
  for (const [tag, version] of Object.entries(isObject(rawTags) ? rawTags : {})) {
    if (typeof version === 'string' && versions.has(version)) distTags.set(tag, version);
  }
  return { name, versions, distTags, time: isObject(time) ? time : {}, rest };
}

/** Whether a value of JSON is an object, no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isManifest(manifest: unknown, name: string, version: string): manifest is ForeignManifest {
  return (
    isObject(manifest) &&
    isValidVersion(version) &&
    manifest['name'] === name &&
    manifest['version'] === version &&
    isObject(manifest['dist']) &&
    typeof manifest['dist']['tarball'] === 'string'
  );
}
