import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import BetterSqlite3 from 'better-sqlite3';
import { pack } from 'tar-stream';
import type { Pack } from 'tar-stream';
import { GatehouseError } from '../../contract/errors.ts';
import type { BackupSummary } from '../../contract/maintenance.ts';
import { withPath } from '../../lib/file-error.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import { putInPlace, requireWritableTarget, type TargetFile } from '../../lib/target-file.ts';
import type { OnProgress } from './job-list.ts';
import { databaseName, endName, headName, nameOfTarball, readArchive } from './backup-format.ts';
import type { ArchiveEnd, ArchiveHead } from './backup-format.ts';
import { gatehouseVersion } from '../../lib/version.ts';
import type { DataFolder } from '../data-folder.ts';
import { copyDatabase, countPackages } from '../database/database-copy.ts';
import type { DiskTarballStore } from '../tarballs/tarball-store.ts';

export interface BackupSource {
  readonly folder: Pick<DataFolder, 'path' | 'databaseFile' | 'temporary'>;
  readonly tarballs: Pick<DiskTarballStore, 'pathOf'>;
}

interface Content {
  readonly sha512: string;
  readonly size: number;
}

/**
 * Writes one archive with the database of one moment and every tarball that it refers to, then verifies it. The file appears under its
 * name only when it is complete and on disk. Only its owner can read it, since it holds the signing key. No tarball may be deleted
 * meanwhile.
 * @throws GatehouseError `conflict` if the file exists and may not be replaced, `data_damaged` naming a damaged tarball.
 */
export async function writeBackup(
  source: BackupSource,
  { file, replace }: TargetFile,
  onProgress: OnProgress = () => undefined,
  signal?: AbortSignal,
): Promise<BackupSummary> {
  const target = resolve(file);
  await requireWritableTarget({ file: target, replace }, source.folder.path);
  makeFolders(dirname(target));
  // A name that nobody can put a link under beforehand.
  const partial = `${target}.${randomUUID()}.partial`;
  const database = join(source.folder.temporary, `backup-${process.pid}-${Date.now()}.db`);
  try {
    await copyDatabase(source.folder.databaseFile, database, ({ done, total }) =>
      onProgress('Copying the database', done, total),
    );
    const contents = contentsOf(database);
    const counts = countPackages(database);
    const head: ArchiveHead = { format: 1, gatehouse: gatehouseVersion(), createdAt: Date.now() };
    await writeArchive({ partial, database, contents, counts, head, source, onProgress, signal });
    const { size } = await stat(partial);
    await readArchive(
      partial,
      verifier((done) => onProgress('Reading it back', done, size)),
      signal,
    );
    await putInPlace(partial, { file: target, replace }, source.folder.path);
    return { file: target, size, createdAt: head.createdAt, tarballs: contents.length, ...counts };
  } catch (error) {
    rmSync(partial, { force: true });
    throw withPath(error, target);
  } finally {
    rmSync(database, { force: true });
  }
}

/** Verifies a whole archive. @throws GatehouseError `invalid_request` if it is damaged. */
export async function verifyBackup(file: string, onProgress: OnProgress = () => undefined): Promise<BackupSummary> {
  const { size } = await stat(file);
  const found = await readArchive(
    file,
    verifier((done) => onProgress('Reading the archive', done, size)),
  );
  const { createdAt, packages, versions, tarballs } = found;
  return { file: resolve(file), size, createdAt, packages, versions, tarballs };
}

function verifier(onBytes: (read: number) => void) {
  const drain = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
    for await (const _chunk of bytes);
  };
  return { tarball: (_sha512: string, bytes: AsyncIterable<Buffer>) => drain(bytes), database: drain, onBytes };
}

function contentsOf(file: string): Content[] {
  const copy = new BetterSqlite3(file, { readonly: true });
  try {
    return copy.prepare<[], Content>('SELECT sha512, size FROM tarballs ORDER BY sha512').all();
  } finally {
    copy.close();
  }
}

interface ArchiveParts {
  readonly partial: string;
  readonly database: string;
  readonly contents: readonly Content[];
  readonly counts: Pick<ArchiveEnd, 'packages' | 'versions'>;
  readonly head: ArchiveHead;
  readonly source: BackupSource;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal | undefined;
}

async function writeArchive(parts: ArchiveParts): Promise<void> {
  const { partial, database, contents, counts, head, source, onProgress, signal } = parts;
  const archive = pack();
  const output = createWriteStream(partial, { flags: 'wx', mode: 0o600 });
  const failed = new Promise<never>((_resolve, reject) => {
    output.on('error', reject);
    archive.on('error', reject);
  });
  failed.catch(() => undefined);
  archive.pipe(output);
  try {
    await Promise.race([failed, addNote(archive, headName, head)]);
    const total = contents.reduce((sum, content) => sum + content.size, 0);
    let done = 0;
    for (const { sha512, size } of contents) {
      signal?.throwIfAborted();
      const found = await Promise.race([
        failed,
        addFile(archive, nameOfTarball(sha512), source.tarballs.pathOf(sha512), size, 'sha512'),
      ]);
      if (found !== sha512) throw damagedTarball(sha512, found === undefined ? 'missing or cut' : 'damaged');
      done += size;
      onProgress('Adding tarballs', done, total);
    }
    const { size } = await stat(database);
    const databaseSha256 = await Promise.race([failed, addFile(archive, databaseName, database, size, 'sha256')]);
    if (databaseSha256 === undefined) throw new GatehouseError('internal');
    const end: ArchiveEnd = { databaseSha256, tarballs: contents.length, ...counts };
    await Promise.race([failed, addNote(archive, endName, end)]);
    archive.finalize();
    await Promise.race([failed, finished(output)]);
  } catch (error) {
    archive.destroy();
    output.destroy();
    await finished(output).catch(() => undefined);
    throw error;
  }
}

function addNote(archive: Pack, name: string, value: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    archive.entry({ name, mode: 0o600 }, JSON.stringify(value, null, 2), (error) =>
      error ? reject(error) : resolve(),
    );
  });
}

/** Adds a file of `size` bytes; returns their digest, or undefined if the file is missing or has another size. */
async function addFile(
  archive: Pack,
  name: string,
  file: string,
  size: number,
  algorithm: 'sha256' | 'sha512',
): Promise<string | undefined> {
  const present = await stat(file).catch(() => undefined);
  if (present?.size !== size) return undefined;
  const hash = createHash(algorithm);
  await new Promise<void>((resolve, reject) => {
    const entry = archive.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()));
    // Destroying the archive destroys the entry, which would otherwise be an unhandled error.
    entry.on('error', reject);
    const input = createReadStream(file, { highWaterMark: 1024 * 1024 });
    input.on('data', (chunk) => hash.update(chunk));
    input.on('error', reject);
    input.pipe(entry);
  });
  return hash.digest('hex');
}

function damagedTarball(sha512: string, how: string): GatehouseError {
  return new GatehouseError(
    'data_damaged',
    `The tarball ${sha512.slice(0, 16)}… is ${how} on disk, so no complete backup can be made. Run "gatehouse doctor --repair" first.`,
  );
}
