import { accessSync, constants } from 'node:fs';

/** Errors of Node and SQLite about a file that a person can act upon; the sentence follows the path. */
const sentences: Readonly<Record<string, string>> = {
  EACCES: 'cannot be used: the user that runs Gatehouse has no right to it. Change its owner or its permissions.',
  EPERM: 'cannot be used: the user that runs Gatehouse has no right to it. Change its owner or its permissions.',
  EISDIR: 'is a folder, where a file is expected. Move it away.',
  ENOTDIR: 'cannot be used: a part of the path is a file, where a folder is expected. Move that file away.',
  EEXIST: 'is in the way: something else than expected has that name. Move it away.',
  ELOOP: 'is a symbolic link, which is not followed here. Replace it by what it points at.',
  EROFS: 'cannot be written: its file system is read-only.',
  ENOSPC: 'cannot be written: the disk is full. Free some space and try again.',
  EDQUOT: 'cannot be written: the disk quota is used up. Free some space and try again.',
  ENAMETOOLONG: 'has a name that the file system does not take. Choose a shorter one.',
  EIO: 'cannot be read or written: the disk reports an error. Copy what can be read, and check the disk.',
  SQLITE_CANTOPEN: 'cannot be opened. Check that it is a file, its permissions and the free space on its disk.',
  SQLITE_PERM: 'cannot be used: the user that runs Gatehouse has no right to it. Change its owner or its permissions.',
  SQLITE_READONLY: 'cannot be written. Change its owner or its permissions, or make its file system writable.',
  SQLITE_FULL: 'cannot be written: the disk is full. Free some space and try again.',
  SQLITE_IOERR: 'cannot be read or written. Check the free space on its disk, and the disk itself.',
  SQLITE_BUSY: 'is in use by another program. Close that one and try again.',
};

/**
 * A sentence that names the path and what to do, for an error about a file.
 * @param file named where the error has no path, as those of SQLite
 * @returns undefined for any other error
 */
export function explainFileError(error: unknown, file?: string): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  const { code } = error;
  const known = Object.keys(sentences).find(
    (name) => code === name || (name.startsWith('SQLITE') && code.startsWith(`${name}_`)),
  );
  const cause = file !== undefined && code.startsWith('SQLITE') ? lackOfRights(file) : undefined;
  if (cause !== undefined) return explainFileError(cause);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : file;
  return known === undefined || path === undefined ? undefined : `${path} ${sentences[known]}`;
}

/** Why this process may not read and write a file, which SQLite does not say. */
function lackOfRights(file: string): Error | undefined {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code !== 'ENOENT' ? error : undefined;
  }
  return undefined;
}
