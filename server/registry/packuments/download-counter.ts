import type { UnitOfWork } from '../../accounts/change.ts';

export interface DownloadStore {
  /** Returns the package of the version; undefined if the version is gone. */
  addDownloads(versionId: number, count: number, lastAt: number): number | undefined;
  /** Drops the counts by package and day of days before that of a moment. */
  forgetDownloads(before: number): void;
}

/** Milliseconds for which the counts of days are kept. */
const keptFor = 400 * 86_400_000;

/** Counts downloads in memory and writes the sums now and then, so that no download waits for a commit. A crash loses some counts. */
export class DownloadCounter {
  readonly #store: DownloadStore;
  readonly #unitOfWork: UnitOfWork;
  readonly #interval: number;
  #counts = new Map<number, { count: number; lastAt: number }>();
  #timer: NodeJS.Timeout | undefined;

  /** @param interval milliseconds between two writes */
  constructor(store: DownloadStore, unitOfWork: UnitOfWork, interval = 2000) {
    this.#store = store;
    this.#unitOfWork = unitOfWork;
    this.#interval = interval;
  }

  count(versionId: number): void {
    const known = this.#counts.get(versionId);
    if (known) {
      known.count += 1;
      known.lastAt = Date.now();
    } else this.#counts.set(versionId, { count: 1, lastAt: Date.now() });
    if (this.#timer) return;
    this.#timer = setTimeout(() => void this.flush(), this.#interval);
    this.#timer.unref();
  }

  /** Writes what was counted so far. Never rejects: what can't be written is counted again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const counts = this.#counts;
    if (counts.size === 0) return;
    this.#counts = new Map();
    try {
      await this.#unitOfWork.write((change) => {
        const packageIds = new Set<number>();
        for (const [versionId, { count, lastAt }] of counts) {
          const packageId = this.#store.addDownloads(versionId, count, lastAt);
          if (packageId !== undefined) packageIds.add(packageId);
        }
        this.#store.forgetDownloads(Date.now() - keptFor);
        change.emit('downloads.counted', { packageIds: [...packageIds] });
      });
    } catch {
      for (const [versionId, { count, lastAt }] of counts) {
        const newer = this.#counts.get(versionId);
        this.#counts.set(versionId, { count: count + (newer?.count ?? 0), lastAt: newer?.lastAt ?? lastAt });
      }
    }
  }
}
