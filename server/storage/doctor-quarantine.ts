import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from '../directory/change.ts';
import type { Examination } from './doctor.ts';

const doctorActor: Actor = { userId: null, username: 'gatehouse doctor', origin: 'system', address: null };

interface AffectedVersion {
  readonly id: number;
  readonly packageId: number;
  readonly name: string;
  readonly version: string;
}

/** Takes every version with this content out of service. */
export async function quarantineVersionsOf(examination: Examination, sha512: string): Promise<void> {
  const versions = examination.patient.sqlite
    .prepare<[string], AffectedVersion>(
      `SELECT v.id, v.package_id AS packageId, p.name, v.version FROM package_versions v
       JOIN packages p ON p.id = v.package_id WHERE v.tarball_sha512 = ?`,
    )
    .all(sha512);
  for (const version of versions) await quarantineVersion(examination, version);
}

/**
 * Takes a version out of service as an unpublish would (audit row, events, tags), after all that was known of it was written to
 * the quarantine, so that a person can still see what it was and publish it again.
 */
export async function quarantineVersion(examination: Examination, version: AffectedVersion): Promise<void> {
  const { sqlite, editor, store } = examination.patient;
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
  await editor.unpublishVersion(version.packageId, version.version, doctorActor);
}
