import { createWriteStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { GatehouseError } from '../../contract/errors.ts';
import type { BackupSummary } from '../../contract/maintenance.ts';
import type { Actor } from '../../accounts/change.ts';
import type { OnProgress } from './backup.ts';
import { readArchive } from './backup-format.ts';
import { openDataFolder } from '../data-folder.ts';
import { syncFile, syncFolder } from '../../lib/durable.ts';
import { prepareState } from './rewind.ts';
import { DiskTarballStore } from '../tarballs/tarball-store.ts';

/** Files that a data folder may hold and yet count as empty: what locking it has made. */
const traces = new Set(['gatehouse.lock', 'gatehouse.lock-journal', 'server.json', 'tarballs', 'tmp']);

/**
 * Takes the parts of an archive out: tarballs into a store, each checked against its digest, the database into `databaseFile`.
 * @throws GatehouseError `invalid_request` if the archive is not whole; tarballs that were taken out by then stay, unused.
 */
export async function unpackBackup(
  file: string,
  target: { readonly tarballs: DiskTarballStore; readonly databaseFile: string },
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<BackupSummary> {
  const facts = await stat(file).catch(() => undefined);
  if (!facts?.isFile()) throw new GatehouseError('not_found', `There is no file ${file}.`);
  const found = await readArchive(
    file,
    {
      async tarball(sha512, bytes) {
        const writer = target.tarballs.create();
        try {
          for await (const chunk of bytes) await writer.write(chunk);
          // Under another digest than the one it claims it would never be found; reading the archive fails for it right after.
          if (writer.digests().sha512 === sha512) await writer.keep();
        } finally {
          await writer.discard();
        }
      },
      async database(bytes) {
        await pipeline(bytes, createWriteStream(target.databaseFile, { flags: 'wx', mode: 0o600 }));
      },
      onBytes: (read) => onProgress('Unpacking the archive', read, facts.size),
    },
    signal,
  );
  const { createdAt, packages, versions, tarballs } = found;
  return { file: resolve(file), size: facts.size, createdAt, packages, versions, tarballs };
}

/**
 * Makes a data folder out of a backup. The folder must be missing or empty; if anything goes wrong it is again afterwards.
 * @throws GatehouseError `conflict` if there is a registry, `invalid_request` for a damaged archive; StartupError if the folder can't be used.
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  actor: Actor,
  onProgress: OnProgress = () => undefined,
): Promise<BackupSummary> {
  const root = resolve(dataDir);
  const wasThere = existsSync(root);
  const present = wasThere ? readdirSync(root).filter((name) => !traces.has(name)) : [];
  const hasTarballs = wasThere && hasFiles(join(root, 'tarballs'));
  if (present.length > 0 || hasTarballs) {
    throw new GatehouseError(
      'conflict',
      `${root} is not empty (it holds ${present[0] ?? 'tarballs'}). A backup is restored into a new folder: choose another with --data-dir, or move this one away.`,
    );
  }
  const folder = openDataFolder(root);
  try {
    const unpacked = join(folder.temporary, 'unpacked.db');
    const tarballs = new DiskTarballStore(folder.tarballs, folder.temporary);
    const summary = await unpackBackup(file, { tarballs, databaseFile: unpacked }, onProgress);
    onProgress('Checking the database', 0, 0);
    const state = await prepareState({
      source: unpacked,
      folder,
      isEarlierState: false,
      actor,
      action: 'registry.restored',
      name: summary.file,
    });
    rmSync(unpacked, { force: true });
    await syncFile(state.file);
    // The last step: with this name the folder holds a registry, without it nothing.
    renameSync(state.file, folder.databaseFile);
    await syncFolder(folder.path);
    return summary;
  } catch (error) {
    await rm(folder.tarballs, { recursive: true, force: true });
    if (wasThere) await mkdir(folder.tarballs, { recursive: true });
    throw error;
  } finally {
    folder.release();
    if (!existsSync(folder.databaseFile)) {
      for (const name of ['gatehouse.lock', 'gatehouse.lock-journal', 'tmp']) {
        rmSync(join(root, name), { recursive: true, force: true });
      }
      if (!wasThere) rmSync(root, { recursive: true, force: true });
    }
  }
}

function hasFiles(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { withFileTypes: true, recursive: true }).some((entry) => !entry.isDirectory());
}
