import type { AuditStore } from './accounts/audit-store.ts';
import type { UnitOfWork } from './accounts/change.ts';
import type { DirectoryServices } from './accounts/directory-services.ts';
import type { Directory } from './accounts/directory.ts';
import type { EnvironmentServices } from './environments/environment-services.ts';
import type { GuardServices } from './guards/guard-services.ts';
import type { ReleaseServices } from './guards/release-services.ts';
import type { CacheBudget } from './lib/byte-cache.ts';
import type { EventBus } from './lib/event-bus.ts';
import type { PackageServices } from './registry/package-services.ts';
import type { NpmServices } from './registry/npm-services.ts';
import type { DataFolder } from './storage/data-folder.ts';
import type { OverviewStore } from './storage/database/stores/overview-store.ts';
import type { Maintenance } from './storage/care/maintenance.ts';
import type { UpstreamServices } from './upstream/upstream-services.ts';

/** One open data folder and everything that HTTP, the window and the command line can do with it. */
export interface Registry extends ReleaseServices {
  readonly version: string;
  readonly startedAt: number;
  readonly folder: DataFolder;
  readonly events: EventBus;
  readonly unitOfWork: UnitOfWork;
  readonly caches: CacheBudget;
  readonly directory: Directory;
  readonly audit: AuditStore;
  /** Users, groups, projects, members, shares and tokens. */
  readonly people: DirectoryServices;
  readonly environments: EnvironmentServices;
  /** Dist-tags that environments guard. */
  readonly guards: GuardServices;
  readonly overview: OverviewStore;
  readonly packages: PackageServices;
  /** Other registries: fetching through, offline mode. */
  readonly upstream: UpstreamServices;
  /** Checks, backups, snapshots. */
  readonly maintenance: Maintenance;
  /** Logins, audits and staged versions, for npm clients. */
  readonly npm: NpmServices;
}

/** One request as the window shows it. Never holds a token: query and headers are left out. */
export interface LoggedRequest {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Milliseconds from the request's arrival to the end of its answer. */
  readonly duration: number;
  readonly bytes: number;
  /** The client's name and version. */
  readonly client: string;
  readonly username: string | null;
  readonly userId: number | null;
  /** The token that was sent, also one that was refused: its name, and the end of its secret as lists of tokens show it. */
  readonly token: { readonly name: string; readonly hint: string } | null;
  /** The version that it published; null for other requests. */
  readonly version: string | null;
  /** Network address of the client. */
  readonly address: string | null;
  /** Why it was refused; null if it was not. */
  readonly error: string | null;
}

/** The last requests, newest last. */
export interface RecentRequests {
  /** At most `limit` requests, the newest first; only those with an id below `before`. */
  list(options: { limit: number; before?: number }): LoggedRequest[];
  /** The id of the newest request; 0 if there was none. */
  readonly newest: number;
}

/** A server that listens. */
export interface RunningServer {
  readonly host: string;
  readonly port: number;
  /** Address on this machine, without a trailing slash. */
  readonly origin: string;
  /** `origin`, and one for each address of this machine in its networks if it listens on all of them. */
  readonly origins: readonly string[];
  readonly requests: RecentRequests;
  /** Answers new requests from another registry; resolves when those to the former one have ended. */
  replaceRegistry(registry: Registry): Promise<void>;
  /** Accepts no new requests, waits `grace` milliseconds for the current ones, then closes their connections. */
  stop(grace: number): Promise<void>;
}
