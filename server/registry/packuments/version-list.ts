/** A version as GitLab's Packages API lists it, where each version is a package of its own. */
export interface ListedVersion {
  readonly id: number;
  readonly packageId: number;
  readonly projectId: number;
  readonly name: string;
  readonly version: string;
  readonly deprecated: string | null;
  readonly publishedAt: number;
  readonly lastDownloadedAt: number | null;
  readonly size: number;
  readonly shasum: string;
}

export const versionOrders = ['created_at', 'name', 'version', 'type', 'project_path'] as const;
export type VersionOrder = (typeof versionOrders)[number];

export interface VersionQuery {
  readonly projectIds: readonly number[];
  /** Part of the name. */
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly orderBy: VersionOrder;
  readonly direction: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

/** Lists of versions across packages. */
export interface VersionList {
  /** One page. `total` is exact up to 10,000 and any larger number beyond. */
  list(query: VersionQuery): { total: number; rows: ListedVersion[] };
  /** Every version of a package, oldest first. */
  ofPackage(packageId: number): ListedVersion[];
  find(versionId: number): ListedVersion | undefined;
}
