import { existsSync, mkdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { readHolder } from './folder-holder.ts';
import { isSqliteError } from './database/sqlite.ts';
import { StartupError } from '../lib/startup-error.ts';

/** Where everything of one registry lives. */
export interface DataFolder {
  readonly path: string;
  readonly databaseFile: string;
  readonly tarballs: string;
  /** Uploads under way; emptied at every start. */
  readonly temporary: string;
  readonly rootTokenFile: string;
  /** Whether the process that had the folder last did not get to close it. */
  readonly isAfterCrash: boolean;
  /** Gives the folder free for another server. */
  release(): void;
}

const holderFile = 'server.json';

/**
 * Prepares a data folder (made if missing, with mode 0700) and locks it for this process.
 * @throws StartupError `dataFolderUnwritable`, or `dataFolderLocked` with the pid of the server that has it.
 */
export function openDataFolder(path: string): DataFolder {
  const root = resolve(path);
  const tarballs = join(root, 'tarballs');
  const temporary = join(root, 'tmp');
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
    mkdirSync(tarballs, { recursive: true });
    // A probe, since root passes every permission check and a read-only mount shows only when written to.
    const probe = join(root, `.write-probe-${process.pid}`);
    writeFileSync(probe, '');
    unlinkSync(probe);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      'dataFolderUnwritable',
      `The data folder ${root} cannot be written: ${reason}. Choose another with --data-dir, or change its permissions.`,
      { cause: error },
    );
  }
  const lock = acquireLock(root, join(root, 'gatehouse.lock'));
  // Also where a power cut emptied it.
  const isAfterCrash = existsSync(join(root, holderFile));
  writeHolder(root, null);
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);

  let released = false;
  return {
    path: root,
    databaseFile: join(root, 'gatehouse.db'),
    tarballs,
    temporary,
    rootTokenFile: join(root, 'initial_root_token'),
    isAfterCrash,
    release() {
      if (released) return;
      released = true;
      rmSync(join(root, holderFile), { force: true });
      lock.close();
    },
  };
}

/** Notes which port the holder of the lock serves, for the error of the next process that opens the folder. */
export function announcePort(folder: DataFolder, port: number): void {
  writeHolder(folder.path, port);
}

function writeHolder(root: string, port: number | null): void {
  writeFileSync(join(root, holderFile), JSON.stringify({ pid: process.pid, port }), { mode: 0o600 });
}

/**
 * The lock is an exclusive transaction on an empty SQLite file: the operating system drops it with the process, however that ends,
 * and a process id that was reused can't be mistaken for a server.
 */
function acquireLock(root: string, lockFile: string): BetterSqlite3.Database {
  const lock = new BetterSqlite3(lockFile, { timeout: 0 });
  try {
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (!isSqliteError(error, 'SQLITE_BUSY')) {
      throw new StartupError('dataFolderUnwritable', `The data folder ${root} cannot be locked: ${String(error)}`, {
        cause: error,
      });
    }
  }
  const holder = readHolder(join(root, holderFile));
  const who = holder ? ` (process ${holder.pid}${holder.port === null ? '' : `, port ${holder.port}`})` : '';
  throw new StartupError(
    'dataFolderLocked',
    `The data folder ${root} is in use by another Gatehouse${who}. Stop that one, or choose another folder with --data-dir.`,
  );
}
