import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DoctorReport, Finding } from '../../contract/maintenance.ts';
import type { UnitOfWork } from '../../accounts/change.ts';
import type { ManifestSigner } from '../../registry/publish/manifest-signer.ts';
import type { PackageEditor } from '../../registry/package-editor.ts';
import type { PackageStore } from '../../registry/package-store.ts';
import type { TarballCollector } from '../../registry/publish/tarball-collector.ts';
import type { OnProgress } from './backup.ts';
import type { DataFolder } from '../data-folder.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkFiles } from './doctor-files.ts';
import { checkRows } from './doctor-rows.ts';
import { checkSnapshots } from './doctor-snapshots.ts';
import type { Snapshots } from './snapshots.ts';
import type { Sqlite } from '../database/sqlite.ts';
import type { PackageSummaries } from '../database/stores/package-summaries.ts';
import type { TarballReferences } from '../tarballs/tarball-references.ts';
import type { DiskTarballStore } from '../tarballs/tarball-store.ts';

/** What doctor examines, and through which it repairs: the same doors that everybody else's changes go through. */
export interface Patient {
  readonly folder: DataFolder;
  readonly sqlite: Sqlite;
  readonly unitOfWork: UnitOfWork;
  readonly store: PackageStore;
  readonly tarballs: DiskTarballStore;
  readonly collector: TarballCollector;
  readonly references: TarballReferences;
  readonly editor: PackageEditor;
  readonly snapshots: Snapshots;
  readonly signer: ManifestSigner;
  readonly summaries: PackageSummaries;
}

export type RepairOutcome = 'fixed' | 'quarantined' | 'impossible';

/** One examination under way. */
export interface Examination {
  readonly patient: Patient;
  readonly repair: boolean;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
  readonly checked: { -readonly [K in keyof DoctorReport['checked']]: number };
  /** Where this examination puts what it takes out of service; made when it is first needed. */
  readonly quarantine: () => string;
  /** Adds what was found. `fix` runs when repairs are wanted and the thing can be repaired; what it answers stands in the report. */
  found(finding: Omit<Finding, 'repair'>, fix?: () => Promise<RepairOutcome>): Promise<void>;
}

/**
 * Checks every row against every byte: the database in itself, versions and their signatures, tags, lists, each tarball against its
 * digest, snapshots, and what lies about without being needed. With `repair` it fixes what can be worked out from what is whole, and
 * moves what can't be used any more into `quarantine/` in the data folder. Safe while serving.
 */
export async function examine(
  patient: Patient,
  options: { repair: boolean; onProgress?: OnProgress; signal?: AbortSignal },
): Promise<DoctorReport> {
  const findings: Finding[] = [];
  const checked = { packages: 0, versions: 0, tags: 0, tarballs: 0, bytes: 0, snapshots: 0 };
  let quarantine: string | undefined;
  const examination: Examination = {
    patient,
    repair: options.repair,
    onProgress: options.onProgress ?? (() => undefined),
    signal: options.signal ?? new AbortController().signal,
    checked,
    quarantine() {
      if (quarantine !== undefined) return quarantine;
      const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-');
      quarantine = join(patient.folder.path, 'quarantine', stamp);
      mkdirSync(quarantine, { recursive: true, mode: 0o700 });
      return quarantine;
    },
    async found(finding, fix) {
      let repair: Finding['repair'] = fix ? 'possible' : 'impossible';
      if (fix && options.repair) repair = await fix();
      findings.push({ ...finding, repair });
    },
  };
  const isSound = await checkDatabase(examination);
  // Rows of a damaged database prove nothing, and repairs by them would make it worse.
  if (isSound) {
    await checkFiles(examination);
    await checkRows(examination);
    await checkSnapshots(examination);
  }
  const open = findings.filter((finding) => finding.repair === 'possible' || finding.repair === 'impossible');
  return { healthy: open.length === 0, repaired: options.repair, checked, findings };
}
