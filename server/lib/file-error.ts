import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type ErrorCode, GatehouseError } from '../contract/errors.ts';

interface FileFault {
  readonly code: ErrorCode;
  /** What is wrong and what to do; follows the path, or what stands for it. */
  readonly sentence: string;
  /** Seconds after which a retry makes sense, where the fault may end by itself. */
  readonly retryAfterSeconds?: number;
}

const noRight = 'cannot be used: the user that runs Gatehouse has no right to it. Change its owner or its permissions.';
const full = 'cannot be written: the disk is full. Free some space and try again.';
const damaged = 'is damaged. Run "gatehouse doctor" to see what is wrong, and go back to a snapshot or a backup.';

/** Errors of Node and SQLite about a file that a person can act upon. */
const faults: Readonly<Record<string, FileFault>> = {
  EACCES: unusable(noRight),
  EPERM: unusable(noRight),
  ENOENT: unusable('is missing. Check its path, or put it back.'),
  EISDIR: unusable('is a folder, where a file is expected. Move it away.'),
  ENOTDIR: unusable('cannot be used: a part of the path is a file, where a folder is expected. Move that file away.'),
  EEXIST: unusable('is in the way: something else than expected has that name. Move it away.'),
  ELOOP: unusable('is a symbolic link, which is not followed here. Replace it by what it points at.'),
  EROFS: unusable('cannot be written: its file system is read-only. Make it writable.'),
  EMFILE: unusable('cannot be opened: the server has too many files open. Try again in a moment.', 5),
  ENFILE: unusable('cannot be opened: the machine has too many files open. Try again in a moment.', 5),
  ENOSPC: { code: 'storage_full', sentence: full },
  EDQUOT: {
    code: 'storage_full',
    sentence: 'cannot be written: the disk quota is used up. Free some space and try again.',
  },
  ENAMETOOLONG: unusable('has a name that the file system does not take. Choose a shorter one.'),
  EIO: unusable('cannot be read or written: the disk reports an error. Copy what can be read, and check the disk.'),
  SQLITE_CANTOPEN: unusable(
    'cannot be opened. Check that it is a file, its permissions and the free space on its disk.',
  ),
  SQLITE_PERM: unusable(noRight),
  SQLITE_READONLY: unusable(
    'cannot be written. Change its owner or its permissions, or make its file system writable.',
  ),
  SQLITE_FULL: { code: 'storage_full', sentence: full },
  SQLITE_IOERR: unusable('cannot be read or written. Check the free space on its disk, and the disk itself.'),
  SQLITE_BUSY: unusable('is in use by another program. Close that one and try again.', 2),
  SQLITE_CORRUPT: { code: 'data_damaged', sentence: damaged },
  SQLITE_NOTADB: { code: 'data_damaged', sentence: damaged },
};

function unusable(sentence: string, retryAfterSeconds?: number): FileFault {
  return { code: 'storage_unavailable', sentence, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/**
 * A sentence that names the path and what to do, for an error about a file. For the owner of the machine and the log only.
 * @param file named where the error has no path, as those of SQLite
 * @returns undefined for any other error
 */
export function explainFileError(error: unknown, file?: string): string | undefined {
  const fault = faultOf(error);
  if (!fault) return undefined;
  const cause = file !== undefined && isOfSqlite(error) ? lackOfRights(file) : undefined;
  if (cause !== undefined) return explainFileError(cause);
  const path = pathOf(error) ?? file;
  return path === undefined ? undefined : `${path} ${fault.sentence}`;
}

/** As `explainFileError`, for an error met while a data folder was in use, which names the file of it where the error does not. */
export function explainDataError(error: unknown, dataFolder: string): string | undefined {
  return explainFileError(error, isOfSqlite(error) ? join(dataFolder, 'gatehouse.db') : dataFolder);
}

/**
 * Any error as a `GatehouseError` for its callers, who may be anywhere: what is wrong with a file is said without its path. An unknown one
 * becomes `internal`; its details belong in the log only.
 */
export function asGatehouseError(error: unknown): GatehouseError {
  if (error instanceof GatehouseError) return error;
  const fault = faultOf(error);
  if (!fault) return new GatehouseError('internal');
  const { code, sentence, retryAfterSeconds } = fault;
  const subject = isOfSqlite(error) ? "The registry's database" : "A file or folder of the registry's data";
  return new GatehouseError(
    code,
    `${subject} ${sentence} The log of the server names it.`,
    retryAfterSeconds === undefined ? {} : { retryAfterSeconds },
  );
}

/** Adds the path to an error about writing or reading a file that was open, which has none. */
export function withPath(error: unknown, path: string): unknown {
  const isNameless = faultOf(error) !== undefined && !isOfSqlite(error) && pathOf(error) === undefined;
  return isNameless && error instanceof Error ? Object.assign(error, { path }) : error;
}

function faultOf(error: unknown): FileFault | undefined {
  const code = codeOf(error);
  const known = Object.keys(faults).find(
    (name) => code === name || (name.startsWith('SQLITE') && code.startsWith(`${name}_`)),
  );
  return known === undefined ? undefined : faults[known];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function isOfSqlite(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE');
}

function pathOf(error: unknown): string | undefined {
  return error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
}

/** Why this process may not read and write a file, which SQLite does not say. */
function lackOfRights(file: string): Error | undefined {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    return codeOf(error) === 'ENOENT' || !(error instanceof Error) ? undefined : error;
  }
  return undefined;
}
