import { longestDeprecation } from '../../contract/constants.ts';
import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';
import { requireValidName, versionInFileName } from '../package-name.ts';
import { isSameVersion, requireValidTag, requireValidVersion } from '../package-version.ts';

export const maximumManifestBytes = 1024 * 1024;

/** A manifest as it was published: any JSON object. */
export type Manifest = Readonly<Record<string, unknown>>;

/** The request of a publish document, checked in itself but not yet against the bytes that came along. */
export interface PublishRequest {
  readonly name: string;
  readonly version: string;
  readonly manifest: Manifest;
  readonly tags: readonly string[];
  /** Key of the tarball in `_attachments`, and of the provenance bundle where there is one. */
  readonly tarballKey: string;
  readonly bundleKey: string | null;
  readonly readme: string | null;
  /** What the document claims of the tarball; undefined where it claims nothing. */
  readonly claims: {
    readonly length: number | undefined;
    readonly shasum: string | undefined;
    readonly integrity: string | undefined;
  };
}

/** The request of a deprecation document: a message for each version it names, an empty one to lift a deprecation. */
export interface DeprecationRequest {
  readonly name: string;
  readonly messages: ReadonlyMap<string, string>;
}

/** @throws GatehouseError `invalid_request` if the body is no JSON object. */
export function asObject(document: unknown): Manifest {
  if (isObject(document)) return document;
  throw refusal('Invalid json', 'The document is not a JSON object. Publish with an npm client, which writes it.');
}

/** Whether any attachment came along, which makes a document a publish. */
export function hasAttachments(document: Manifest): boolean {
  const attachments = own(document, '_attachments');
  return isObject(attachments) && Object.keys(attachments).length > 0;
}

/**
 * Checks a document with a tarball in GitLab's order, name and version last.
 * @throws GatehouseError `invalid_request` naming what is missing or wrong.
 */
export function readPublishRequest(document: Manifest, nameInUrl: string): PublishRequest {
  const versions = requireVersions(document);
  const versionKeys = Object.keys(versions);
  const version = versionKeys[0];
  if (version === undefined) throw refusal('Version is empty.', 'The document holds no version to publish.');
  if (versionKeys.length > 1) {
    throw refusal(`The document holds ${versionKeys.length} versions. Publish them one at a time.`);
  }
  const name = requireName(document, nameInUrl);
  const manifest = requireObject(versions, version, `versions["${shorten(version)}"]`);
  const attachments = requireObject(document, '_attachments', '_attachments');
  const dist = requireObject(manifest, 'dist', `versions["${shorten(version)}"].dist`);
  const distTags = requireObject(document, 'dist-tags', 'dist-tags');

  const { tarballKey, bundleKey } = readAttachmentKeys(Object.keys(attachments), name, version);
  const attachment = requireObject(attachments, tarballKey, `_attachments["${shorten(tarballKey)}"]`);
  const data = own(attachment, 'data');
  if (typeof data !== 'string') throw refusal(`_attachments["${shorten(tarballKey)}"].data is missing.`);

  requireValidName(name);
  requireValidVersion(version);
  requireSame(own(manifest, 'name'), name, `versions["${version}"].name`);
  const ownVersion = own(manifest, 'version');
  if (typeof ownVersion !== 'string' || !isSameVersion(ownVersion, version))
    requireSame(ownVersion, version, `versions["${version}"].version`);
  requireManifestSize(manifest);

  return {
    name,
    version,
    manifest: { ...manifest, version },
    tags: readTags(distTags, version),
    tarballKey,
    bundleKey,
    readme: optionalString(document, 'readme') ?? optionalString(manifest, 'readme') ?? null,
    claims: {
      length: optionalNumber(attachment, 'length', `_attachments["${shorten(tarballKey)}"].length`),
      shasum: claim(dist, 'shasum'),
      integrity: claim(dist, 'integrity'),
    },
  };
}

/**
 * Reads a document without a tarball as a deprecation: it is one if a version in it carries `deprecated`, or if the client says so
 * in its header.
 * @throws GatehouseError `invalid_request` naming `_attachments` if it is none.
 */
export function readDeprecationRequest(document: Manifest, nameInUrl: string, announced: boolean): DeprecationRequest {
  const versions = requireVersions(document);
  const messages = new Map<string, string>();
  for (const [version, manifest] of Object.entries(versions)) {
    if (!isObject(manifest)) throw refusal(`versions["${shorten(version)}"] is not an object.`);
    const message = own(manifest, 'deprecated');
    // npm lifts a deprecation with an empty text, some clients with false or null.
    if (typeof message === 'string') messages.set(version, message);
    else if (message === false || message === null) messages.set(version, '');
    else if (message !== undefined) throw refusal(`versions["${shorten(version)}"].deprecated is not a text.`);
  }
  if (messages.size === 0) {
    if (announced) {
      throw new GatehouseError(
        'invalid_request',
        '"package versions to deprecate" not given: no version in the document carries "deprecated".',
        { gitlabMessage: '400 Bad request - "package versions to deprecate" not given' },
      );
    }
    throw refusal(
      '_attachments is missing. A publish needs the tarball in it; a deprecation needs versions with "deprecated".',
    );
  }
  const name = requireName(document, nameInUrl);
  for (const [version, message] of messages) requireDeprecationMessage(message, version);
  return { name, messages };
}

/** @throws GatehouseError `invalid_request` for a message that is too long to be kept. */
export function requireDeprecationMessage(message: unknown, version: string): void {
  if (typeof message === 'string' && message.length > longestDeprecation)
    throw refusal(`The deprecation message of ${shorten(version)} is longer than ${longestDeprecation} characters.`);
}

function requireVersions(document: Manifest): Manifest {
  const versions = own(document, 'versions');
  if (versions === undefined) {
    throw refusal('Versions key is missing from the JSON upload', 'Publish with an npm client, which writes it.');
  }
  if (!isObject(versions))
    throw refusal('versions is invalid: it must be an object with one manifest for each version.');
  return versions;
}

function requireName(document: Manifest, nameInUrl: string): string {
  const name = own(document, 'name');
  if (name === undefined || name === '') throw refusal('name is missing from the JSON upload.');
  if (typeof name !== 'string') throw refusal('name is invalid: it must be a text.');
  if (name !== nameInUrl) {
    throw refusal(
      `The document is about "${shorten(name)}", but it was sent to the address of "${shorten(nameInUrl)}". Both must name the same package.`,
    );
  }
  const id = own(document, '_id');
  if (id !== undefined && id !== name)
    throw refusal(`_id is ${shorten(JSON.stringify(id))}, but it must be the package's name, "${shorten(name)}".`);
  return name;
}

function readAttachmentKeys(
  keys: readonly string[],
  name: string,
  version: string,
): { tarballKey: string; bundleKey: string | null } {
  const tarballs = keys.filter((key) => key.endsWith('.tgz'));
  const tarballKey = tarballs[0];
  if (tarballKey === undefined)
    throw refusal(`_attachments["${name}-${version}.tgz"] is missing: the upload holds no tarball.`);
  if (tarballs.length > 1)
    throw refusal(`The upload holds ${tarballs.length} tarballs. Publish one version at a time.`);
  if (!isVersionInFileName(name, version, tarballKey)) {
    throw refusal(
      `The tarball is called "${shorten(tarballKey)}", but for this version it must be "${name}-${version}.tgz".`,
    );
  }
  const others = keys.filter((key) => key !== tarballKey);
  const isBundle = (key: string) =>
    key.endsWith('.sigstore') && isVersionInFileName(name, version, `${key.slice(0, -'.sigstore'.length)}.tgz`);
  const unknown = others.find((key) => !isBundle(key));
  if (unknown !== undefined) {
    throw refusal(
      `The upload holds "${shorten(unknown)}", which is neither the tarball nor its provenance bundle ("${name}-${version}.sigstore"). Leave it out.`,
    );
  }
  return { tarballKey, bundleKey: others[0] ?? null };
}

/** Whether a tarball's file name names this version, its scope and build metadata being there or not. */
function isVersionInFileName(name: string, version: string, file: string): boolean {
  const named = versionInFileName(name, file);
  return named !== undefined && isSameVersion(named, version);
}

function readTags(distTags: Manifest, version: string): string[] {
  const tags: string[] = [];
  for (const [tag, target] of Object.entries(distTags)) {
    requireValidTag(tag);
    if (typeof target !== 'string' || !isSameVersion(target, version)) {
      throw refusal(
        `The dist-tag "${shorten(tag)}" points at ${shorten(typeof target === 'string' ? target : (JSON.stringify(target) ?? ''))}, but this upload holds ${version}. Move other tags with "npm dist-tag add".`,
      );
    }
    tags.push(tag);
  }
  return tags;
}

function requireManifestSize(manifest: Manifest): void {
  const { readme: _readme, ...kept } = manifest;
  const size = Buffer.byteLength(JSON.stringify(kept));
  if (size <= maximumManifestBytes) return;
  throw refusal(
    `Validation failed: Package json structure is too large. Maximum size is ${maximumManifestBytes} bytes`,
    `This one has ${size}.`,
  );
}

function requireObject(holder: Manifest, key: string, name: string): Manifest {
  const value = own(holder, key);
  if (value === undefined || value === null) throw refusal(`${name} is missing from the JSON upload.`);
  if (!isObject(value)) throw refusal(`${name} is invalid: it must be an object.`);
  return value;
}

function requireSame(value: unknown, expected: string, name: string): void {
  if (value === expected) return;
  throw refusal(`${name} is ${shorten(JSON.stringify(value) ?? 'missing')}, but it must be "${shorten(expected)}".`);
}

function claim(dist: Manifest, key: string): string | undefined {
  const value = own(dist, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw refusal(`dist.${key} is invalid: it must be a text.`);
}

function optionalNumber(holder: Manifest, key: string, name: string): number | undefined {
  const value = own(holder, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw refusal(`${name} is invalid: it must be a whole number of bytes.`);
}

function optionalString(holder: Manifest, key: string): string | undefined {
  const value = own(holder, key);
  return typeof value === 'string' ? value : undefined;
}

function own(holder: Manifest, key: string): unknown {
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function isObject(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** GitLab's sentence first, so that clients that know it still recognise it; then what to do. */
function refusal(gitlabMessage: string, advice?: string): GatehouseError {
  const sentence = /[.:]$/.test(gitlabMessage) ? gitlabMessage : `${gitlabMessage}.`;
  return new GatehouseError('invalid_request', advice ? `${sentence} ${advice}` : gitlabMessage, {
    gitlabMessage,
  });
}
