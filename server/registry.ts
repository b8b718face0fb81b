import type { AuditStore } from './directory/audit-store.ts';
import type { UnitOfWork } from './directory/change.ts';
import type { DirectoryServices } from './directory/directory-services.ts';
import type { Directory } from './directory/directory.ts';
import type { EnvironmentServices } from './environments/environment-services.ts';
import type { EventBus } from './event-bus.ts';
import type { PackageServices } from './packages/package-services.ts';
import type { NpmServices } from './npm-services.ts';
import type { DataFolder } from './storage/data-folder.ts';
import type { OverviewStore } from './storage/stores/overview-store.ts';
import type { Maintenance } from './storage/maintenance.ts';
import type { UpstreamServices } from './upstream/upstream-services.ts';

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
