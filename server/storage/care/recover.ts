import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Actor } from '../../accounts/change.ts';
import { syncFile, syncFolder } from '../../lib/durable.ts';
import { settleLegacySnapshots } from '../database/legacy-tables.ts';
import { openDataFolder } from '../data-folder.ts';
import { prepareState } from './rewind.ts';
import { Snapshots } from './snapshots.ts';

/** The snapshots of a data folder, whose database may be damaged. */
export function snapshotsOf(dataDir: string): Snapshots {
  const root = resolve(dataDir);
  return new Snapshots(join(root, 'snapshots'), join(root, 'gatehouse.db'));
}

/**
 * Replaces a damaged database by a snapshot, in a folder that no server holds; returns the quarantine folder of the damaged one.
 * @throws GatehouseError `not_found` for an unknown snapshot, `data_damaged` for a damaged one; then nothing is changed.
 */
export async function recoverFromSnapshot(dataDir: string, name: string, actor: Actor): Promise<string> {
  const folder = openDataFolder(dataDir, { mayLackDatabase: true });
  try {
    const source = snapshotsOf(folder.path).fileOf(name);
    const state = await prepareState({
      source,
      folder,
      actor,
      action: 'registry.rewound',
      name,
    });
    await settleLegacySnapshots(folder);
    const quarantine = join(folder.path, 'quarantine', new Date().toISOString().replaceAll(/[:.]/g, '-'));
    mkdirSync(quarantine, { recursive: true, mode: 0o700 });
    try {
      await syncFile(state.file);
      // It stays in its place until the state takes it: a folder without a database would start as a new registry.
      keepCopy(folder.databaseFile, join(quarantine, 'gatehouse.db'));
      for (const suffix of ['-wal', '-shm']) {
        const damaged = folder.databaseFile + suffix;
        if (existsSync(damaged)) renameSync(damaged, join(quarantine, `gatehouse.db${suffix}`));
      }
      renameSync(state.file, folder.databaseFile);
      await syncFolder(folder.path);
    } finally {
      state.discard();
    }
    return quarantine;
  } finally {
    folder.release();
  }
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
