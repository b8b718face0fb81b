import type { CacheBudget } from '../lib/byte-cache.ts';
import type { UnitOfWork } from '../accounts/change.ts';
import type { NameOwners } from '../registry/name-owners.ts';
import type { PackageStore } from '../registry/package-store.ts';
import type { TarballCollector } from '../registry/publish/tarball-collector.ts';
import type { TarballStore } from '../registry/publish/tarball-store.ts';
import type { UpstreamStore } from './upstream-store.ts';

/** What every part of upstream works with. */
export interface UpstreamContext {
  readonly store: UpstreamStore;
  readonly packages: PackageStore;
  readonly owners: NameOwners;
  readonly tarballs: TarballStore;
  readonly collector: TarballCollector;
  readonly unitOfWork: UnitOfWork;
  readonly caches: CacheBudget;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
