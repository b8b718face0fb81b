import { chmodSync, closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GatehouseError } from '../../contract/errors.ts';
import { explainFileError } from '../../lib/file-error.ts';
import { StartupError } from '../../lib/startup-error.ts';
import type { DataFolder } from '../data-folder.ts';
import { unusable } from '../folder-marker.ts';
import { requireSound } from './database-copy.ts';
import { applyLegacyCommitLog } from './legacy-commit-log.ts';
import { settleLegacyFolder } from './legacy-tables.ts';
import { migrate, shippedMigrations } from './migrations.ts';
import { isSqliteError, openSqlite } from './sqlite.ts';
import type { Sqlite } from './sqlite.ts';

/**
 * Opens the database of a data folder with today's schema; made on first use.
 * @throws StartupError if its schema can't be brought up to date; damage throws as SQLite has it.
 */
export async function openDatabase(folder: DataFolder): Promise<Sqlite> {
  // It holds hashes of tokens and the signing key: no other user may read it at any moment. SQLite gives the WAL the same mode.
  closeSync(openSync(folder.databaseFile, 'a', 0o600));
  const sqlite = openSqlite(folder.databaseFile);
  try {
    chmodSync(folder.databaseFile, 0o600);
    // After a crash of the machine, damage would otherwise show only when its page is read.
    if (folder.crashedSince !== null) requireSound(sqlite, 'It');
    applyLegacyCommitLog(sqlite, join(dirname(folder.databaseFile), 'commits.log'));
    await settleLegacyFolder(sqlite, folder);
    migrate(sqlite, shippedMigrations());
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * The error of a start: damage, which any statement may meet first, as `databaseDamaged`; a file that cannot be used as
 * `dataFolderUnwritable`.
 */
export function startErrorFor(folder: DataFolder, error: unknown): unknown {
  const isDamage = error instanceof GatehouseError && error.code === 'data_damaged';
  if (!isDamage && !isSqliteError(error, 'SQLITE_CORRUPT') && !isSqliteError(error, 'SQLITE_NOTADB'))
    return explainFileError(error, folder.databaseFile) === undefined
      ? error
      : unusable(folder.path, error, folder.databaseFile);
  return new StartupError('databaseDamaged', `The database ${folder.databaseFile} is damaged (${error.message}).`, {
    cause: error,
    advice:
      'Go back to a snapshot with "gatehouse snapshot restore NAME", restore a backup with "gatehouse restore FILE --data-dir DIR", or move the file away to start empty.',
  });
}
