import { statSync, statfsSync } from 'node:fs';
import type { DayCount } from '../../../contract/server.ts';
import type { DataFolder } from '../../data-folder.ts';
import type { Sqlite } from '../sqlite.ts';
import { dayLength } from '../../../lib/calendar.ts';

export interface StoredCounts {
  readonly packages: number;
  readonly versions: number;
  readonly projects: number;
  readonly users: number;
  readonly protectedEnvironments: number;
  /** Bytes of all tarballs, each content once. */
  readonly tarballBytes: number;
}

/** Sums over the whole data folder. */
export class OverviewStore {
  readonly #folder: DataFolder;
  readonly #counts;
  readonly #publishes;
  readonly #downloads;

  constructor(sqlite: Sqlite, folder: DataFolder) {
    this.#folder = folder;
    this.#counts = sqlite.prepare<[], StoredCounts>(
      `SELECT (SELECT count(*) FROM package_summaries) AS packages,
              (SELECT coalesce(sum(version_count), 0) FROM package_summaries) AS versions,
              (SELECT count(*) FROM projects) AS projects,
              (SELECT count(*) FROM users) AS users,
              (SELECT count(*) FROM protected_environments) AS protectedEnvironments,
              (SELECT coalesce(sum(size), 0) FROM tarballs) AS tarballBytes`,
    );
    this.#publishes = sqlite.prepare<[number], { day: string; count: number }>(
      `SELECT date(published_at / 1000, 'unixepoch') AS day, count(*) AS count
         FROM package_versions WHERE published_at >= ? GROUP BY day`,
    );
    this.#downloads = sqlite.prepare<[string], { day: string; count: number }>(
      'SELECT day, count FROM download_days WHERE day >= ?',
    );
  }

  counts(): StoredCounts {
    const counts = this.#counts.get();
    if (!counts) throw new Error('SELECT without FROM answered no row');
    return counts;
  }

  /** The last `length` days up to the one of `now`, oldest first, empty ones included. */
  days(now: number, length: number): DayCount[] {
    const firstDay = Math.floor(now / dayLength) - length + 1;
    const publishes = new Map(this.#publishes.all(firstDay * dayLength).map(({ day, count }) => [day, count]));
    const downloads = new Map(this.#downloads.all(dayText(firstDay)).map(({ day, count }) => [day, count]));
    return Array.from({ length }, (_, index) => {
      const day = dayText(firstDay + index);
      return { day, publishes: publishes.get(day) ?? 0, downloads: downloads.get(day) ?? 0 };
    });
  }

  /** Bytes of the database with its log, and what the disk has left. */
  disk(): { database: number; free: number } {
    const { databaseFile, path } = this.#folder;
    const sizes = ['', '-wal'].map((suffix) => statSync(databaseFile + suffix, { throwIfNoEntry: false })?.size ?? 0);
    const { bavail, bsize } = statfsSync(path);
    return { database: sizes.reduce((sum, size) => sum + size, 0), free: bavail * bsize };
  }
}

function dayText(day: number): string {
  return new Date(day * dayLength).toISOString().slice(0, 10);
}
