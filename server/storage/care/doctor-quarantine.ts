import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from '../../accounts/change.ts';
import type { Examination } from './examination.ts';
import type { Sqlite } from '../database/sqlite.ts';
import { referringColumns } from '../tarballs/tarball-references.ts';
import type { ReferringColumn } from '../tarballs/tarball-references.ts';

const doctorActor: Actor = { userId: null, username: 'gatehouse doctor', origin: 'system', address: null };

interface AffectedVersion {
  readonly id: number;
  readonly packageId: number;
  readonly name: string;
  readonly version: string;
}

/** What the rows of other tables are. */
const descriptions: Readonly<Record<string, string>> = {
  upstream_tarballs: 'a package that was fetched from another registry',
  staged_versions: 'a staged version',
};

/** Descriptions of rows other than published versions that refer to a content. */
export function otherReferences({ deps }: Examination, sha512: string): string[] {
  return otherRows(deps.sqlite, sha512).map(({ table }) => descriptions[table] ?? `a row of "${table}"`);
}

/** Removes everything that refers to a content: versions, staged versions, what was fetched from upstreams. */
export async function quarantineAllOf(examination: Examination, sha512: string): Promise<void> {
  await quarantineVersionsOf(examination, sha512);
  const { sqlite, unitOfWork } = examination.deps;
  for (const { table, column, rows } of otherRows(sqlite, sha512)) {
    const file = join(examination.quarantine(), `${table}-${sha512.slice(0, 16)}.json`);
    writeFileSync(file, JSON.stringify(rows, null, 2));
    await unitOfWork.write(() => sqlite.prepare<[string]>(`DELETE FROM "${table}" WHERE "${column}" = ?`).run(sha512));
  }
}

function otherRows(sqlite: Sqlite, sha512: string): (ReferringColumn & { readonly rows: unknown[] })[] {
  return referringColumns(sqlite)
    .filter(({ table }) => table !== 'package_versions')
    .map(({ table, column }) => ({
      table,
      column,
      rows: sqlite.prepare<[string]>(`SELECT * FROM "${table}" WHERE "${column}" = ?`).all(sha512),
    }))
    .filter(({ rows }) => rows.length > 0);
}

async function quarantineVersionsOf(examination: Examination, sha512: string): Promise<void> {
  const versions = examination.deps.sqlite
    .prepare<[string], AffectedVersion>(
      `SELECT v.id, v.package_id AS packageId, p.name, v.version FROM package_versions v
       JOIN packages p ON p.id = v.package_id WHERE v.tarball_sha512 = ?`,
    )
    .all(sha512);
  for (const version of versions) await quarantineVersion(examination, version);
}

/**
 * Takes a version out of service (audit row, events, tags) after writing everything known of it to the quarantine, so that it can be
 * published again. It is not unpublished: registries that it was pushed to keep it.
 */
export async function quarantineVersion(examination: Examination, version: AffectedVersion): Promise<void> {
  const { sqlite, unpublisher, store } = examination.deps;
  const row = sqlite.prepare<[number]>('SELECT * FROM package_versions WHERE id = ?').get(version.id);
  const tags = store
    .tagsOf(version.packageId)
    .filter((tag) => tag.versionId === version.id)
    .map((tag) => tag.tag);
  const file = `${version.name}@${version.version}.json`.replaceAll('/', '__');
  writeFileSync(
    join(examination.quarantine(), file),
    JSON.stringify({ name: version.name, tags, row, readme: store.readmeOf(version.id) ?? null }, null, 2),
  );
  await unpublisher.takeOutOfService(version.packageId, version.version, doctorActor);
}
