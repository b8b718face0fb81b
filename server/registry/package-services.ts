import type { CatalogStore } from './packuments/package-catalog.ts';
import type { DependentStore } from './packuments/dependencies.ts';
import type { DownloadCounter } from './packuments/download-counter.ts';
import type { PackageEditor } from './package-editor.ts';
import type { PackageStore } from './package-store.ts';
import type { VersionList } from './packuments/version-list.ts';
import type { PackumentLibrary } from './packuments/packument-library.ts';
import type { PublishedKey } from './publish/manifest-signer.ts';
import type { Publisher } from './publish/publish.ts';
import type { TarballCollector } from './publish/tarball-collector.ts';
import type { TarballStore } from './publish/tarball-store.ts';
import type { UploadLimits } from './publish/upload-limits.ts';

/** Everything that answers about packages. */
export interface PackageServices {
  readonly store: PackageStore;
  readonly tarballs: TarballStore;
  readonly collector: TarballCollector;
  readonly catalog: CatalogStore;
  readonly versionList: VersionList;
  readonly dependents: DependentStore;
  readonly library: PackumentLibrary;
  readonly publisher: Publisher;
  readonly editor: PackageEditor;
  readonly downloads: DownloadCounter;
  readonly limits: UploadLimits;
  /** Public halves of the keys that versions are signed with. */
  readonly keys: readonly PublishedKey[];
}
