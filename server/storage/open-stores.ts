import { join } from 'node:path';
import { Snapshots } from './care/snapshots.ts';
import type { DataFolder } from './data-folder.ts';
import type { Sqlite } from './database/sqlite.ts';
import { SqliteAdvisoryStore } from './database/stores/advisory-store.ts';
import { SqliteAuditStore } from './database/stores/audit-store.ts';
import { SqliteCatalogStore } from './database/stores/catalog-store.ts';
import { SqliteDependentStore } from './database/stores/dependent-store.ts';
import { SqliteDirectoryStore } from './database/stores/directory-store.ts';
import { SqliteEnvironmentStore } from './database/stores/environment-store.ts';
import { MetaStore } from './database/stores/meta-store.ts';
import { SqliteOutboxStore } from './database/stores/outbox-store.ts';
import { OverviewStore } from './database/stores/overview-store.ts';
import { SqlitePackageStore } from './database/stores/package-store.ts';
import { PackageSummaries } from './database/stores/package-summaries.ts';
import { SqlitePublishAgeStore } from './database/stores/publish-age-store.ts';
import { SqliteStageStore } from './database/stores/stage-store.ts';
import { SqliteUpstreamStore } from './database/stores/upstream-store.ts';
import { SqliteVersionList } from './database/stores/version-list-store.ts';
import { DiskTarballStore } from './tarballs/tarball-store.ts';
import { TarballReferences } from './tarballs/tarball-references.ts';

export type Stores = ReturnType<typeof openStores>;

/** Everything that reads and writes an open data folder, for the domain folders behind their own interfaces. */
export function openStores(folder: DataFolder, sqlite: Sqlite) {
  const meta = new MetaStore(sqlite);
  const summaries = new PackageSummaries(sqlite);
  const references = new TarballReferences(sqlite);
  const snapshots = new Snapshots(join(folder.path, 'snapshots'), folder.databaseFile);
  let epoch = meta.epoch();
  return {
    meta,
    summaries,
    references,
    snapshots,
    audit: new SqliteAuditStore(sqlite),
    directory: new SqliteDirectoryStore(sqlite),
    environments: new SqliteEnvironmentStore(sqlite),
    packages: new SqlitePackageStore(sqlite, summaries, () => epoch),
    catalog: new SqliteCatalogStore(sqlite),
    versionList: new SqliteVersionList(sqlite),
    dependents: new SqliteDependentStore(sqlite),
    publishAges: new SqlitePublishAgeStore(sqlite),
    advisories: new SqliteAdvisoryStore(sqlite),
    stages: new SqliteStageStore(sqlite),
    upstreams: new SqliteUpstreamStore(sqlite, meta),
    outbox: new SqliteOutboxStore(sqlite),
    overview: new OverviewStore(sqlite, folder),
    tarballs: new DiskTarballStore(folder.tarballs, folder.temporary),
    /** Whether a row or a snapshot refers to a tarball. */
    isReferenced: (sha512: string) => references.isUsed(sha512) || snapshots.holds(sha512),
    /** Reads again what is cached, after another state has replaced the present one. */
    reload() {
      epoch = meta.epoch();
    },
  };
}
