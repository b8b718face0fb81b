import { createHash, hash } from 'node:crypto';
import type { TarballDigests } from './tarball-store.ts';

/** Works out the digests of a tarball that comes piece by piece. */
export class ContentHasher {
  readonly #sha512 = createHash('sha512');
  readonly #sha1 = createHash('sha1');
  #size = 0;

  update(chunk: Buffer): void {
    this.#sha512.update(chunk);
    this.#sha1.update(chunk);
    this.#size += chunk.length;
  }

  /** Of all that came; can be called once. */
  digests(): TarballDigests {
    return { sha512: this.#sha512.digest('hex'), sha1: this.#sha1.digest('hex'), size: this.#size };
  }
}

/** The digests of a tarball that is there as a whole, which takes less than piece by piece. */
export function digestsOf(bytes: Buffer): TarballDigests {
  return { sha512: hash('sha512', bytes, 'hex'), sha1: hash('sha1', bytes, 'hex'), size: bytes.length };
}
