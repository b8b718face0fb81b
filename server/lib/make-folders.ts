import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolderNow } from './durable.ts';

/**
 * Makes a folder that a person named, with those above it, all with mode 0700; one that is there stays as it is. Each one made is on disk
 * when this returns, so that no crash takes a folder with what was synced in it. Node's own recursive
 * `mkdir` never returns where a file system answers that something is missing although the folder above is there, as /proc does.
 * @throws the error of the file system.
 */
export function makeFolders(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Whatever a file system calls it: a folder that is there is what was asked for.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
    const above = dirname(folder);
    if (existsSync(above)) throw error;
    makeFolders(above);
    makeFolders(folder);
    return;
  }
  syncFolderAbove(folder);
}

function syncFolderAbove(folder: string): void {
  try {
    syncFolderNow(dirname(folder));
  } catch {
    // A folder of others may let one make something in it and not be read, and some file systems of a network sync no folder.
  }
}
