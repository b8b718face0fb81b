import { mkdirSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemActor } from '../../accounts/change.ts';
import type { DoctorDeps } from './examination.ts';
import { digest } from './doctor-files.ts';

/**
 * Moves a tarball whose bytes are not those of its digest to the quarantine, and tells in the audit trail whose it was. What came from
 * another registry is then fetched again by the next request; a version of this registry is missing until doctor has repaired it.
 * @returns whether it was damaged: bytes that were only misread stay
 */
export async function withdrawDamaged(
  { folder, tarballs, sqlite, unitOfWork }: Pick<DoctorDeps, 'folder' | 'tarballs' | 'sqlite' | 'unitOfWork'>,
  sha512: string,
): Promise<boolean> {
  const file = tarballs.pathOf(sha512);
  const actual = await digest(file);
  if (!actual || actual.sha512 === sha512) return false;
  const quarantine = join(folder.path, 'quarantine', new Date().toISOString().replaceAll(/[:.]/g, '-'));
  mkdirSync(quarantine, { recursive: true, mode: 0o700 });
  const target = join(quarantine, `${sha512}.damaged`);
  renameSync(file, target);
  const names = sqlite
    .prepare<[string, string], string>(
      `SELECT p.name || '@' || v.version FROM package_versions v JOIN packages p ON p.id = v.package_id WHERE v.tarball_sha512 = ?
       UNION SELECT name || '@' || version FROM upstream_tarballs WHERE sha512 = ?`,
    )
    .pluck()
    .all(sha512, sha512);
  await unitOfWork.write((change) =>
    change.record({
      actor: systemActor,
      action: 'tarball.damaged',
      target: { type: 'tarball', id: null, name: names.slice(0, 5).join(', ') || sha512.slice(0, 16) },
      after: { moved_to: relative(folder.path, target) },
    }),
  );
  return true;
}
