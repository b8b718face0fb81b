import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { GatehouseError } from './contract/errors.ts';
import { createDirectoryServices } from './accounts/directory-services.ts';
import { Directory } from './accounts/directory.ts';
import { startRemovingExpired } from './accounts/expiry.ts';
import { createEnvironmentServices } from './environments/environment-services.ts';
import { RuleCascade } from './environments/rule-cascade.ts';
import { bootstrap, readOrCreateRootToken } from './accounts/bootstrap.ts';
import { EventBus } from './lib/event-bus.ts';
import { openHolders, openMaintenance } from './storage/care/open-maintenance.ts';
import type { Holders } from './storage/care/open-maintenance.ts';
import { createNpmServices } from './registry/npm-services.ts';
import { PublishAges } from './registry/packuments/publish-age.ts';
import { DownloadCounter } from './registry/packuments/download-counter.ts';
import { ManifestSigner, publishedKey } from './registry/publish/manifest-signer.ts';
import { PackageEditor } from './registry/package-editor.ts';
import { PackumentLibrary } from './registry/packuments/packument-library.ts';
import { Publisher } from './registry/publish/publish.ts';
import { defaultUploadLimits } from './registry/publish/upload-limits.ts';
import type { UploadLimits } from './registry/publish/upload-limits.ts';
import { TarballCollector } from './registry/publish/tarball-collector.ts';
import type { TarballStore } from './registry/publish/tarball-store.ts';
import type { PackageServices } from './registry/package-services.ts';
import type { Registry } from './services.ts';
import { openDataFolder } from './storage/data-folder.ts';
import { requireSound } from './storage/database/database-copy.ts';
import type { DataFolder } from './storage/data-folder.ts';
import { applyLegacyCommitLog } from './storage/database/legacy-commit-log.ts';
import { settleLegacyFolder } from './storage/database/legacy-tables.ts';
import { migrate, shippedMigrations } from './storage/database/migrations.ts';
import { isSqliteError, openSqlite } from './storage/database/sqlite.ts';
import type { Sqlite } from './storage/database/sqlite.ts';
import { StartupError } from './lib/startup-error.ts';
import { SqliteAdvisoryStore } from './storage/database/stores/advisory-store.ts';
import { SqliteAuditStore } from './storage/database/stores/audit-store.ts';
import { SqliteDirectoryStore } from './storage/database/stores/directory-store.ts';
import { SqliteEnvironmentStore } from './storage/database/stores/environment-store.ts';
import { SqliteCatalogStore } from './storage/database/stores/catalog-store.ts';
import { SqliteDependentStore } from './storage/database/stores/dependent-store.ts';
import { SqlitePublishAgeStore } from './storage/database/stores/publish-age-store.ts';
import { SqliteStageStore } from './storage/database/stores/stage-store.ts';
import { MetaStore } from './storage/database/stores/meta-store.ts';
import { SqliteVersionList } from './storage/database/stores/version-list-store.ts';
import { OverviewStore } from './storage/database/stores/overview-store.ts';
import { PackageSummaries } from './storage/database/stores/package-summaries.ts';
import { SqlitePackageStore } from './storage/database/stores/package-store.ts';
import { DiskTarballStore } from './storage/tarballs/tarball-store.ts';
import { WriteQueue } from './storage/database/write-queue.ts';
import { readSecretKey } from './storage/secret-key.ts';
import { SqliteOutboxStore } from './storage/database/stores/outbox-store.ts';
import { SqliteUpstreamStore } from './storage/database/stores/upstream-store.ts';
import { changesOf } from './upstream/outbox/journal.ts';
import type { UpstreamOptions } from './upstream/upstream-services.ts';
import { UpstreamServices } from './upstream/upstream-services.ts';
import { gatehouseVersion } from './lib/version.ts';

export interface OpenOptions {
  readonly dataDir: string;
  /** Secret for the root user's token, used when the data folder is first opened. */
  readonly rootToken?: string | undefined;
  readonly limits?: Partial<UploadLimits>;
  /** For tests: another clock, or another memory of what is missing. */
  readonly upstream?: Partial<Pick<UpstreamOptions, 'clock' | 'negativeTime'>>;
  /** Bytes that rendered packuments may keep in memory. */
  readonly packumentCache?: number;
  /** Whether sweeps and backups by the clock go on beside the traffic; for a server, not for a command. */
  readonly background?: boolean;
}

export interface OpenRegistry extends Registry {
  /** Whether this was the first start of the data folder. */
  readonly isNew: boolean;
  /** Writes what is still in memory, closes the database and gives the data folder free. */
  close(): Promise<void>;
}

const defaultPackumentCache = 48 * 1024 * 1024;

/**
 * Opens a data folder, made and filled on first use, and puts every part of the server together.
 * @throws StartupError with the cause that a person can act upon.
 */
export async function openRegistry(options: OpenOptions): Promise<OpenRegistry> {
  const folder = openDataFolder(options.dataDir);
  let sqlite: Sqlite | undefined;
  try {
    sqlite = await openDatabase(folder);
    return await compose(folder, sqlite, options);
  } catch (error) {
    sqlite?.close();
    folder.release();
    throw startErrorFor(folder, error);
  }
}

async function openDatabase(folder: DataFolder): Promise<Sqlite> {
  const sqlite = openSqlite(folder.databaseFile);
  try {
    // It holds hashes of tokens and the key that signs; what SQLite puts beside it takes the same mode.
    chmodSync(folder.databaseFile, 0o600);
    // SQLite outlives a crash of ours; what a crash of the machine does to a disk, it would tell only when the page is read.
    if (folder.isAfterCrash) requireSound(sqlite, 'It');
    applyLegacyCommitLog(sqlite, join(folder.path, 'commits.log'));
    await settleLegacyFolder(sqlite, folder);
    migrate(sqlite, shippedMigrations());
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Damage shows in whichever statement meets it first, so all of them are told alike. */
function startErrorFor(folder: DataFolder, error: unknown): unknown {
  const isDamage = error instanceof GatehouseError && error.code === 'data_damaged';
  if (!isDamage && !isSqliteError(error, 'SQLITE_CORRUPT') && !isSqliteError(error, 'SQLITE_NOTADB')) return error;
  return new StartupError(
    'databaseDamaged',
    `The database ${folder.databaseFile} is damaged (${error.message}). Go back to a snapshot with "gatehouse snapshot restore NAME", restore a backup with "gatehouse restore FILE --data-dir DIR", or move the file away to start empty.`,
    { cause: error },
  );
}

async function compose(folder: DataFolder, sqlite: Sqlite, options: OpenOptions): Promise<OpenRegistry> {
  const events = new EventBus();
  const audit = new SqliteAuditStore(sqlite);
  const outboxStore = new SqliteOutboxStore(sqlite);
  const unitOfWork = new WriteQueue({
    sqlite,
    recordAudit(at, entry) {
      audit.append(at, entry);
      for (const change of changesOf(at, entry, (name, version) => outboxStore.lastIntegrity(name, version))) {
        outboxStore.append(change);
      }
    },
    announce: ({ topic, payload }) => events.publish(topic, payload),
  });
  const meta = new MetaStore(sqlite);
  const directory = new Directory({ store: new SqliteDirectoryStore(sqlite), unit: unitOfWork });
  const first = await bootstrap(directory, () => readOrCreateRootToken(folder.rootTokenFile, options.rootToken));
  const environmentStore = new SqliteEnvironmentStore(sqlite);
  const people = createDirectoryServices(directory, audit, new RuleCascade(directory, environmentStore));
  const tarballs = new DiskTarballStore(folder.tarballs, folder.temporary);
  // A folder that could not be made is made again, or complained about, by the publish that needs it.
  const preparing = tarballs.prepare().catch(() => undefined);
  const holders = openHolders(folder, sqlite);
  let epoch = meta.epoch();
  const publishAges = new PublishAges(new SqlitePublishAgeStore(sqlite), unitOfWork);
  const summaries = new PackageSummaries(sqlite);
  const packages = composePackages(
    tarballs,
    sqlite,
    summaries,
    unitOfWork,
    meta,
    directory,
    options,
    holders,
    publishAges,
    () => epoch,
  );
  const maintenance = openMaintenance({
    folder,
    sqlite,
    unitOfWork,
    meta,
    directory,
    events,
    packages,
    tarballs,
    holders,
    summaries,
    background: options.background ?? true,
    onRewound: () => {
      epoch = meta.epoch();
      upstream.reload();
    },
  });
  const upstream = new UpstreamServices({
    store: new SqliteUpstreamStore(sqlite, meta),
    outboxStore,
    packages: packages.store,
    tarballs,
    collector: packages.collector,
    unitOfWork,
    secretKey: readSecretKey(folder.path),
    isTopGroup: (path) => directory.findGroup(path) !== undefined && !path.includes('/'),
    announce: (subject, upstreamId) => events.publish('upstream.changed', { subject, upstreamId }),
    tarballLimit: packages.limits.tarball,
    bundles: {
      publisher: packages.publisher,
      editor: packages.editor,
      limits: packages.limits,
      findProject: (id) => directory.findProject(id),
      rootNamespaceOf: (projectId) => directory.rootNamespaceOf(projectId),
      key: meta.signingKeys(Date.now())[0],
      source: `Gatehouse ${gatehouseVersion()}`,
    },
    ...options.upstream,
  });
  events.subscribe(({ topic }) => {
    if (topic === 'packages.changed') upstream.noteChange();
  });
  if (options.background ?? true) upstream.startInBackground();
  const stopEndingExpired = await startRemovingExpired(people, (error) =>
    process.emitWarning(`Expired memberships could not be ended: ${String(error)}`),
  );
  return {
    version: gatehouseVersion(),
    startedAt: Date.now(),
    isNew: first.created,
    folder,
    events,
    unitOfWork,
    directory,
    audit,
    people,
    environments: createEnvironmentServices(directory, environmentStore),
    overview: new OverviewStore(sqlite, folder),
    packages,
    upstream,
    maintenance,
    npm: createNpmServices({
      people,
      events,
      unitOfWork,
      packages,
      publishAges,
      advisoryStore: new SqliteAdvisoryStore(sqlite),
      stageStore: new SqliteStageStore(sqlite),
    }),
    async close() {
      stopEndingExpired();
      upstream.close();
      await maintenance.end();
      await preparing;
      await packages.downloads.flush();
      await unitOfWork.idle();
      sqlite.close();
      folder.release();
    },
  };
}

function composePackages(
  tarballs: TarballStore,
  sqlite: Sqlite,
  summaries: PackageSummaries,
  unitOfWork: WriteQueue,
  meta: MetaStore,
  directory: Directory,
  options: OpenOptions,
  holders: Holders,
  publishAges: PublishAges,
  epoch: () => string,
): PackageServices {
  const store = new SqlitePackageStore(sqlite, summaries, epoch);
  const collector = new TarballCollector(tarballs, (sha512) => holders.isUsed(sha512));
  const limits = { ...defaultUploadLimits, ...options.limits };
  const keys = meta.signingKeys(Date.now());
  return {
    store,
    tarballs,
    collector,
    catalog: new SqliteCatalogStore(sqlite),
    versionList: new SqliteVersionList(sqlite),
    dependents: new SqliteDependentStore(sqlite),
    library: new PackumentLibrary({
      store,
      ageShiftOf: (projectId) => publishAges.of(projectId),
      cacheLimit: options.packumentCache ?? defaultPackumentCache,
    }),
    publisher: new Publisher({
      store,
      collector,
      unitOfWork,
      signer: new ManifestSigner(keys[0]),
      rootNamespaceOf: (projectId) => directory.rootNamespaceOf(projectId),
      personOf: (userId) => {
        const user = userId === null ? undefined : directory.index.users.get(userId);
        return user && { name: user.username, email: user.email };
      },
    }),
    editor: new PackageEditor({ store, collector, unitOfWork }),
    downloads: new DownloadCounter(store, unitOfWork),
    limits,
    keys: keys.map(publishedKey),
  };
}
