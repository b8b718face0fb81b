import { join } from 'node:path';
import { Snapshots } from './care/snapshots.ts';
import type { DataFolder } from './data-folder.ts';
import type { Sqlite } from './database/sqlite.ts';
import { sqliteAdvisories } from './database/stores/advisory-store.ts';
import { sqliteAudit } from './database/stores/audit-store.ts';
import { SqliteCatalogStore } from './database/stores/catalog-store.ts';
import { sqliteDependents } from './database/stores/dependent-store.ts';
import { SqliteDirectoryStore } from './database/stores/directory-store.ts';
import { sqliteEnvironments } from './database/stores/environment-store.ts';
import { sqliteGuards } from './database/stores/guard-store.ts';
import { MetaStore } from './database/stores/meta-store.ts';
import { sqliteOutbox } from './database/stores/outbox-store.ts';
import { OverviewStore } from './database/stores/overview-store.ts';
import { sqlitePackages } from './database/stores/package-store.ts';
import { PackageSummaries } from './database/stores/package-summaries.ts';
import { sqlitePublishAges } from './database/stores/publish-age-store.ts';
import { sqliteStages } from './database/stores/stage-store.ts';
import { sqliteUpstreams } from './database/stores/upstream-store.ts';
import { SqliteVersionList } from './database/stores/version-list-store.ts';
import { DiskTarballStore } from './tarballs/tarball-store.ts';
import { TarballReferences } from './tarballs/tarball-references.ts';
import { sqliteReleases } from './database/stores/release-store.ts';

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
    audit: sqliteAudit(sqlite),
    directory: new SqliteDirectoryStore(sqlite),
    environments: sqliteEnvironments(sqlite),
    guards: sqliteGuards(sqlite),
    releases: sqliteReleases(sqlite),
    packages: sqlitePackages(sqlite, summaries, () => epoch),
    catalog: new SqliteCatalogStore(sqlite),
    versionList: new SqliteVersionList(sqlite),
    dependents: sqliteDependents(sqlite),
    publishAges: sqlitePublishAges(sqlite),
    advisories: sqliteAdvisories(sqlite),
    stages: sqliteStages(sqlite),
    upstreams: sqliteUpstreams(sqlite, meta),
    outbox: sqliteOutbox(sqlite),
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
