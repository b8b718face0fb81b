import { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { StartupError } from '../../lib/startup-error.ts';
import { requireOwner, unusable } from '../folder-marker.ts';
import { isDigest } from '../tarballs/tarball-store.ts';
import { requireKnownSchema, shippedMigrations } from './migrations.ts';
import { isSqliteError } from './sqlite.ts';
import type { Sqlite } from './sqlite.ts';

/** What a folder is opened for: to use its database, to replace it whatever it is, or to rebuild one that is lost. */
export type DatabaseUse = 'open' | 'replace' | 'rebuild';

/**
 * Looks at the database of a locked data folder, and leaves every file as it is. It is lost if it is missing or empty although there are
 * tarballs or snapshots.
 * @param crashedSince since when processes that crashed may have left tarballs without a version; null if none crashed
 * @throws StartupError `databaseDamaged` if it is lost and to be used, `failed` if it is not lost and to be rebuilt, `schemaTooNew` if a
 * newer Gatehouse wrote it, `dataFolderUnwritable` if it cannot be read.
 */
export function requireUsableDatabase(root: string, use: DatabaseUse, crashedSince: number | null): void {
  const file = join(root, 'gatehouse.db');
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts?.isFile() === false) {
    throw unusable(root, Object.assign(new Error('EISDIR'), { code: 'EISDIR' }), file);
  }
  if (facts !== undefined) requireOwner(file, facts.uid);
  const isPresent = facts !== undefined && facts.size > 0;
  const isUsed = isPresent && readUntouched(file, requireKnownAndUsed);
  if (use === 'replace') return;
  if (use === 'rebuild') {
    requireRebuildable(root, file, isUsed);
    return;
  }
  if (isUsed) return;
  // The first run of a folder may have crashed before it published anything.
  const before = isPresent ? crashedSince : null;
  if (!holdsTarballs(root, before ?? Infinity) && (isPresent || !holdsSnapshots(root))) return;
  throw new StartupError(
    'databaseDamaged',
    `The database ${file} is ${isPresent ? 'empty' : 'missing'}, and the folder holds the tarballs of a registry.`,
    {
      advice:
        'Nothing was changed. Put the database back, go back to a snapshot with "gatehouse snapshot restore NAME", or restore a backup into a new folder with "gatehouse restore FILE --data-dir DIR". Without any of these rebuild the versions from their tarballs with "gatehouse doctor --rebuild"; tags, users, tokens, rules and settings are lost then.',
    },
  );
}

function requireRebuildable(root: string, file: string, isUsed: boolean): void {
  if (isUsed) {
    throw new StartupError('failed', `The folder has a database (${file}), so nothing is rebuilt.`, {
      advice:
        'Nothing was changed. If it is damaged, go back to a snapshot or restore a backup; without either move the file away, then rebuild.',
    });
  }
  if (holdsTarballs(root, Infinity)) return;
  throw new StartupError('failed', `There is no tarball in ${join(root, 'tarballs')} to rebuild from.`);
}

/** Whether a version or a tarball was ever in it, or a rewind has made it as it is. */
function requireKnownAndUsed(sqlite: Sqlite): boolean {
  requireKnownSchema(sqlite, shippedMigrations());
  const has = (query: string): boolean => sqlite.prepare(query).get() !== undefined;
  if (!has(`SELECT 1 FROM sqlite_schema WHERE name = 'package_versions'`)) return false;
  return (
    has('SELECT 1 FROM tarballs LIMIT 1') ||
    has(`SELECT 1 FROM sqlite_sequence WHERE name = 'package_versions' AND seq > 0`) ||
    has(`SELECT 1 FROM audit_events WHERE action LIKE 'registry.%' LIMIT 1`)
  );
}

/** Reads a database whose folder is locked; what SQLite makes beside it for that is taken away or put back. Damage counts as a success. */
function readUntouched(file: string, read: (sqlite: Sqlite) => boolean): boolean {
  const shared = `${file}-shm`;
  const before = existsSync(shared) ? { bytes: readFileSync(shared), facts: statSync(shared) } : undefined;
  const hadLog = existsSync(`${file}-wal`);
  try {
    const sqlite = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
    try {
      return read(sqlite);
    } finally {
      sqlite.close();
    }
  } catch (error) {
    if (error instanceof StartupError) throw error;
    // Reported where the database is opened, in the same way wherever the damage is.
    if (isSqliteError(error, 'SQLITE_CORRUPT') || isSqliteError(error, 'SQLITE_NOTADB')) return true;
    throw unusable(dirname(file), error, file);
  } finally {
    if (!hadLog) rmSync(`${file}-wal`, { force: true });
    if (!before) rmSync(shared, { force: true });
    else {
      writeFileSync(shared, before.bytes);
      utimesSync(shared, before.facts.atimeMs / 1000, before.facts.mtimeMs / 1000);
    }
  }
}

/** @param before only tarballs that were written before this time count, in milliseconds since 1970 */
function holdsTarballs(root: string, before: number): boolean {
  const tarballs = join(root, 'tarballs');
  const isOlder = (file: string): boolean =>
    before === Infinity || (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < before;
  return namesIn(tarballs).some(
    (name) =>
      /^[0-9a-f]{2}$/.test(name) &&
      namesIn(join(tarballs, name)).some((rest) => isDigest(name + rest) && isOlder(join(tarballs, name, rest))),
  );
}

function holdsSnapshots(root: string): boolean {
  const snapshots = join(root, 'snapshots');
  return namesIn(snapshots).some((name) => existsSync(join(snapshots, name, 'gatehouse.db')));
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
