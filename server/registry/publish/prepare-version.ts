import { GatehouseError } from '../../contract/errors.ts';
import type { NewVersion } from '../package-store.ts';
import { abbreviate } from '../packuments/packument-text.ts';
import { manifestDifferences } from './manifest-differences.ts';
import type { ReceivedTarball, ReceivedUpload } from './receive-upload.ts';
import type { TarballInspection } from './tarball-inspector.ts';
import type { TarballDigests } from './tarball-store.ts';
import { readPublishRequest, requireDeprecationMessage } from './upload-document.ts';
import type { Manifest, PublishRequest } from './upload-document.ts';
import { integrityOf } from '../../lib/integrity.ts';
import { maximumReadmeBytes } from './upload-limits.ts';
import { verifyUpload } from './verify-upload.ts';

/** A tarball whose bytes were looked at as a whole. */
export interface ExaminedTarball {
  readonly digests: TarballDigests;
  readonly inspection: TarballInspection;
  /** Of `name@version` and the integrity, as npm verifies it. */
  readonly signature: string;
}

/** A version that was checked as a whole and can be made visible, now or later. It is plain data. */
export interface PreparedVersion {
  readonly name: string;
  readonly tags: readonly string[];
  readonly digests: TarballDigests;
  readonly version: Omit<NewVersion, 'publishedAt' | 'imported'>;
  /** Fields in which the document differs from the tarball's package.json; absent if none, and in what was staged long ago. */
  readonly differences?: readonly string[];
  /** Message of a version that is deprecated from the start. */
  readonly deprecated?: string;
  /** What it came with, if no client published it: the audit trail and the version say so. */
  readonly source?: 'bundle';
}

/** Who publishes, as versions keep it, and the key that signs. */
export interface PublisherFacts {
  readonly userId: number | null;
  /** As manifests name publishers (`_npmUser`); undefined for nobody. */
  readonly person: { readonly name: string; readonly email: string } | undefined;
  readonly signatureKeyId: string;
}

/**
 * The request of a received document, with the tarball that belongs to it.
 * @throws GatehouseError `invalid_request` as `readPublishRequest`, and for a tarball without bytes.
 */
export function requestOf(
  { attachments }: Pick<ReceivedUpload, 'attachments'>,
  document: Manifest,
  nameInUrl: string,
): { request: PublishRequest; received: ReceivedTarball } {
  const request = readPublishRequest(document, nameInUrl);
  const received = attachments.get(request.tarballKey);
  if (received?.kind !== 'tarball') {
    throw new GatehouseError('invalid_request', `The document holds "_attachments" twice. Publish with an npm client.`);
  }
  if (received.writer.size === 0) {
    const text = 'Attachment data is empty.';
    throw new GatehouseError(
      'invalid_request',
      `${text} The tarball of ${request.name}@${request.version} has no bytes.`,
      {
        gitlabMessage: text,
      },
    );
  }
  return { request, received };
}

/**
 * Compares a request with the bytes that came along and makes a version of it.
 * @throws GatehouseError `invalid_request` that says what does not fit.
 */
export function prepareVersion(
  request: PublishRequest,
  { digests, inspection, signature }: ExaminedTarball,
  attachments: ReceivedUpload['attachments'],
  facts: PublisherFacts,
): PreparedVersion {
  verifyUpload(request, digests, inspection);
  const { name, version, tags } = request;
  requireDeprecationMessage(request.manifest['deprecated'], version);
  const bundle = readBundle(attachments, request);
  const {
    readme: _readme,
    dist: _dist,
    deprecated,
    // What npm warns of comes from the tarball, whatever the document says.
    hasInstallScript: _hasInstallScript,
    _attachments,
    ...kept
  } = request.manifest;
  const differences = manifestDifferences(kept, inspection.packageJson);
  const manifest = {
    ...kept,
    _id: `${name}@${version}`,
    // Who it was is what the registry knows, never what the document says.
    _npmUser: facts.person,
    ...(inspection.hasInstallScript ? { hasInstallScript: true } : {}),
  };
  return {
    name,
    tags,
    digests,
    ...(differences.length > 0 ? { differences } : {}),
    ...(typeof deprecated === 'string' && deprecated !== '' ? { deprecated } : {}),
    version: {
      version,
      publisherId: facts.userId,
      tarballSha512: digests.sha512,
      shasum: digests.sha1,
      integrity: integrityOf(digests.sha512),
      size: digests.size,
      fileCount: inspection.fileCount,
      unpackedSize: inspection.unpackedSize,
      manifest: JSON.stringify(manifest),
      abbreviated: JSON.stringify(abbreviate(manifest)),
      signature,
      signatureKeyId: facts.signatureKeyId,
      bundle,
      readme: chooseReadme(request, inspection),
    },
  };
}

function chooseReadme(request: PublishRequest, inspection: TarballInspection): NewVersion['readme'] {
  if (request.readme !== null && request.readme !== '' && request.readme !== 'ERROR: No README data found!') {
    const filename = request.manifest['readmeFilename'];
    return { filename: typeof filename === 'string' ? filename : 'README.md', text: cutReadme(request.readme) };
  }
  return inspection.readme && { ...inspection.readme, text: cutReadme(inspection.readme.text) };
}

function cutReadme(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maximumReadmeBytes) return text;
  const kept = bytes.toString('utf8', 0, maximumReadmeBytes).replace(/\uFFFD$/, '');
  return `${kept}\n\n… This README was cut here: it is longer than 1 MiB.\n`;
}

function readBundle(attachments: ReceivedUpload['attachments'], request: PublishRequest): NewVersion['bundle'] {
  if (request.bundleKey === null) return null;
  const received = attachments.get(request.bundleKey);
  const label = `The provenance bundle of ${request.name}@${request.version}`;
  if (received?.kind !== 'text') throw new GatehouseError('invalid_request', `${label} has no data.`);
  return { predicateType: predicateTypeOf(received.text, label), text: received.text };
}

/** Reads the predicate type out of a Sigstore bundle: its envelope holds an in-toto statement in base64. */
function predicateTypeOf(bundle: string, label: string): string {
  try {
    const parsed = JSON.parse(bundle) as { dsseEnvelope?: { payload?: unknown } };
    const payload = parsed.dsseEnvelope?.payload;
    if (typeof payload === 'string') {
      const statement = JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as { predicateType?: unknown };
      if (typeof statement.predicateType === 'string') return statement.predicateType;
    }
  } catch {
    // Falls through to the error below.
  }
  throw new GatehouseError('invalid_request', `${label} is no Sigstore bundle with an in-toto statement in it.`);
}
