import type { Change, UnitOfWork } from '../../accounts/change.ts';
import type { TarballStore, TarballWriter } from './tarball-port.ts';

/**
 * Decides when bytes on disk may go. An upload holds its content from before it is placed until its version is committed or
 * refused, so taking away an unused content can never take it from beneath an upload of the same bytes.
 */
export class TarballKeeper {
  readonly #tarballs: TarballStore;
  readonly #isUsed: (sha512: string) => boolean;
  readonly #held = new Map<string, number>();
  #pauses = 0;
  readonly #postponed = new Set<string>();

  /** @param isUsed whether any version has this content */
  constructor(tarballs: TarballStore, isUsed: (sha512: string) => boolean) {
    this.#tarballs = tarballs;
    this.#isUsed = isUsed;
  }

  /**
   * Places the bytes of an upload and commits `work`, which refers to them, as one; if that fails, the bytes go again.
   */
  async keepWhile<T>(writer: TarballWriter, unitOfWork: UnitOfWork, work: (change: Change) => T): Promise<T> {
    const { sha512 } = writer.digests();
    this.#held.set(sha512, (this.#held.get(sha512) ?? 0) + 1);
    try {
      const place = await writer.keepWithCommit();
      const kept = await unitOfWork.write((change) => {
        // First what may refuse it.
        const done = work(change);
        place();
        return done;
      });
      this.#letGo(sha512);
      return kept;
    } catch (error) {
      this.#letGo(sha512);
      this.dropUnused([sha512]);
      throw error;
    }
  }

  #letGo(sha512: string): void {
    const others = (this.#held.get(sha512) ?? 1) - 1;
    if (others > 0) this.#held.set(sha512, others);
    else this.#held.delete(sha512);
  }

  /** Lets every content stay while `work` runs; what would have gone meanwhile goes at its end, if it still may. */
  async keepAllWhile<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses += 1;
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      if (this.#pauses === 0) {
        const postponed = [...this.#postponed];
        this.#postponed.clear();
        this.dropUnused(postponed);
      }
    }
  }

  /** Whether a version has this content or an upload holds it. */
  isNeeded(sha512: string): boolean {
    return this.#held.has(sha512) || this.#isUsed(sha512);
  }

  /** Whether a content may be taken away now. */
  mayGo(sha512: string): boolean {
    return this.#pauses === 0 && !this.isNeeded(sha512);
  }

  /** Takes away those contents that no version has and no upload holds. */
  dropUnused(contents: Iterable<string>): void {
    if (this.#pauses > 0) {
      for (const sha512 of contents) this.#postponed.add(sha512);
      return;
    }
    for (const sha512 of contents) {
      if (!this.isNeeded(sha512)) this.#tarballs.remove(sha512);
    }
  }
}
