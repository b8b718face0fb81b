import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Actor } from '../../accounts/change.ts';
import { syncFile, syncFolder } from '../../lib/durable.ts';
import { settleLegacySnapshots } from '../database/legacy-tables.ts';
import { openDataFolder } from '../data-folder.ts';
import type { DataFolder } from '../data-folder.ts';
import { prepareState } from './rewind.ts';
import { Snapshots } from './snapshots.ts';

/** The snapshots of a data folder, whose database may be damaged. */
export function snapshotsOf(dataDir: string): Snapshots {
  const root = resolve(dataDir);
  return new Snapshots(join(root, 'snapshots'), join(root, 'gatehouse.db'));
}

/**
 * Replaces a damaged database by a snapshot, in a folder that no server holds; returns the quarantine folder of the damaged one.
 * @param signal stops it until the snapshot is in its place
 * @throws GatehouseError `not_found` for an unknown snapshot, `data_damaged` for a damaged one; the reason of `signal`. Then nothing is
 * changed.
 */
export async function recoverFromSnapshot(
  dataDir: string,
  name: string,
  actor: Actor,
  signal?: AbortSignal,
): Promise<string> {
  const folder = openDataFolder(dataDir, { database: 'replace' });
  try {
    const source = snapshotsOf(folder.path).fileOf(name);
    const state = await prepareState({
      source,
      folder,
      actor,
      action: 'registry.rewound',
      name,
    });
    try {
      await settleLegacySnapshots(folder);
      // Meanwhile a request to stop arrives that came during the long steps before.
      await syncFile(state.file);
      signal?.throwIfAborted();
      return await putDatabase(folder, state.file);
    } finally {
      state.discard();
    }
  } finally {
    folder.release();
  }
}

/**
 * Puts a database that is closed, in a file of the data folder, in the place of the present one; returns the quarantine folder that has what
 * was there.
 */
export async function putDatabase(folder: DataFolder, file: string): Promise<string> {
  const quarantine = join(folder.path, 'quarantine', new Date().toISOString().replaceAll(/[:.]/g, '-'));
  mkdirSync(quarantine, { recursive: true, mode: 0o700 });
  await syncFile(file);
  // It stays in its place until the other takes it: a folder without a database would start as a new registry.
  keepCopy(folder.databaseFile, join(quarantine, 'gatehouse.db'));
  for (const name of ['gatehouse.db-wal', 'gatehouse.db-shm', 'commits.log']) {
    const former = join(folder.path, name);
    if (existsSync(former)) renameSync(former, join(quarantine, name));
  }
  renameSync(file, folder.databaseFile);
  await syncFolder(folder.path);
  return quarantine;
}

/** A second name for a damaged file, which may not be readable as a whole; a copy where the file system has no links. */
function keepCopy(file: string, target: string): void {
  if (!existsSync(file)) return;
  try {
    linkSync(file, target);
  } catch {
    copyFileSync(file, target);
  }
}
