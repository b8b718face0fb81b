import type { UnitOfWork } from '../../accounts/change.ts';
import type { TarballKeeper } from '../../registry/publish/tarball-keeper.ts';
import type { FreshTarballs } from './fresh-tarballs.ts';
import type { DiskTarballStore } from './tarball-store.ts';

/** Milliseconds without a publish before files are made: under load the disk is left to those who wait for it. */
const quietTime = 20;
/** Milliseconds that an upload under way may hold up the move. */
const longestWait = 1000;
/** Milliseconds until a failed move is tried again. */
const retryTime = 5000;
/** Milliseconds that a server that ends still spends on it. */
const closingTime = 1500;
/** Contents that are moved together: one commit takes all of them out of the database. */
const perBatch = 32;
/** Contents after whose move the database is put in order. */
const manyMoved = 64;

export interface TarballMoverParts {
  readonly fresh: FreshTarballs;
  readonly tarballs: Pick<DiskTarballStore, 'placeAll' | 'hasFile' | 'uploads'>;
  readonly keeper: Pick<TarballKeeper, 'mayGo' | 'dropUnused'>;
  readonly unitOfWork: UnitOfWork;
  /** Puts the database in order in a quiet moment, so that the next burst of publishes finds it so. */
  readonly tidy?: () => void;
}

/**
 * Moves fresh contents from the database to their files once publishing pauses. A content is in at least one of both places at any
 * moment, so neither a reader nor a crash meets a gap.
 */
export class TarballMover {
  readonly #parts: TarballMoverParts;
  #timer: NodeJS.Timeout | undefined;
  #addedAt = 0;
  #moving: Promise<void> | undefined;
  #closed = false;
  #settling = 0;
  #endsAt = Infinity;
  #moved = 0;

  constructor(parts: TarballMoverParts) {
    this.#parts = parts;
    parts.fresh.onAdded = () => {
      this.#addedAt = performance.now();
      this.#schedule(quietTime);
    };
    // What an earlier run left.
    if (parts.fresh.waiting > 0) this.#schedule(quietTime);
  }

  /**
   * Resolves when everything that was committed before the call is in its file.
   * @throws the error of the file system or of the commit; the contents stay where they were.
   */
  async settle(): Promise<void> {
    // A move under way may have begun before the last commit.
    await this.#moving?.catch(() => undefined);
    this.#settling += 1;
    try {
      await this.#move();
    } finally {
      this.#settling -= 1;
    }
  }

  /** Moves what can be moved in a short time and ends; the rest stays safe in the database for the next start. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#endsAt = performance.now() + closingTime;
    await this.settle().catch(() => undefined);
  }

  #schedule(delay: number): void {
    if (this.#closed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isBusy()) this.#schedule(quietTime);
      else this.#move().catch(() => this.#schedule(retryTime));
    }, delay);
    this.#timer.unref();
  }

  /** Whether a publish came just now or is on its way; one that takes its time does not count for long. */
  #isBusy(): boolean {
    const quietFor = performance.now() - this.#addedAt;
    return quietFor < quietTime || (this.#parts.tarballs.uploads > 0 && quietFor < longestWait);
  }

  #move(): Promise<void> {
    this.#moving ??= this.#moveAll().finally(() => {
      this.#moving = undefined;
    });
    return this.#moving;
  }

  async #moveAll(): Promise<void> {
    const { fresh, tarballs, keeper, unitOfWork } = this.#parts;
    // Under load others come all the time; they are left to the next move, which begins when publishing pauses again.
    const last = fresh.newest();
    for (;;) {
      const batch = fresh.oldest(last, perBatch);
      if (batch.length === 0 || performance.now() > this.#endsAt) break;
      if (this.#settling === 0 && this.#isBusy()) break;
      const wanted = batch.filter(({ sha512 }) => !keeper.mayGo(sha512));
      await tarballs.placeAll(wanted);
      // Meanwhile a file may have gone with an unpublish, and the same bytes may have come again.
      await unitOfWork.write(() =>
        fresh.delete(batch.filter(({ sha512 }) => tarballs.hasFile(sha512) || keeper.mayGo(sha512))),
      );
      // Whatever was unpublished while its file was made.
      keeper.dropUnused(wanted.map(({ sha512 }) => sha512));
      this.#moved += batch.length;
    }
    fresh.recount();
    if (this.#moved < manyMoved || fresh.waiting > 0) return;
    this.#moved = 0;
    try {
      this.#parts.tidy?.();
    } catch {
      // What a full disk prevents is tried again after the next burst.
    }
  }
}
