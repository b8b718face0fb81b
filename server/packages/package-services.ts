import type { CatalogStore } from './package-catalog.ts';
import type { DependentStore } from './dependencies.ts';
import type { DownloadCounter } from './download-counter.ts';
import type { PackageEditor } from './package-editor.ts';
import type { PackageStore } from './package-store.ts';
import type { VersionList } from './version-list.ts';
import type { PackumentLibrary } from './packument-library.ts';
import type { PublishedKey } from './manifest-signer.ts';
import type { Publisher } from './publish.ts';
import type { TarballExaminer } from './tarball-examiner.ts';
import type { TarballKeeper } from './tarball-keeper.ts';
import type { TarballStore } from './tarball-port.ts';
import type { UploadLimits } from './upload-limits.ts';

/** Everything that answers about packages. */
export interface PackageServices {
  readonly store: PackageStore;
  readonly tarballs: TarballStore;
  readonly keeper: TarballKeeper;
  readonly catalog: CatalogStore;
  readonly versionList: VersionList;
  readonly dependents: DependentStore;
  readonly library: PackumentLibrary;
  readonly examiner: TarballExaminer;
  readonly publisher: Publisher;
  readonly editor: PackageEditor;
  readonly downloads: DownloadCounter;
  readonly limits: UploadLimits;
  /** Public halves of the keys that versions are signed with. */
  readonly keys: readonly PublishedKey[];
}
