import { noReplyAddress } from '../accounts/naming.ts';
import type { CacheBudget } from '../lib/byte-cache.ts';
import type { UnitOfWork } from '../accounts/change.ts';
import { projectSeenBy } from '../accounts/access/authorize.ts';
import type { Directory } from '../accounts/directory.ts';
import type { EventBus } from '../lib/event-bus.ts';
import { NameOwners } from './name-owners.ts';
import { PackageChanges } from './package-changes.ts';
import { PackageEditor } from './package-editor.ts';
import { Unpublisher } from './unpublisher.ts';
import type { PackageStore } from './package-store.ts';
import type { DependentStore } from './packuments/dependencies.ts';
import { DownloadCounter } from './packuments/download-counter.ts';
import type { CatalogStore } from './packuments/package-catalog.ts';
import { PackumentLibrary } from './packuments/packument-library.ts';
import type { PublishAges } from './packuments/publish-age.ts';
import type { VersionList } from './packuments/version-list.ts';
import { ManifestSigner, publishedKey } from './publish/manifest-signer.ts';
import type { PublishedKey, SigningKey } from './publish/manifest-signer.ts';
import { Publisher } from './publish/publish.ts';
import { TarballCollector } from './publish/tarball-collector.ts';
import type { TarballStore } from './publish/tarball-store.ts';
import { TagChecks } from './tag-guard.ts';
import type { TagGuard } from './tag-guard.ts';
import { defaultUploadLimits } from './publish/upload-limits.ts';
import type { UploadLimits } from './publish/upload-limits.ts';

/** Reading, publishing and changing packages. */
export interface PackageServices {
  readonly store: PackageStore;
  readonly tarballs: TarballStore;
  readonly collector: TarballCollector;
  readonly catalog: CatalogStore;
  readonly versionList: VersionList;
  readonly dependents: DependentStore;
  readonly library: PackumentLibrary;
  /** Which dist-tags a change touches, and whether it may. */
  readonly checks: TagChecks;
  readonly publisher: Publisher;
  readonly editor: PackageEditor;
  readonly unpublisher: Unpublisher;
  readonly downloads: DownloadCounter;
  readonly owners: NameOwners;
  readonly limits: UploadLimits;
  /** Public halves of the keys that versions are signed with. */
  readonly keys: readonly PublishedKey[];
}

export interface PackageServicesOptions {
  readonly stores: {
    readonly packages: PackageStore;
    readonly catalog: CatalogStore;
    readonly versionList: VersionList;
    readonly dependents: DependentStore;
    readonly tarballs: TarballStore;
    /** Whether a version or a snapshot has this content. */
    readonly isReferenced: (sha512: string) => boolean;
  };
  readonly unitOfWork: UnitOfWork;
  readonly directory: Directory;
  readonly events: Pick<EventBus, 'subscribe'>;
  readonly publishAges: PublishAges;
  /** Who may touch which dist-tags, besides roles. */
  readonly tagGuard: TagGuard;
  /** Newest first; the newest signs. */
  readonly signingKeys: readonly [SigningKey, ...SigningKey[]];
  readonly limits?: Partial<UploadLimits> | undefined;
  readonly caches: CacheBudget;
}

/** Creates them. */
export function createPackageServices(options: PackageServicesOptions): PackageServices {
  const { stores, unitOfWork, directory, publishAges, signingKeys } = options;
  const { packages: store, catalog, versionList, dependents, tarballs } = stores;
  const collector = new TarballCollector(tarballs, stores.isReferenced);
  const changes = new PackageChanges(store, unitOfWork);
  const owners = new NameOwners(directory, store, options.events);
  const checks = new TagChecks({
    store,
    guard: options.tagGuard,
    packagesBeside: ({ projectId, name }) =>
      owners.packagesBeside(projectId, name).filter((row) => row.projectId !== projectId),
  });
  const publisher = new Publisher({
    store,
    collector,
    unitOfWork,
    signer: new ManifestSigner(signingKeys[0]),
    checks,
    owners,
    pathFor: (actor, projectId) => projectSeenBy(directory, actor, projectId)?.fullPath,
    personOf: (userId) => {
      const user = userId === null ? undefined : directory.index.users.get(userId);
      return user && { name: user.username, email: noReplyAddress(user.username) };
    },
  });
  return {
    store,
    tarballs,
    collector,
    catalog,
    versionList,
    dependents,
    library: new PackumentLibrary({
      store,
      ageShiftOf: (projectId) => publishAges.of(projectId),
      caches: options.caches,
    }),
    publisher,
    editor: new PackageEditor({ store, changes, unitOfWork, checks }),
    unpublisher: new Unpublisher({ store, changes, collector, checks }),
    downloads: new DownloadCounter(store, unitOfWork),
    owners,
    checks,
    limits: { ...defaultUploadLimits, ...options.limits },
    keys: signingKeys.map(publishedKey),
  };
}
