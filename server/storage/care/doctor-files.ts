import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { ContentHasher } from '../../registry/publish/content-hasher.ts';
import { nextTurn } from '../../lib/turns.ts';
import type { Examination } from './examination.ts';
import { otherReferences, quarantineAllOf } from './doctor-quarantine.ts';
import { isDigest } from '../tarballs/tarball-store.ts';

interface TarballRow {
  readonly sha512: string;
  readonly sha1: string;
  readonly size: number;
}

/** Leftovers of crashes in the data folder's root. */
const leftover =
  /^(?:\.write-probe-\d+|gatehouse-folder\.json\.[0-9a-f-]{36}|initial_root_token\.\d+\.tmp|gatehouse\.db-journal)$/;

/** Checks every tarball against its row and its digest, then looks for files that nothing refers to. */
export async function checkFiles(examination: Examination): Promise<void> {
  const { sqlite } = examination.deps;
  const strays = await findStrays(examination);
  const rows = sqlite.prepare<[], TarballRow>('SELECT sha512, sha1, size FROM tarballs ORDER BY sha512').all();
  const total = rows.reduce((sum, row) => sum + row.size, 0);
  for (const row of rows) {
    examination.signal.throwIfAborted();
    examination.onProgress('Comparing tarballs with their digests', examination.checked.bytes, total);
    await checkTarball(examination, row, strays);
    examination.checked.tarballs += 1;
    await nextTurn();
  }
  if (examination.repair) await examination.deps.unitOfWork.write(() => deleteUnusedRows(examination));
  await reportOrphans(examination, strays);
  await reportLeftovers(examination);
}

async function checkTarball(examination: Examination, row: TarballRow, strays: Map<string, string>): Promise<void> {
  const { tarballs, references, unitOfWork, sqlite } = examination.deps;
  // Unpublishing leaves an unused row until the next sweep.
  if (!references.isUsed(row.sha512)) return;
  const file = tarballs.pathOf(row.sha512);
  const actual = await digest(file);
  examination.checked.bytes += row.size;
  if (actual?.sha512 === row.sha512) {
    if (actual.size === row.size && actual.sha1 === row.sha1) return;
    await examination.error(
      'tarball_row',
      row.sha512,
      `The size or SHA-1 noted for the content ${short(row.sha512)} is not that of its bytes.`,
      async () => {
        await unitOfWork.write(() =>
          sqlite
            .prepare<[string, number, string]>('UPDATE tarballs SET sha1 = ?, size = ? WHERE sha512 = ?')
            .run(actual.sha1, actual.size, row.sha512),
        );
      },
    );
    return;
  }
  // It may have been unpublished meanwhile.
  if (!references.isUsed(row.sha512)) return;
  const spare = strays.get(row.sha512);
  const whose = [...affectedVersions(examination, row.sha512), ...otherReferences(examination, row.sha512)].join(', ');
  await examination.error(
    actual ? 'tarball_damaged' : 'tarball_missing',
    row.sha512,
    `The tarball of ${whose} is ${describe(actual, row)} (${relative(examination.deps.folder.path, file)}).`,
    async () => {
      if (actual) renameSync(file, join(examination.quarantine(), `${row.sha512}.damaged`));
      if (spare !== undefined && existsSync(spare)) {
        mkdirSync(dirname(file), { recursive: true });
        renameSync(spare, file);
        strays.delete(row.sha512);
        return 'fixed';
      }
      if (await examination.deps.fetchCopy(row.sha512)) return 'fixed';
      await quarantineAllOf(examination, row.sha512);
      return references.isUsed(row.sha512) ? 'impossible' : 'quarantined';
    },
  );
}

function deleteUnusedRows({ deps }: Examination): void {
  while (deps.references.deleteUnusedRows(1000) === 1000);
}

/** Files under `tarballs/` that are not in the place of their content, by their actual digest. */
async function findStrays(examination: Examination): Promise<Map<string, string>> {
  const root = examination.deps.folder.tarballs;
  const strays = new Map<string, string>();
  for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue;
    examination.signal.throwIfAborted();
    const file = join(entry.parentPath, entry.name);
    const claimed = basename(entry.parentPath) + entry.name;
    const isInPlace = isDigest(claimed) && dirname(entry.parentPath) === root;
    if (isInPlace && examination.deps.collector.isReferenced(claimed)) continue;
    const actual = await digest(file);
    if (actual) strays.set(isInPlace ? `orphan:${claimed}` : actual.sha512, file);
  }
  return strays;
}

async function reportOrphans(examination: Examination, strays: ReadonlyMap<string, string>): Promise<void> {
  const { deps } = examination;
  for (const [key, file] of strays) {
    const orphan = key.startsWith('orphan:') ? key.slice('orphan:'.length) : undefined;
    if (!existsSync(file) || (orphan !== undefined && deps.collector.isReferenced(orphan))) continue;
    const path = relative(deps.folder.path, file);
    if (orphan === undefined) {
      await examination.clutter('foreign_file', path, `${path} is not a tarball of this registry.`, async () => {
        renameSync(file, join(examination.quarantine(), path.replaceAll(/[\\/]/g, '_')));
        return 'quarantined';
      });
    } else {
      await examination.clutter('orphan_file', path, `Nothing refers to the content ${short(orphan)}.`, async () => {
        if ((await digest(file))?.sha512 !== orphan) {
          deps.collector.deleteUnused([orphan]);
          return 'fixed';
        }
        // A whole tarball may belong to a database that was here before.
        renameSync(file, join(examination.quarantine(), `${orphan}.tgz`));
        return 'quarantined';
      });
    }
  }
}

async function reportLeftovers(examination: Examination): Promise<void> {
  const { path } = examination.deps.folder;
  for (const name of readdirSync(path).filter((name) => leftover.test(name))) {
    await examination.clutter('temporary_file', name, `${name} was left behind by a crash.`, async () => {
      rmSync(join(path, name), { force: true });
    });
  }
}

/** Digests of a file; undefined if it does not exist. */
export async function digest(file: string): Promise<TarballRow | undefined> {
  const hasher = new ContentHasher();
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
      hasher.update(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) {
      return undefined;
    }
    throw error;
  }
  return hasher.digests();
}

function affectedVersions({ deps }: Examination, sha512: string): string[] {
  return deps.sqlite
    .prepare<[string], string>(
      `SELECT p.name || '@' || v.version FROM package_versions v JOIN packages p ON p.id = v.package_id
       WHERE v.tarball_sha512 = ? ORDER BY v.id`,
    )
    .pluck()
    .all(sha512);
}

function describe(actual: TarballRow | undefined, row: TarballRow): string {
  if (!actual) return 'missing';
  if (actual.size === row.size) return 'altered: its bytes have another digest';
  return `damaged: it has ${actual.size} bytes instead of ${row.size}`;
}

function short(sha512: string): string {
  return `${sha512.slice(0, 16)}…`;
}
