import { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { StartupError } from '../../lib/startup-error.ts';
import { requireOwner, unusable } from '../folder-marker.ts';
import { isDigest } from '../tarballs/tarball-store.ts';
import { requireKnownSchema, shippedMigrations } from './migrations.ts';
import { isSqliteError } from './sqlite.ts';
import type { Sqlite } from './sqlite.ts';

/**
 * Looks at the database of a locked data folder, and leaves every file as it is.
 * @throws StartupError `databaseDamaged` if it is missing or empty although there are tarballs or snapshots, `schemaTooNew` if a newer
 * Gatehouse wrote it, `dataFolderUnwritable` if it cannot be read.
 */
export function requireUsableDatabase(
  root: string,
  options: { readonly mayBeMissing: boolean; readonly isAfterCrash: boolean },
): void {
  const file = join(root, 'gatehouse.db');
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts?.isFile() === false) {
    throw unusable(root, Object.assign(new Error('EISDIR'), { code: 'EISDIR' }), file);
  }
  if (facts !== undefined) requireOwner(file, facts.uid);
  const isPresent = facts !== undefined && facts.size > 0;
  const isFull = isPresent && readUntouched(file, options.isAfterCrash ? requireKnown : requireKnownAndUsed);
  if (isFull || options.mayBeMissing || !(holdsTarballs(root) || (!isPresent && holdsSnapshots(root)))) return;
  throw new StartupError(
    'databaseDamaged',
    `The database ${file} is ${isPresent ? 'empty' : 'missing'}, and the folder holds the tarballs of a registry.`,
    {
      advice:
        'Nothing was changed. Put the database back, go back to a snapshot with "gatehouse snapshot restore NAME", or restore a backup into a new folder with "gatehouse restore FILE --data-dir DIR". Without any of these start a new data folder; the tarballs of this one can be published again.',
    },
  );
}

function requireKnown(sqlite: Sqlite): boolean {
  requireKnownSchema(sqlite, shippedMigrations());
  return true;
}

/** Whether a version or a tarball was ever in it, or a rewind has made it as it is. */
function requireKnownAndUsed(sqlite: Sqlite): boolean {
  requireKnown(sqlite);
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

function holdsTarballs(root: string): boolean {
  const tarballs = join(root, 'tarballs');
  return namesIn(tarballs).some(
    (name) => /^[0-9a-f]{2}$/.test(name) && namesIn(join(tarballs, name)).some((rest) => isDigest(name + rest)),
  );
}

function holdsSnapshots(root: string): boolean {
  const snapshots = join(root, 'snapshots');
  return namesIn(snapshots).some((name) => existsSync(join(snapshots, name, 'gatehouse.db')));
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
