import { join } from 'node:path';
import type { Directory } from '../../accounts/directory.ts';
import type { EventBus } from '../../lib/event-bus.ts';
import { ManifestSigner } from '../../registry/publish/manifest-signer.ts';
import type { PackageServices } from '../../registry/package-services.ts';
import type { DataFolder } from '../data-folder.ts';
import { Maintenance } from './maintenance.ts';
import { Snapshots } from './snapshots.ts';
import type { Sqlite } from '../database/sqlite.ts';
import type { MetaStore } from '../database/stores/meta-store.ts';
import type { PackageSummaries } from '../database/stores/package-summaries.ts';
import { TarballReferences } from '../tarballs/tarball-references.ts';
import type { DiskTarballStore } from '../tarballs/tarball-store.ts';
import type { WriteQueue } from '../database/write-queue.ts';
import { gatehouseVersion } from '../../lib/version.ts';

/** What decides which tarballs stay: everything in the database that refers to one, and every snapshot that does. */
export interface Holders {
  readonly references: TarballReferences;
  readonly snapshots: Snapshots;
  /** Whether anything refers to this content. */
  isUsed(sha512: string): boolean;
}

export function openHolders(folder: DataFolder, sqlite: Sqlite): Holders {
  const references = new TarballReferences(sqlite);
  const snapshots = new Snapshots(join(folder.path, 'snapshots'), folder.databaseFile);
  return { references, snapshots, isUsed: (sha512) => references.isUsed(sha512) || snapshots.holds(sha512) };
}

export interface MaintenanceOptions {
  readonly folder: DataFolder;
  readonly sqlite: Sqlite;
  readonly unitOfWork: WriteQueue;
  readonly meta: MetaStore;
  readonly directory: Directory;
  readonly events: EventBus;
  readonly packages: PackageServices;
  readonly tarballs: DiskTarballStore;
  readonly holders: Holders;
  readonly summaries: PackageSummaries;
  /** Whether to begin what goes on beside the traffic. */
  readonly background: boolean;
  /** Called when another state took the place of the present one. */
  readonly onRewound: () => void;
}

/** Puts together what keeps the store healthy. */
export function openMaintenance(options: MaintenanceOptions): Maintenance {
  const { packages, events, directory, meta, holders } = options;
  const maintenance = new Maintenance({
    folder: options.folder,
    sqlite: options.sqlite,
    unitOfWork: options.unitOfWork,
    meta,
    store: packages.store,
    tarballs: options.tarballs,
    collector: packages.collector,
    editor: packages.editor,
    references: holders.references,
    snapshots: holders.snapshots,
    summaries: options.summaries,
    signer: new ManifestSigner(meta.signingKeys(Date.now())[0]),
    gatehouse: gatehouseVersion(),
    flush: () => packages.downloads.flush(),
    forget() {
      options.onRewound();
      directory.invalidate();
    },
    announce: {
      progress: (job) => events.publish('maintenance.progress', job),
      changed: (payload) => events.publish('maintenance.changed', payload),
      rewound: (payload) => events.publish('registry.rewound', payload),
    },
  });
  if (options.background) maintenance.begin();
  return maintenance;
}
