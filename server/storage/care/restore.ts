import { createWriteStream, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { GatehouseError } from '../../contract/errors.ts';
import type { BackupSummary } from '../../contract/maintenance.ts';
import type { Actor } from '../../accounts/change.ts';
import type { OnProgress } from './job-list.ts';
import { readArchive } from './backup-format.ts';
import { openDataFolder } from '../data-folder.ts';
import { syncFile, syncFolder } from '../../lib/durable.ts';
import { prepareState } from './rewind.ts';
import { DiskTarballStore } from '../tarballs/tarball-store.ts';

/** What is in a data folder without a registry: opening it makes these. */
const madeByOpening =
  /^(?:gatehouse\.lock(?:-journal)?|gatehouse-folder\.json|server\.json|tarballs|gatehouse-temporary|tmp)$/;

/**
 * Unpacks an archive: tarballs into a store, each checked against its digest, the database into `databaseFile`.
 * @param target.unpacked gets the digests of the tarballs that are in the store by the archive, also if it turns out to be damaged
 * @throws GatehouseError `invalid_request` if the archive is not complete; tarballs unpacked by then stay, unused.
 */
export async function unpackBackup(
  file: string,
  target: { readonly tarballs: DiskTarballStore; readonly databaseFile: string; readonly unpacked: string[] },
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
          // Reading the archive fails right after for a tarball with another digest.
          if (writer.digests().sha512 !== sha512) return;
          await writer.keep();
          target.unpacked.push(sha512);
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
 * Makes a data folder from a backup. The folder must be missing or empty, and is as it was after an error.
 * @param signal stops it until the folder holds the registry
 * @throws GatehouseError `conflict` if there is a registry, `invalid_request` for a damaged archive; StartupError if the folder can't be used;
 * the reason of `signal`.
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  actor: Actor,
  onProgress: OnProgress = () => undefined,
  signal?: AbortSignal,
): Promise<BackupSummary> {
  const root = resolve(dataDir);
  const existed = existsSync(root);
  if (existed) requireEmpty(root);
  const hadTarballs = existsSync(join(root, 'tarballs'));
  const folder = openDataFolder(root);
  try {
    // Another command may have made a registry before the folder was locked.
    requireEmpty(root);
  } catch (error) {
    folder.release();
    throw error;
  }
  try {
    const unpacked = join(folder.temporary, 'unpacked.db');
    const tarballs = new DiskTarballStore(folder.tarballs, folder.temporary);
    const summary = await unpackBackup(file, { tarballs, databaseFile: unpacked, unpacked: [] }, onProgress, signal);
    onProgress('Checking the database', 0, 0);
    const { file: name } = summary;
    const source = unpacked;
    const state = await prepareState({
      source,
      folder,
      actor,
      action: 'registry.restored',
      name,
    });
    rmSync(unpacked, { force: true });
    await syncFile(state.file);
    signal?.throwIfAborted();
    // The last step: only now the folder holds a registry.
    renameSync(state.file, folder.databaseFile);
    await syncFolder(folder.path);
    return summary;
  } catch (error) {
    await rm(folder.tarballs, { recursive: true, force: true });
    if (hadTarballs) await mkdir(folder.tarballs, { mode: 0o700 });
    signal?.throwIfAborted();
    throw error;
  } finally {
    folder.release();
    if (!existsSync(folder.databaseFile)) {
      for (const name of ['gatehouse.lock', 'gatehouse-folder.json', 'gatehouse-temporary']) {
        rmSync(join(root, name), { recursive: true, force: true });
      }
      if (!existed) rmSync(root, { recursive: true, force: true });
    }
  }
}

/** @throws GatehouseError `conflict` if the folder holds more than opening it makes. */
function requireEmpty(root: string): void {
  const present = readdirSync(root).filter((name) => !madeByOpening.test(name));
  if (present.length === 0 && !hasFiles(join(root, 'tarballs'))) return;
  throw new GatehouseError(
    'conflict',
    `${root} is not empty (it holds ${present[0] ?? 'tarballs'}). A backup is restored into a new folder: choose another with --data-dir, or move this one away.`,
  );
}

function hasFiles(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { withFileTypes: true, recursive: true }).some((entry) => !entry.isDirectory());
}
