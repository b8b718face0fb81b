import type { TarballStore, TarballWriter } from './tarball-port.ts';

/**
 * Decides when bytes on disk may go. An upload holds its content from before it is placed until its version is committed or
 * refused, so taking away an unused content can never take it from beneath an upload of the same bytes.
 */
export class TarballKeeper {
  readonly #tarballs: TarballStore;
  readonly #isUsed: (sha512: string) => boolean;
  readonly #held = new Map<string, number>();

  /** @param isUsed whether any version has this content */
  constructor(tarballs: TarballStore, isUsed: (sha512: string) => boolean) {
    this.#tarballs = tarballs;
    this.#isUsed = isUsed;
  }

  /** Places the bytes of an upload and commits what refers to them; if the commit fails, the bytes go again. */
  async keepWhile<T>(writer: TarballWriter, commit: () => Promise<T>): Promise<T> {
    const { sha512 } = writer.digests();
    this.#held.set(sha512, (this.#held.get(sha512) ?? 0) + 1);
    try {
      await writer.keep();
      return await commit();
    } finally {
      const others = (this.#held.get(sha512) ?? 1) - 1;
      if (others > 0) this.#held.set(sha512, others);
      else this.#held.delete(sha512);
      this.dropUnused([sha512]);
    }
  }

  /** Takes away those contents that no version has and no upload holds. */
  dropUnused(contents: Iterable<string>): void {
    for (const sha512 of contents) {
      if (!this.#held.has(sha512) && !this.#isUsed(sha512)) this.#tarballs.remove(sha512);
    }
  }
}
