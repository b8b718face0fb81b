import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { Project } from '../../accounts/access/principal.ts';
import type { Actor, UnitOfWork } from '../../accounts/change.ts';
import { GatehouseError } from '../../contract/errors.ts';
import { explainFileError } from '../../lib/file-error.ts';
import { withoutBuild } from '../../registry/package-version.ts';
import { ContentHasher } from '../../registry/publish/content-hasher.ts';
import type { PreparedVersion } from '../../registry/publish/prepare-version.ts';
import type { Publisher } from '../../registry/publish/publish.ts';
import { TarballInspector } from '../../registry/publish/tarball-inspector.ts';
import type { TarballDigests, TarballWriter } from '../../registry/publish/tarball-store.ts';
import type { UploadLimits } from '../../registry/publish/upload-limits.ts';
import type { DataFolder } from '../data-folder.ts';
import { isDigest } from '../tarballs/tarball-store.ts';

export interface RebuildDeps {
  readonly folder: Pick<DataFolder, 'path' | 'tarballs'>;
  readonly publisher: Publisher;
  readonly unitOfWork: UnitOfWork;
  readonly limits: UploadLimits;
}

/** What became of the files in `tarballs/`. */
export interface RebuiltVersions {
  readonly packages: number;
  readonly versions: number;
  /** Files that stay as they are and no version refers to, by their path in the data folder. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * Publishes every tarball in the folder as the package and version that its package.json names, in the order in which they were written.
 * Each is examined as an upload is. No file is moved, changed or deleted.
 */
export async function rebuildVersions(
  deps: RebuildDeps,
  project: Project,
  actor: Actor,
  onProgress: (done: number, total: number) => void,
): Promise<RebuiltVersions> {
  const files = await filesByAge(deps.folder.tarballs);
  const names = new Set<string>();
  const sources = new Map<string, string>();
  const skipped: { path: string; reason: string }[] = [];
  for (const [index, file] of files.entries()) {
    onProgress(index, files.length);
    const path = relative(deps.folder.path, file);
    try {
      const prepared = await prepare(deps, file, sources, project, actor);
      await deps.unitOfWork.write((change) => deps.publisher.commit(change, project, prepared, actor));
      names.add(prepared.name);
      sources.set(`${prepared.name}@${prepared.version.version}`, path);
    } catch (error) {
      const reason = explain(error, file);
      if (reason === undefined) throw error;
      skipped.push({ path, reason });
    }
  }
  return { packages: names.size, versions: files.length - skipped.length, skipped };
}

/** Of two tarballs of one version the one that was written first is taken, on every run. */
async function filesByAge(root: string): Promise<string[]> {
  const files: { file: string; writtenAt: number }[] = [];
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue;
    const file = join(entry.parentPath, entry.name);
    const writtenAt = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    files.push({ file, writtenAt });
  }
  return files
    .toSorted((a, b) => (a.writtenAt === b.writtenAt ? (a.file < b.file ? -1 : 1) : a.writtenAt - b.writtenAt))
    .map(({ file }) => file);
}

async function prepare(
  { folder, publisher, limits }: RebuildDeps,
  file: string,
  sources: ReadonlyMap<string, string>,
  project: Project,
  actor: Actor,
): Promise<PreparedVersion> {
  const claimed = basename(dirname(file)) + basename(file);
  if (!isDigest(claimed) || dirname(dirname(file)) !== folder.tarballs || !(await stat(file)).isFile()) {
    throw new GatehouseError('data_damaged', 'Its name is not that of a tarball here.');
  }
  const inspector = new TarballInspector(limits.inspection);
  try {
    const hasher = new ContentHasher();
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 })) {
      hasher.update(chunk as Buffer);
      await inspector.write(chunk as Buffer);
    }
    const digests = hasher.digests();
    if (digests.sha512 !== claimed) {
      throw new GatehouseError('data_damaged', 'It is damaged: its bytes have another digest than its name says.');
    }
    const inspection = await inspector.result();
    const { packageJson } = inspection;
    const { name } = packageJson;
    const version = packedVersion(packageJson['version']);
    if (typeof name !== 'string' || version === undefined) {
      throw new GatehouseError('invalid_request', 'Its package.json has no name or no version.');
    }
    const source = sources.get(`${name}@${version}`);
    if (source !== undefined) {
      throw new GatehouseError(
        'package_exists',
        `It is another tarball of ${name}@${version}, which was rebuilt from ${source}: the one that was written first.`,
      );
    }
    const attachment = `${name}-${version}.tgz`;
    const document = {
      name,
      'dist-tags': {},
      versions: { [version]: { ...packageJson, version, dist: {} } },
      _attachments: { [attachment]: { data: '' } },
    };
    const seen = { result: () => Promise.resolve(inspection) };
    const received = { kind: 'tarball' as const, writer: inPlace(digests), inspector: seen };
    const upload = { document, attachments: new Map([[attachment, received]]), discard: () => Promise.resolve() };
    const { prepared } = await publisher.prepare(upload, document, { project, nameInUrl: name, actor });
    return prepared;
  } finally {
    inspector.cancel();
  }
}

/** As npm writes it into the document that it publishes. */
function packedVersion(version: unknown): string | undefined {
  return typeof version === 'string' ? withoutBuild(version.trim().replace(/^[v=]+\s*/, '')) : undefined;
}

/** The writer of a tarball that is in its place already. */
function inPlace(digests: TarballDigests): TarballWriter {
  const nothing = (): Promise<void> => Promise.resolve();
  return { size: digests.size, digests: () => digests, write: nothing, keep: nothing, discard: nothing };
}

/** Why the file is no version; undefined for an error of something else, such as a full disk. */
function explain(error: unknown, file: string): string | undefined {
  if (error instanceof GatehouseError) return error.message;
  if (!(error instanceof Error)) return undefined;
  const isOfFile = 'path' in error && error.path === file;
  const isOfRead = 'syscall' in error && error.syscall === 'read';
  return isOfFile || isOfRead ? explainFileError(error, file) : undefined;
}
