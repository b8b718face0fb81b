import type { TarballDigests } from './publish/tarball-store.ts';

/** A package of one project. `revision` grows with every change of what its packument shows. */
export interface PackageRow {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly revision: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A published version. `manifest` and `abbreviated` are JSON objects as text, without `dist`, readme and deprecation. */
export interface VersionRow {
  readonly id: number;
  readonly packageId: number;
  readonly version: string;
  readonly publishedAt: number;
  readonly publisherId: number | null;
  readonly tarballSha512: string;
  readonly integrity: string;
  readonly shasum: string;
  readonly size: number;
  readonly fileCount: number;
  readonly unpackedSize: number;
  readonly manifest: string;
  readonly abbreviated: string;
  readonly deprecated: string | null;
  readonly signatureKeyId: string;
  readonly signature: string;
  /** Predicate type of the provenance bundle that came along, or null. */
  readonly provenance: string | null;
}

export type NewVersion = Omit<VersionRow, 'id' | 'packageId' | 'deprecated' | 'provenance'> & {
  readonly readme: { readonly filename: string; readonly text: string } | null;
  readonly bundle: { readonly predicateType: string; readonly text: string } | null;
  /** Whether it came in a bundle of another registry. */
  readonly imported: boolean;
};

/** Characters that the manifests of a version have. */
export function manifestSizeOf({ manifest, abbreviated }: Pick<VersionRow, 'manifest' | 'abbreviated'>): number {
  return manifest.length + abbreviated.length;
}

export interface TagRow {
  readonly id: number;
  readonly tag: string;
  readonly version: string;
  readonly versionId: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Person {
  readonly id: number;
  readonly username: string;
  readonly name: string;
}

/** A package and where it is. */
export interface NamedPackage {
  readonly packageId: number;
  readonly projectId: number;
  readonly name: string;
}

/** A scope, with its at sign, that packages of a project have. */
export interface ScopeOfProject {
  readonly scope: string;
  readonly projectId: number;
}

/** Reads and writes of packages. The writing half may only be called inside a unit of work. */
export interface PackageStore {
  /** A value that no other state of this data folder shares: part of every ETag and revision. */
  readonly epoch: string;

  findPackage(projectId: number, name: string): PackageRow | undefined;
  getPackage(packageId: number): PackageRow | undefined;
  /** Packages of this name in all projects, by id. */
  packagesNamed(name: string): PackageRow[];
  /** Packages whose name several projects have, of these scopes in these projects, or called like one of `names` in lower case, by id. */
  contestedPackages(scopes: readonly ScopeOfProject[], names: readonly string[]): NamedPackage[];
  scopesOfProjects(): ScopeOfProject[];
  /** Ids of the packages of these scopes in these projects. */
  packagesOfScopes(scopes: readonly ScopeOfProject[]): number[];
  /** Versions in the order of their publishing, at most `limit` of those after the id `after`; ends with the one that reaches `bytes`. */
  versionsOf(packageId: number, after: number, limit: number, bytes?: number): VersionRow[];
  /** SHA-512 of the tarball of each version. */
  contentsOf(packageId: number): ReadonlyMap<string, string>;
  /** Bytes that the manifests of all versions take. */
  manifestBytes(packageId: number): number;
  versionNames(packageId: number): string[];
  /** The version of this text, else one that differs in build metadata only, which SemVer counts as the same. */
  findVersion(packageId: number, version: string): VersionRow | undefined;
  /** Every version with its deprecation message; much quicker than the versions themselves. */
  deprecationsOf(packageId: number): ReadonlyMap<string, string | null>;
  getVersion(versionId: number): VersionRow | undefined;
  tagsOf(packageId: number): TagRow[];
  /** The dist-tags that packages of a project have, those of most packages first. */
  tagNamesIn(projectId: number, limit: number): string[];
  /** When the newest version was published, or 0. */
  newestPublish(packageId: number): number;
  readmeOf(versionId: number): { filename: string; text: string } | undefined;
  bundleOf(versionId: number): { predicateType: string; text: string } | undefined;
  maintainersOf(packageId: number): Person[];
  starrersOf(packageId: number): string[];
  /** The project below `rootNamespaceId`, other than `projectId`, that has this version as SemVer compares it; undefined if none. */
  projectWithSameVersion(rootNamespaceId: number, projectId: number, name: string, version: string): number | undefined;

  insertPackage(projectId: number, name: string, now: number): PackageRow;
  /** Notes a change of the package, so that every cached packument of it ends. */
  touchPackage(packageId: number, now: number): void;
  deletePackage(packageId: number): void;
  insertTarball(digests: TarballDigests, now: number): void;
  insertVersion(packageId: number, version: NewVersion): number;
  deleteVersion(versionId: number): void;
  setDeprecation(versionId: number, message: string | null): void;
  /** Creates or moves a tag. */
  putTag(packageId: number, tag: string, versionId: number, now: number): void;
  deleteTag(packageId: number, tag: string): void;
  addMaintainer(packageId: number, userId: number): void;
  removeMaintainer(packageId: number, userId: number): void;
  setStar(packageId: number, userId: number, starred: boolean): void;
  /** Returns the package of the version; undefined if the version is gone. */
  addDownloads(versionId: number, count: number, lastAt: number): number | undefined;
  /** Drops the counts by package and day of days before that of a moment. */
  forgetDownloads(before: number): void;
}
