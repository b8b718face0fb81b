import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** A key that signs versions, both halves in PEM. */
export interface SigningKey {
  readonly keyId: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly createdAt: number;
}

/** A key as `/-/npm/v1/keys` shows it: the public half is base64 of its DER form. */
export interface PublishedKey {
  readonly keyid: string;
  readonly keytype: 'ecdsa-sha2-nistp256';
  readonly scheme: 'ecdsa-sha2-nistp256';
  readonly key: string;
  readonly expires: null;
}

/** A new ECDSA P-256 pair. Its id is the SHA-256 fingerprint of the public key, as npm computes it. */
export function createSigningKey(now: number): SigningKey {
  const pair = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const fingerprint = createHash('sha256').update(derOf(pair.publicKey)).digest('base64');
  return { keyId: `SHA256:${fingerprint}`, publicKey: pair.publicKey, privateKey: pair.privateKey, createdAt: now };
}

/** Signs versions with one key, which is parsed once. */
export class ManifestSigner {
  readonly keyId: string;
  readonly #key: KeyObject;

  constructor(key: SigningKey) {
    this.keyId = key.keyId;
    this.#key = createPrivateKey(key.privateKey);
  }

  /** The signature of `name@version` as npm verifies it: over `name@version:integrity`, in base64. */
  sign(subject: string, integrity: string): string {
    return sign('sha256', Buffer.from(`${subject}:${integrity}`), this.#key).toString('base64');
  }
}

/** Whether a signature made by `ManifestSigner` holds. */
export function verifyVersion(
  publicKey: string,
  signed: { name: string; version: string; integrity: string; signature: string },
): boolean {
  const message = Buffer.from(`${signed.name}@${signed.version}:${signed.integrity}`);
  return verify('sha256', message, publicKey, Buffer.from(signed.signature, 'base64'));
}

export function publishedKey(key: Pick<SigningKey, 'keyId' | 'publicKey'>): PublishedKey {
  return {
    keyid: key.keyId,
    keytype: 'ecdsa-sha2-nistp256',
    scheme: 'ecdsa-sha2-nistp256',
    key: derOf(key.publicKey).toString('base64'),
    expires: null,
  };
}

function derOf(publicKey: string): Buffer {
  return createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
}
