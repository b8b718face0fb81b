import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DoctorReport, Finding } from '../../contract/maintenance.ts';
import type { UnitOfWork } from '../../accounts/change.ts';
import type { ManifestSigner } from '../../registry/publish/manifest-signer.ts';
import type { PackageEditor } from '../../registry/package-editor.ts';
import type { PackageStore } from '../../registry/package-store.ts';
import type { TarballCollector } from '../../registry/publish/tarball-collector.ts';
import type { OnProgress } from './job-list.ts';
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

/** What doctor checks, and repairs through the same functions as every other change. */
export interface DoctorDeps {
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

type RepairOutcome = 'fixed' | 'quarantined' | 'impossible';

/** Reports a finding. `fix` runs if repairs are wanted; a fix that returns nothing has repaired it. */
type Report = (
  kind: Finding['kind'],
  subject: string,
  text: string,
  fix?: () => Promise<RepairOutcome | void>,
) => Promise<void>;

/** One run of doctor. */
export interface Examination {
  readonly deps: DoctorDeps;
  readonly repair: boolean;
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
  readonly checked: { -readonly [K in keyof DoctorReport['checked']]: number };
  /** Folder for what is damaged; created on first use. */
  readonly quarantine: () => string;
  readonly error: Report;
  /** Reports what takes space and does no harm. */
  readonly clutter: Report;
}

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
