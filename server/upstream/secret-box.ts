import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { GatehouseError } from '../contract/errors.ts';

const version = 'v1';

/**
 * Encrypts the tokens of other registries (AES-256-GCM), so that a copy of the database, for instance a backup sent by mail, does not
 * reveal them. The key is in a file of its own.
 */
export class SecretBox {
  readonly #key: Buffer;

  /** @param key 32 bytes */
  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Encrypts a secret; `open` decrypts it. */
  seal(secret: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce);
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return [version, ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
  }

  /** @throws GatehouseError `conflict` if it was encrypted with another key. */
  open(sealed: string): string {
    const [found, nonce = '', tag = '', data = ''] = sealed.split('.');
    try {
      if (found !== version) throw new Error('unknown version');
      const decipher = createDecipheriv('aes-256-gcm', this.#key, Buffer.from(nonce, 'base64url'));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(data, 'base64url')), decipher.final()]).toString('utf8');
    } catch {
      throw new GatehouseError(
        'conflict',
        'The token of this upstream cannot be read: it was encrypted with another key (DATA/upstream.key is missing or from another folder). Set the token again.',
      );
    }
  }
}
