import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DoctorReport, Finding } from '../../contract/maintenance.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkFiles } from './doctor-files.ts';
import { checkRows } from './doctor-rows.ts';
import { checkSnapshots } from './doctor-snapshots.ts';
import type { DoctorDeps, Examination, Report } from './examination.ts';
import type { OnProgress } from './job-list.ts';

/**
 * Checks every row and every byte: the database itself, versions and their signatures, tags, lists, each tarball against its digest,
 * snapshots, and unused files. With `repair` it fixes what can be derived from sound data, and moves what is damaged into `quarantine/`
 * in the data folder. Safe while serving.
 */
export async function examine(
  deps: DoctorDeps,
  options: { repair: boolean; onProgress?: OnProgress; signal?: AbortSignal },
): Promise<DoctorReport> {
  const findings: Finding[] = [];
  const checked = { packages: 0, versions: 0, tags: 0, tarballs: 0, bytes: 0, snapshots: 0 };
  let quarantine: string | undefined;
  const report =
    (severity: Finding['severity']): Report =>
    async (kind, subject, text, fix) => {
      let repair: Finding['repair'] = fix ? 'possible' : 'impossible';
      if (fix && options.repair) repair = (await fix()) ?? 'fixed';
      findings.push({ kind, severity, subject, text, repair });
    };
  const examination: Examination = {
    deps,
    repair: options.repair,
    onProgress: options.onProgress ?? (() => undefined),
    signal: options.signal ?? new AbortController().signal,
    checked,
    quarantine() {
      if (quarantine !== undefined) return quarantine;
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
      quarantine = join(deps.folder.path, 'quarantine', stamp);
      mkdirSync(quarantine, { recursive: true, mode: 0o700 });
      return quarantine;
    },
    error: report('error'),
    clutter: report('clutter'),
  };
  const isSound = await checkDatabase(examination);
  // Repairs by the rows of a damaged database would make it worse.
  if (isSound) {
    await checkFiles(examination);
    await checkRows(examination);
    await checkSnapshots(examination);
  }
  const open = findings.filter((finding) => finding.repair === 'possible' || finding.repair === 'impossible');
  return { healthy: open.length === 0, repaired: options.repair, checked, findings };
}
