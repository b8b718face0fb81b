import { rmSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { GatehouseError } from '../../contract/errors.ts';
import { syncFile } from '../../lib/durable.ts';
import { referenceCondition } from '../tarballs/tarball-references.ts';
import type { Sqlite } from './sqlite.ts';

/** Pages of 4 KiB that are copied at a time: a few milliseconds. */
const pagesPerStep = 1000;

export interface CopyProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * Copies a database that others may be writing to, as it is at one moment, into a file of its own (no WAL beside it), leaves out rows
 * of tarballs that nothing uses, and checks the copy. The file is on disk when this resolves; nothing is left if it rejects.
 * @throws GatehouseError `data_damaged` if the copy does not pass SQLite's check.
 */
export async function copyDatabase(
  source: string,
  target: string,
  onProgress: (progress: CopyProgress) => void = () => undefined,
): Promise<void> {
  const from = new BetterSqlite3(source, { readonly: true, fileMustExist: true });
  try {
    // The open transaction keeps one state, else every commit of another connection would restart the copy.
    from.exec('BEGIN');
    from.prepare('SELECT count(*) FROM sqlite_schema').get();
    await from.backup(target, {
      progress({ totalPages, remainingPages }) {
        onProgress({ done: totalPages - remainingPages, total: totalPages });
        return pagesPerStep;
      },
    });
    finishCopy(target);
    await syncFile(target);
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(target + suffix, { force: true });
    throw error;
  } finally {
    from.close();
  }
}

/** Makes a copy a plain file and checks it. */
function finishCopy(file: string): void {
  const copy = new BetterSqlite3(file);
  try {
    copy.pragma('journal_mode = DELETE');
    copy.exec(`DELETE FROM tarballs WHERE NOT (${referenceCondition(copy, 'tarballs.sha512')})`);
    requireSound(copy, 'The copy of the database');
  } finally {
    copy.close();
  }
}

/** @throws GatehouseError `data_damaged` with SQLite's own words. */
export function requireSound(sqlite: Sqlite, what: string): void {
  const [first] = sqlite.pragma('quick_check(1)') as { quick_check: string }[];
  if (first?.quick_check === 'ok') return;
  throw new GatehouseError('data_damaged', `${what} is damaged: ${first?.quick_check ?? 'it cannot be checked'}`);
}

/** Counts of what a copy of a database holds. */
export function countPackages(file: string): { packages: number; versions: number } {
  const copy = new BetterSqlite3(file, { readonly: true });
  try {
    const counts = copy
      .prepare<[], { packages: number; versions: number }>(
        'SELECT (SELECT count(*) FROM packages) AS packages, (SELECT count(*) FROM package_versions) AS versions',
      )
      .get();
    return counts ?? { packages: 0, versions: 0 };
  } finally {
    copy.close();
  }
}
