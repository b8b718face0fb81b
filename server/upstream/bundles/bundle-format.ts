import { createHash, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { GatehouseError } from '../../contract/errors.ts';
import { publishedKey } from '../../registry/publish/manifest-signer.ts';
import { isObject } from '../proxy/foreign-packument.ts';

/**
 * A bundle is a tar archive: `bundle.json` (what is in it, with the SHA-512 of every tarball), `bundle.sig` (a signature over exactly those
 * bytes), then `tarballs/<sha512>.tgz`. The signature thereby covers every byte.
 */
export const contentsFile = 'bundle.json';
/** Bytes of `bundle.json`. */
export const contentsLimit = 64 * 1024 * 1024;
const mostValues = 2_000_000;
export const signatureFile = 'bundle.sig';
export const tarballFile = (sha512: string): string => `tarballs/${sha512}.tgz`;
export const tarballEntry = /^tarballs\/([0-9a-f]{128})\.tgz$/;

/**
 * Refuses a `bundle.json` that is too long, or has too many values, to be parsed in one piece: millions of empty arrays take few bytes there
 * and gigabytes of memory. The limits are those of some ten thousand versions.
 * @throws GatehouseError `invalid_request`
 */
export function requireModestContents(bytes: Buffer): void {
  let values = 0;
  let isText = false;
  for (let at = 0; at < bytes.length && bytes.length <= contentsLimit; at++) {
    const byte = bytes[at];
    if (byte === 0x22) isText = !isText;
    else if (isText && byte === 0x5c) at++;
    else if (!isText && (byte === 0x2c || byte === 0x5b || byte === 0x7b)) values++;
  }
  if (bytes.length > contentsLimit || values > mostValues) {
    throw new GatehouseError(
      'invalid_request',
      'The list of contents is too long for one bundle. Export it in several parts.',
    );
  }
}

const text = z.string().max(4096);
/** The last day of the year 9999. */
const latestTime = 253_402_300_799_999;

const isUnique = (values: readonly string[]): boolean => new Set(values).size === values.length;

const bundleVersion = z.object({
  version: z.string().max(256),
  sha512: z.string().regex(/^[0-9a-f]{128}$/),
  size: z.int().min(1),
  publishedAt: z.int().min(0).max(latestTime),
  deprecated: text.nullable(),
  // Only looked at from outside: checking each key of millions takes many times as long as reading them.
  manifest: z.custom<Record<string, unknown>>(isObject),
  readme: z.string().nullable(),
});
export type BundleVersion = z.infer<typeof bundleVersion>;

const bundlePackage = z.object({
  name: z.string().min(1).max(214),
  /** `local`: published at the registry that made the bundle. `cache`: from the registry that `source` names. */
  origin: z.enum(['local', 'cache']),
  source: text.nullable(),
  tags: z.record(z.string(), z.string()),
  versions: z.array(bundleVersion).min(1),
});
export type BundlePackage = z.infer<typeof bundlePackage>;

export const bundleContents = z.object({
  format: z.literal(1),
  createdAt: z.int().min(0).max(latestTime),
  source: text,
  missing: z.array(text).max(100_000),
  packages: z
    .array(bundlePackage)
    .refine((packages) => isUnique(packages.map(({ name }) => name)), 'A package is named twice.')
    .refine(
      (packages) => packages.every(({ versions }) => isUnique(versions.map(({ version }) => version))),
      'A version is named twice.',
    ),
});
export type BundleContents = z.infer<typeof bundleContents>;

const signature = z.object({
  keyId: z.string().max(200),
  publicKey: z.string().max(4096),
  signature: z.string().max(4096),
});

export interface BundleKey {
  readonly keyId: string;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The content of `bundle.sig`. */
export function signContents(contents: Buffer, key: BundleKey): Buffer {
  const { keyId, publicKey, privateKey } = key;
  return Buffer.from(
    JSON.stringify({ keyId, publicKey, signature: sign('sha256', contents, privateKey).toString('base64') }),
  );
}

/**
 * The fingerprint of the key that signed these contents.
 * @throws GatehouseError `invalid_request` if the signature does not hold or the key is not the one it says it is.
 */
export function verifyContents(contents: Buffer, signed: Buffer): string {
  try {
    const { keyId, publicKey, signature: bytes } = signature.parse(JSON.parse(signed.toString('utf8')));
    const fingerprint = `SHA256:${createHash('sha256')
      .update(Buffer.from(publishedKey({ keyId, publicKey }).key, 'base64'))
      .digest('base64')}`;
    if (fingerprint === keyId && verify('sha256', contents, publicKey, Buffer.from(bytes, 'base64'))) return keyId;
  } catch {
    // Falls through to the error below.
  }
  throw new GatehouseError(
    'invalid_request',
    'The signature of this bundle does not hold: it was damaged or changed on its way. Nothing was imported.',
  );
}
