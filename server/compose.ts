import { bootstrap, createRootToken } from './accounts/bootstrap.ts';
import { createDirectoryServices } from './accounts/directory-services.ts';
import type { DirectoryServices } from './accounts/directory-services.ts';
import { Directory } from './accounts/directory.ts';
import { startRemovingExpired } from './accounts/expiry.ts';
import { comparableName } from './accounts/naming.ts';
import type { NamespaceRecord } from './accounts/records.ts';
import { createEnvironmentServices } from './environments/environment-services.ts';
import { RuleCascade } from './environments/rule-cascade.ts';
import { createGuardServices } from './guards/guard-services.ts';
import { Guards } from './guards/guards.ts';
import { createReleaseServices } from './guards/release-services.ts';
import { CacheBudget } from './lib/byte-cache.ts';
import { EventBus } from './lib/event-bus.ts';
import { schedule } from './lib/timers.ts';
import { gatehouseVersion } from './lib/version.ts';
import { createNpmServices } from './registry/npm-services.ts';
import { createPackageServices } from './registry/package-services.ts';
import type { PackageServices, PackageServicesOptions } from './registry/package-services.ts';
import { PublishAges } from './registry/packuments/publish-age.ts';
import { ManifestSigner } from './registry/publish/manifest-signer.ts';
import type { UploadLimits } from './registry/publish/upload-limits.ts';
import type { Registry } from './services.ts';
import { Maintenance } from './storage/care/maintenance.ts';
import type { MaintenanceOptions } from './storage/care/maintenance.ts';
import { openDataFolder } from './storage/data-folder.ts';
import type { DataFolder } from './storage/data-folder.ts';
import { openDatabase, startErrorFor } from './storage/database/open-database.ts';
import type { Sqlite } from './storage/database/sqlite.ts';
import { WriteQueue } from './storage/database/write-queue.ts';
import { openStores } from './storage/open-stores.ts';
import type { Stores } from './storage/open-stores.ts';
import { readSecretKey } from './storage/secret-key.ts';
import { changesOf } from './upstream/outbox/journal.ts';
import type { OriginFacts } from './upstream/outbox/origins.ts';
import { UpstreamServices } from './upstream/upstream-services.ts';
import type { UpstreamOptions } from './upstream/upstream-services.ts';

export interface OpenOptions {
  readonly dataDir: string;
  /** Secret for the root user's token, used when the data folder is first opened. */
  readonly rootToken?: string | undefined;
  readonly limits?: Partial<UploadLimits>;
  /** For tests: another clock, or another time for which a missing package is cached. */
  readonly upstream?: Partial<Pick<UpstreamOptions, 'clock' | 'negativeTime'>>;
  /** Bytes that all caches may hold together. */
  readonly cacheLimit?: number;
  /** Whether to run sweeps, scheduled backups and pushes; false for a command. */
  readonly background?: boolean;
}

export interface OpenRegistry extends Registry {
  /** Whether this was the first start of the data folder. */
  readonly isNew: boolean;
  /** Writes what is still in memory, closes the database and releases the data folder. */
  close(): Promise<void>;
}

/** With the 32 MiB that SQLite caches itself, all caches hold 128 MiB. */
const defaultCacheLimit = 96 * 1024 * 1024;

/** The parts that every later step needs. */
interface Base {
  readonly folder: DataFolder;
  readonly sqlite: Sqlite;
  readonly stores: Stores;
  readonly events: EventBus;
  readonly unitOfWork: WriteQueue;
  readonly caches: CacheBudget;
  readonly options: OpenOptions;
  /** Run in reverse order when the registry closes or its start fails. */
  readonly closers: (() => unknown)[];
}

/**
 * Opens a data folder, creating it on first use, and every part of the registry.
 * @throws StartupError with a cause that the user can act upon.
 */
export async function openRegistry(options: OpenOptions): Promise<OpenRegistry> {
  return openRegistryIn(openDataFolder(options.dataDir), options);
}

/** As `openRegistry`, in a folder that is locked already; closing the registry releases it. */
export async function openRegistryIn(folder: DataFolder, options: OpenOptions): Promise<OpenRegistry> {
  const closers: Base['closers'] = [() => folder.release()];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer();
  };
  try {
    const sqlite = await openDatabase(folder);
    closers.push(() => sqlite.close());
    return { ...(await composeRegistry(openBase(folder, sqlite, options, closers))), close };
  } catch (error) {
    await close();
    throw startErrorFor(folder, error);
  }
}

function openBase(folder: DataFolder, sqlite: Sqlite, options: OpenOptions, closers: Base['closers']): Base {
  const stores = openStores(folder, sqlite);
  const events = new EventBus();
  const unitOfWork = new WriteQueue({
    sqlite,
    recordAudit(at, entry) {
      stores.audit.append(at, entry);
      const changes = changesOf(at, entry, (...version) => stores.outbox.lastIntegrity(...version));
      for (const change of changes) stores.outbox.append(change);
    },
    announce: ({ topic, payload }) => events.publish(topic, payload),
  });
  closers.push(() => unitOfWork.idle());
  const caches = new CacheBudget(options.cacheLimit ?? defaultCacheLimit);
  return { folder, sqlite, stores, events, unitOfWork, caches, options, closers };
}

async function composeRegistry(base: Base): Promise<Omit<OpenRegistry, 'close'>> {
  const { folder, stores, events, unitOfWork, caches, closers, options } = base;
  const directory = new Directory({ store: stores.directory, unit: unitOfWork });
  const { created: isNew } = await bootstrap(directory, () => createRootToken(folder.rootTokenFile, options.rootToken));
  const cascade = new RuleCascade(directory, stores.environments);
  const people = createDirectoryServices(directory, stores.audit, cascade);
  const publishAges = new PublishAges(stores.publishAges, unitOfWork);
  const tagGuards = new Guards(stores.guards, unitOfWork);
  const environments = createEnvironmentServices(directory, stores.environments, tagGuards);
  const guards = createGuardServices({ guards: tagGuards, directory, access: environments.access });
  const packages = openPackages(base, { directory, publishAges, tagGuard: guards.gate });
  const maintenance = openMaintenance(base, packages, {
    fetchCopy: (sha512) => upstream.pushedCopies.restore(sha512),
    onReplaced() {
      stores.reload();
      publishAges.reload();
      upstream.reload();
      directory.invalidate();
    },
  });
  const upstream = openUpstream(base, directory, packages);
  closers.push(await startEndingMemberships(people));
  const npm = createNpmServices({
    people,
    events,
    unitOfWork,
    packages,
    publishAges,
    advisoryStore: stores.advisories,
    stageStore: stores.stages,
  });
  const releases = createReleaseServices({
    directory,
    access: environments.access,
    guards: guards.guards,
    store: stores.releases,
    packages: packages.store,
    publisher: packages.publisher,
    staging: npm.staging,
    checks: packages.checks,
    editor: packages.editor,
    unitOfWork,
  });
  unitOfWork.beforeCommit(({ topic, payload }, change) => {
    if (topic === 'packages.changed' && ['published', 'unpublished', 'tags'].includes(payload.change))
      releases.releaseRequests.endVoidWithin(change, payload.packageId);
  });
  return {
    version: gatehouseVersion(),
    startedAt: Date.now(),
    isNew,
    folder,
    events,
    unitOfWork,
    caches,
    directory,
    audit: stores.audit,
    people,
    environments,
    guards,
    ...releases,
    overview: stores.overview,
    packages,
    upstream,
    maintenance,
    npm,
  };
}

function openPackages(
  base: Base,
  parts: Pick<PackageServicesOptions, 'directory' | 'publishAges' | 'tagGuard'>,
): PackageServices {
  const { stores, events, unitOfWork, caches, options, closers } = base;
  // The first second belongs to the window. A publish makes missing folders itself, or reports why it can't.
  let preparing: Promise<void> | undefined;
  const stopPreparing = schedule(1000, () => {
    preparing = stores.tarballs.prepare().catch(() => undefined);
  });
  const packages = createPackageServices({
    ...parts,
    stores,
    unitOfWork,
    events,
    signingKeys: stores.meta.signingKeys(Date.now()),
    limits: options.limits,
    caches,
  });
  closers.push(() => packages.downloads.flush());
  closers.push(() => {
    stopPreparing();
    return preparing;
  });
  return packages;
}

function openUpstream(base: Base, directory: Directory, packages: PackageServices): UpstreamServices {
  const { folder, stores, events, unitOfWork, caches, options, closers } = base;
  const upstream = new UpstreamServices({
    store: stores.upstreams,
    outboxStore: stores.outbox,
    packages: packages.store,
    owners: packages.owners,
    tarballs: stores.tarballs,
    collector: packages.collector,
    unitOfWork,
    caches,
    secretKey: readSecretKey(folder.path),
    origins: originFacts(directory),
    announce: (subject, upstreamId) => events.publish('upstream.changed', { subject, upstreamId }),
    tarballLimit: packages.limits.tarball,
    bundles: {
      publisher: packages.publisher,
      editor: packages.editor,
      limits: packages.limits,
      findProject: (id) => directory.findProject(id),
      key: stores.meta.signingKeys(Date.now())[0],
      source: `Gatehouse ${gatehouseVersion()}`,
      dataFolder: folder.path,
    },
    ...options.upstream,
  });
  events.subscribe(({ topic, payload }) => {
    if (topic === 'packages.changed') upstream.noteChange();
    // Whose a scope is depends on these settings, so answers that are kept ready end.
    if (topic === 'upstream.changed' && payload.subject === 'settings') directory.invalidate();
  });
  if (options.background ?? true) upstream.startInBackground();
  closers.push(() => upstream.close());
  return upstream;
}

function originFacts(directory: Directory): OriginFacts {
  const isTopGroup = (namespace?: NamespaceRecord): boolean =>
    namespace?.kind === 'group' && namespace.parentId === null;
  return {
    hasProject: (id) => directory.findProject(id) !== undefined,
    rootNamespaceOf: (projectId) => directory.rootNamespaceOf(projectId),
    isTopGroup: (id) => isTopGroup(directory.index.namespaces.get(id)),
    ownerOfScope(scope) {
      const { claims, namespaces } = directory.index;
      const owner = namespaces.get(claims.get(comparableName(scope))?.namespaceId ?? 0);
      return isTopGroup(owner) ? owner?.id : undefined;
    },
  };
}

function openMaintenance(
  base: Base,
  packages: PackageServices,
  links: Pick<MaintenanceOptions, 'onReplaced' | 'fetchCopy'>,
): Maintenance {
  const { folder, sqlite, stores, events, unitOfWork, options, closers } = base;
  const maintenance = new Maintenance({
    folder,
    sqlite,
    unitOfWork,
    events,
    meta: stores.meta,
    store: packages.store,
    tarballs: stores.tarballs,
    collector: packages.collector,
    unpublisher: packages.unpublisher,
    references: stores.references,
    snapshots: stores.snapshots,
    summaries: stores.summaries,
    signer: new ManifestSigner(stores.meta.signingKeys(Date.now())[0]),
    flush: () => packages.downloads.flush(),
    ...links,
  });
  if (options.background ?? true) maintenance.begin();
  closers.push(() => maintenance.end());
  return maintenance;
}

function startEndingMemberships(people: DirectoryServices): Promise<() => void> {
  return startRemovingExpired([people.members, people.shares], (error) =>
    process.emitWarning(`Expired memberships could not be ended: ${String(error)}`),
  );
}
