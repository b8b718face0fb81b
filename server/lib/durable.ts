import { closeSync, fsync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Resolves when what was written through a descriptor is on disk. */
export function syncDescriptor(descriptor: number): Promise<void> {
  return fsyncLater(descriptor);
}

const fsyncLater = promisify(fsync);

/** Resolves when the content of a file is on disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Resolves when the names in a folder are on disk: a rename is durable only when its folder is. Windows sees to that by itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  // Opened at once, since only the sync itself waits for the disk.
  const descriptor = openSync(folder, 'r');
  try {
    await syncDescriptor(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** As `syncFolder`, before anything else happens. For the rare case, since it holds up the event loop. */
export function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
