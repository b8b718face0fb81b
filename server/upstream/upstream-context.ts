import type { UnitOfWork } from '../accounts/change.ts';
import type { PackageStore } from '../registry/package-store.ts';
import type { TarballKeeper } from '../registry/publish/tarball-keeper.ts';
import type { TarballStore } from '../registry/publish/tarball-port.ts';
import type { UpstreamStore } from './upstream-store.ts';

/** What every part of upstream works with. */
export interface UpstreamContext {
  readonly store: UpstreamStore;
  readonly packages: PackageStore;
  readonly tarballs: TarballStore;
  readonly keeper: TarballKeeper;
  readonly unitOfWork: UnitOfWork;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
