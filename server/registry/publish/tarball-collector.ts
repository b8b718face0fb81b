import type { Change, UnitOfWork } from '../../accounts/change.ts';
import type { TarballStore, TarballWriter } from './tarball-store.ts';

/**
 * Decides when tarballs may be deleted. An upload counts as a reference to its content from before it is kept until its version is
 * committed or refused, so a deletion never takes the bytes from another upload of the same content.
 */
export class TarballCollector {
  readonly #tarballs: Pick<TarballStore, 'remove'>;
  readonly #isReferenced: (sha512: string) => boolean;
  /** Uploads under way by content. */
  readonly #uploads = new Map<string, number>();
  #pauses = 0;
  readonly #postponed = new Set<string>();

  /** @param isReferenced whether any version or snapshot has this content */
  constructor(tarballs: Pick<TarballStore, 'remove'>, isReferenced: (sha512: string) => boolean) {
    this.#tarballs = tarballs;
    this.#isReferenced = isReferenced;
  }

  /** Keeps the bytes of an upload, then commits `work`, which refers to them; if either fails, the bytes go again. */
  withReference<T>(writer: TarballWriter, unitOfWork: UnitOfWork, work: (change: Change) => T): Promise<T> {
    return this.withPreparation(writer, unitOfWork, () => Promise.resolve(work));
  }

  /** As `withReference`, for a work that `prepare` makes while the bytes are on their way to the disk. Its error comes first. */
  async withPreparation<T>(
    writer: TarballWriter,
    unitOfWork: UnitOfWork,
    prepare: () => Promise<(change: Change) => T>,
  ): Promise<T> {
    const release = this.hold(writer.digests().sha512);
    let isCommitted = false;
    try {
      const [kept, work] = await Promise.allSettled([writer.keep(), prepare()]);
      if (work.status === 'rejected') throw work.reason;
      if (kept.status === 'rejected') throw kept.reason;
      const result = await unitOfWork.write(work.value);
      isCommitted = true;
      return result;
    } finally {
      release(isCommitted);
    }
  }

  /** Counts as a reference to a content, which is to be kept now, until the returned function says whether something refers to it. */
  hold(sha512: string): (isCommitted: boolean) => void {
    this.#uploads.set(sha512, (this.#uploads.get(sha512) ?? 0) + 1);
    return (isCommitted) => {
      const others = (this.#uploads.get(sha512) ?? 1) - 1;
      if (others > 0) this.#uploads.set(sha512, others);
      else this.#uploads.delete(sha512);
      if (!isCommitted) this.deleteUnused([sha512]);
    };
  }

  /** Deletes nothing while `work` runs; what would have been deleted meanwhile is looked at again at its end. */
  async pauseWhile<T>(work: () => Promise<T>): Promise<T> {
    this.#pauses += 1;
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      this.deleteUnused([]);
    }
  }

  /** Whether a version, a snapshot or an upload has this content. */
  isReferenced(sha512: string): boolean {
    return this.#uploads.has(sha512) || this.#isReferenced(sha512);
  }

  /** Deletes those contents that nothing refers to; what cannot be deleted is tried again by the next call. */
  deleteUnused(contents: Iterable<string>): void {
    for (const sha512 of contents) this.#postponed.add(sha512);
    if (this.#pauses > 0) return;
    for (const sha512 of this.#postponed) {
      try {
        if (!this.isReferenced(sha512)) this.#tarballs.remove(sha512);
      } catch {
        // For instance no descriptor is free.
        return;
      }
      this.#postponed.delete(sha512);
    }
  }
}
