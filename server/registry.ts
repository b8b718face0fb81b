import type { AuditStore } from './directory/audit-store.ts';
import type { UnitOfWork } from './directory/change.ts';
import type { DirectoryServices } from './directory/directory-services.ts';
import type { Directory } from './directory/directory.ts';
import type { EnvironmentServices } from './environments/environment-services.ts';
import type { EventBus } from './event-bus.ts';
import type { DependentStore } from './packages/dependencies.ts';
import type { CatalogStore } from './packages/package-catalog.ts';
import type { PackageEditor } from './packages/package-editor.ts';
import type { PackageStore } from './packages/package-store.ts';
import type { PackumentLibrary } from './packages/packument-library.ts';
import type { Publisher } from './packages/publish.ts';
import type { UploadLimits } from './packages/receive-upload.ts';
import type { PublishedKey } from './packages/manifest-signer.ts';
import type { TarballKeeper } from './packages/tarball-keeper.ts';
import type { TarballStore } from './packages/tarball-port.ts';
import type { DownloadCounter } from './packages/download-counter.ts';
import type { NpmServices } from './npm-services.ts';
import type { DataFolder } from './storage/data-folder.ts';
import type { OverviewStore } from './storage/stores/overview-store.ts';
import type { Maintenance } from './storage/maintenance.ts';
import type { UpstreamServices } from './upstream/upstream-services.ts';

/** Everything that answers about packages. */
export interface PackageServices {
  readonly store: PackageStore;
  readonly tarballs: TarballStore;
  readonly keeper: TarballKeeper;
  readonly catalog: CatalogStore;
  readonly dependents: DependentStore;
  readonly library: PackumentLibrary;
  readonly publisher: Publisher;
  readonly editor: PackageEditor;
  readonly downloads: DownloadCounter;
  readonly limits: UploadLimits;
  /** Public halves of the keys that versions are signed with. */
  readonly keys: readonly PublishedKey[];
}

/** One open data folder with all that can be done with it; what HTTP, the window and the command line share. */
export interface Registry {
  readonly version: string;
  readonly startedAt: number;
  readonly folder: DataFolder;
  readonly events: EventBus;
  readonly unitOfWork: UnitOfWork;
  readonly directory: Directory;
  readonly audit: AuditStore;
  /** Users, groups, projects, members, shares and tokens: making and changing them. */
  readonly people: DirectoryServices;
  readonly environments: EnvironmentServices;
  readonly overview: OverviewStore;
  readonly packages: PackageServices;
  /** Other registries: fetching through, offline mode. */
  readonly upstream: UpstreamServices;
  /** Checks, backups, snapshots. */
  readonly maintenance: Maintenance;
  /** What npm clients ask beside packages themselves: logins, audits, staged versions. */
  readonly npm: NpmServices;
}
