import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { digestsOf } from '../../registry/publish/content-hasher.ts';
import type { DataFolder } from '../data-folder.ts';
import { DiskTarballStore } from '../tarballs/tarball-store.ts';
import { keepBytes } from '../tarballs/tarball-writer.ts';
import { isSqliteError } from './sqlite.ts';
import type { Sqlite } from './sqlite.ts';
import { PackageSummaries } from './stores/package-summaries.ts';

type TarballFolders = Pick<DataFolder, 'tarballs' | 'temporary'>;

/*
 * Versions up to 0.1 left work for later in two tables, which migration 0007 drops. This does that work first. Remove together with
 * `legacy-commit-log.ts`.
 */

/**
 * Writes small tarballs to their files that an older version still had in the database or in that of a snapshot, and summaries that it left
 * stale.
 */
export async function settleLegacyFolder(sqlite: Sqlite, folder: DataFolder): Promise<void> {
  const isOlder = hasTable(sqlite, 'fresh_tarballs');
  await settleLegacyTables(sqlite, folder);
  if (isOlder) await settleLegacySnapshots(folder);
}

/** As `settleLegacyFolder`, for the databases of all snapshots. */
export async function settleLegacySnapshots(folder: DataFolder): Promise<void> {
  const snapshots = join(folder.path, 'snapshots');
  for (const name of existsSync(snapshots) ? readdirSync(snapshots) : []) {
    const file = join(snapshots, name, 'gatehouse.db');
    if (!existsSync(file)) continue;
    try {
      await settleSnapshot(file, folder);
    } catch (error) {
      // A snapshot that cannot be read must not stop the start; doctor reports it.
      if (!isSqliteError(error)) throw error;
    }
  }
}

async function settleSnapshot(file: string, folder: DataFolder): Promise<void> {
  const snapshot = new BetterSqlite3(file, { readonly: true });
  try {
    if (hasTable(snapshot, 'fresh_tarballs')) await writeFreshTarballs(snapshot, folder);
  } finally {
    snapshot.close();
  }
}

/** As `settleLegacyFolder`, for one database. */
export async function settleLegacyTables(sqlite: Sqlite, folder: TarballFolders): Promise<void> {
  if (hasTable(sqlite, 'fresh_tarballs')) await writeFreshTarballs(sqlite, folder);
  if (hasTable(sqlite, 'stale_summaries')) refreshStaleSummaries(sqlite);
}

async function writeFreshTarballs(sqlite: Sqlite, folder: TarballFolders): Promise<void> {
  const tarballs = new DiskTarballStore(folder.tarballs, folder.temporary);
  const ids = sqlite.prepare<[], number>('SELECT id FROM fresh_tarballs').pluck().all();
  const read = sqlite.prepare<[number], { sha512: string; bytes: Buffer }>(
    'SELECT sha512, bytes FROM fresh_tarballs WHERE id = ?',
  );
  for (const id of ids) {
    const row = read.get(id);
    // A file that is there may be good where the row is damaged.
    if (row && digestsOf(row.bytes).sha512 === row.sha512)
      await keepBytes(row.bytes, tarballs.temporaryFile(), tarballs.targetOf(row.sha512));
  }
}

function refreshStaleSummaries(sqlite: Sqlite): void {
  const stale = sqlite.prepare<[], number>('SELECT package_id FROM stale_summaries').pluck().all();
  if (stale.length === 0) return;
  const summaries = new PackageSummaries(sqlite);
  sqlite.transaction(() => stale.forEach((id) => summaries.refresh(id))).immediate();
}

function hasTable(sqlite: Sqlite, name: string): boolean {
  return sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}
