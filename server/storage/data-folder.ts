import { chmodSync, existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { makeFolders } from '../lib/make-folders.ts';
import { StartupError } from '../lib/startup-error.ts';
import { requireUsableDatabase } from './database/examine-database.ts';
import type { DatabaseUse } from './database/examine-database.ts';
import { isSqliteError } from './database/sqlite.ts';
import { crashedSince, holderFileOf, readHolder, writeHolder } from './folder-holder.ts';
import type { FolderHolder } from './folder-holder.ts';
import { markFolder, recogniseFolder, requirePrivateFolder, unusable } from './folder-marker.ts';

/** Where everything of one registry lives. */
export interface DataFolder {
  readonly path: string;
  readonly databaseFile: string;
  readonly tarballs: string;
  /** Uploads under way; emptied at every start. */
  readonly temporary: string;
  readonly rootTokenFile: string;
  /** Since when processes that did not get to close the folder may have left files; null if the last one closed it. */
  readonly crashedSince: number | null;
  /** Notes which port this process serves, and where it listens for commands. */
  announce(facts: Partial<Pick<FolderHolder, 'port' | 'socket'>>): void;
  /** Notes that nothing is left of crashes before this start. */
  settleCrash(): void;
  /** Gives the folder free for another server. */
  release(): void;
}

export interface DataFolderOptions {
  /** `open` if left out. */
  readonly database?: DatabaseUse;
}

const lockFile = 'gatehouse.lock';
/** A name that nobody else gives a folder: everything in it is deleted at each start. */
const temporaryFolder = 'gatehouse-temporary';
const legacyTemporary =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.part|(?:state-[0-9a-f-]{36}|backup-\d+-\d+|unpacked(?:-\d+)?)\.db(?:-wal|-shm|-journal)?)$/;
/** Only this user can enter them, also in a data folder that others can read. */
const privateFolders = ['tarballs', 'snapshots', 'quarantine', 'backups'];

/**
 * Prepares a data folder (made if missing, with mode 0700) and locks it for this process. A folder that cannot be used is left as it is.
 * @throws StartupError `dataFolderRefused` for a folder that is not Gatehouse's or not safe from other users, `dataFolderUnwritable`,
 * `schemaTooNew`, `databaseDamaged` for a missing database (`failed` for one that is there and to be rebuilt), `dataFolderLocked` with the pid of the server that has it.
 */
export function openDataFolder(path: string, options: DataFolderOptions = {}): DataFolder {
  const root = resolve(path);
  const state = recogniseFolder(root);
  if (state === 'absent') makeFolder(root);
  const { lock, wasMade } = acquireLock(root);
  try {
    const since = crashedSince(root);
    requireUsableDatabase(root, options.database ?? 'open', since);
    prepareFolder(root);
    return holdFolder(root, lock, since);
  } catch (error) {
    lock.close();
    if (wasMade && state !== 'registry') rmSync(join(root, lockFile), { force: true });
    throw error instanceof StartupError ? error : unusable(root, error);
  }
}

function holdFolder(root: string, lock: BetterSqlite3.Database, crashedSince: number | null): DataFolder {
  const startedAt = Date.now();
  let isSettled = crashedSince === null;
  let isReleased = false;
  let holder: FolderHolder = { pid: process.pid, port: null, socket: null, since: crashedSince ?? startedAt };
  const update = (facts: Partial<FolderHolder>): void => {
    holder = { ...holder, ...facts };
    writeHolder(root, holder);
  };
  update({});
  return {
    path: root,
    databaseFile: join(root, 'gatehouse.db'),
    tarballs: join(root, 'tarballs'),
    temporary: join(root, temporaryFolder),
    rootTokenFile: join(root, 'initial_root_token'),
    crashedSince,
    announce: update,
    settleCrash() {
      if (isSettled || isReleased) return;
      isSettled = true;
      update({ since: startedAt });
    },
    release() {
      if (isReleased) return;
      isReleased = true;
      if (isSettled) rmSync(holderFileOf(root), { force: true });
      lock.close();
    },
  };
}

function makeFolder(root: string): void {
  try {
    makeFolders(root);
    // Another user may have made it in between.
    requirePrivateFolder(root);
  } catch (error) {
    throw error instanceof StartupError ? error : unusable(root, error);
  }
}

function prepareFolder(root: string): void {
  // A probe, since root passes every permission check and a read-only mount shows only when written to.
  const probe = join(root, `.write-probe-${process.pid}`);
  writeFileSync(probe, '', { mode: 0o600 });
  unlinkSync(probe);
  markFolder(root);
  makeFolders(join(root, 'tarballs'));
  if (process.platform !== 'win32') {
    for (const name of privateFolders) if (existsSync(join(root, name))) chmodSync(join(root, name), 0o700);
  }
  emptyLegacyTemporary(join(root, 'tmp'));
  const temporary = join(root, temporaryFolder);
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { mode: 0o700 });
}

/** Up to 0.1 uploads were in a folder with a common name: deletes only what those versions put there. */
function emptyLegacyTemporary(folder: string): void {
  if (!existsSync(folder)) return;
  const names = readdirSync(folder);
  const own = names.filter((name) => legacyTemporary.test(name));
  for (const name of own) rmSync(join(folder, name), { force: true });
  if (own.length === names.length) rmdirSync(folder);
}

/**
 * The lock is an exclusive transaction on an empty SQLite file: the operating system drops it with the process, however that ends,
 * and a process id that was reused can't be mistaken for a server.
 */
function acquireLock(root: string): { lock: BetterSqlite3.Database; wasMade: boolean } {
  const file = join(root, lockFile);
  const wasMade = !existsSync(file);
  let lock: BetterSqlite3.Database | undefined;
  try {
    lock = new BetterSqlite3(file, { timeout: 0 });
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    // For a process with another umask: a user who may read the file may lock it, too.
    if (wasMade) chmodSync(file, 0o600);
    return { lock, wasMade };
  } catch (error) {
    lock?.close();
    if (!isSqliteError(error, 'SQLITE_BUSY')) {
      throw unusable(root, error, file);
    }
  }
  const holder = readHolder(root);
  const who = holder ? ` (process ${holder.pid}${holder.port === null ? '' : `, port ${holder.port}`})` : '';
  throw new StartupError('dataFolderLocked', `The data folder ${root} is in use by another Gatehouse${who}.`, {
    advice: 'Stop that one, or choose another folder with --data-dir.',
  });
}
