import type { DoctorReport, Finding } from '../../contract/maintenance.ts';
import type { UnitOfWork } from '../../accounts/change.ts';
import type { ManifestSigner } from '../../registry/publish/manifest-signer.ts';
import type { PackageStore } from '../../registry/package-store.ts';
import type { Unpublisher } from '../../registry/unpublisher.ts';
import type { TarballCollector } from '../../registry/publish/tarball-collector.ts';
import type { OnProgress } from './job-list.ts';
import type { DataFolder } from '../data-folder.ts';
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
  readonly unpublisher: Unpublisher;
  readonly snapshots: Snapshots;
  readonly signer: ManifestSigner;
  readonly summaries: PackageSummaries;
  /** Fetches a content back from a registry that it was pushed to, and puts it in place; returns whether it did. */
  readonly fetchCopy: (sha512: string) => Promise<boolean>;
}

type RepairOutcome = 'fixed' | 'quarantined' | 'impossible';

/** Reports a finding. `fix` runs if repairs are wanted; a fix that returns nothing has repaired it. */
export type Report = (
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
