import type { PackageDetail, PackageSummary, VersionDetail } from '../../contract/packages.ts';
import { GatehouseError } from '../../contract/errors.ts';
import { tarballFileName } from '../package-name.ts';
import { computedLatest } from '../package-version.ts';
import { distTagsOf } from './merged-view.ts';
import { readProvenance } from './provenance.ts';
import type { NamedPackage, PackageStore } from '../package-store.ts';
import type { SearchQuery } from './search-query.ts';

/** One line of a list of packages. */
export type SummaryRow = Omit<PackageSummary, 'projectPath'>;

export interface CatalogQuery {
  /** Part of a name, description or keyword. */
  readonly search?: string | undefined;
  /** Projects to look in; undefined for all. */
  readonly projectIds?: readonly number[] | undefined;
  /** A scope with its at sign. */
  readonly scope?: string | undefined;
  readonly orderBy: 'name' | 'publishedAt' | 'size';
  readonly direction: 'asc' | 'desc';
  readonly offset: number;
  readonly limit: number;
}

export interface SearchHit {
  readonly packageId: number;
  readonly projectId: number;
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly latest: string;
  readonly publishedAt: number;
  /** Higher is better. */
  readonly score: number;
}

/** How much a package is used, as npm's searches show it. */
export interface PackageUsage {
  /** Downloads of the last 7 days, today (UTC) among them. */
  readonly weekly: number;
  /** Those of the last 30 days. */
  readonly monthly: number;
  /** Other packages whose latest version depends on it, development aside. */
  readonly dependents: number;
}

export interface CatalogVersion {
  readonly id: number;
  readonly version: string;
  readonly publishedAt: number;
  readonly publisher: string | null;
  /** Whether it came in a bundle: its publisher imported it, at the time of its publishing here. */
  readonly imported: boolean;
  readonly size: number;
  readonly fileCount: number;
  readonly unpackedSize: number;
  readonly integrity: string;
  readonly shasum: string;
  readonly deprecated: string | null;
  readonly downloads: number;
}

/** Lists and searches, answered from summary tables. */
export interface CatalogStore {
  list(query: CatalogQuery): { total: number; rows: SummaryRow[] };
  summary(packageId: number): SummaryRow | undefined;
  /** Versions without their manifests, newest publish first. */
  versions(packageId: number): CatalogVersion[];
  /**
   * Full-text search, best first; a name that several projects have is found once, in the one that published last.
   * @param hidden ids of packages to leave out
   */
  search(
    query: SearchQuery,
    projectIds: readonly number[] | undefined,
    page: { offset: number; limit: number },
    hidden?: ReadonlySet<number>,
  ): {
    total: number;
    hits: SearchHit[];
  };
  /**
   * How much packages are used, by their ids.
   * @param projectIds projects whose packages count as dependents; undefined for all
   * @param hidden ids of packages that do not
   */
  usage(
    packages: readonly Pick<SearchHit, 'packageId' | 'name'>[],
    projectIds: readonly number[] | undefined,
    hidden?: ReadonlySet<number>,
  ): Map<number, PackageUsage>;
  /** Names of the packages that a user looks after or published, in these projects (undefined for all), by name. */
  namesOfUser(userId: number, projectIds: readonly number[] | undefined): NamedPackage[];
  /** Names of the packages that a user has starred, in these projects (undefined for all), by name. */
  namesStarredBy(userId: number, projectIds: readonly number[] | undefined): NamedPackage[];
}

/** Everything about one package for the window. @throws GatehouseError `package_not_found`. */
export function describePackage(
  packageId: number,
  from: {
    readonly catalog: CatalogStore;
    readonly store: PackageStore;
    readonly projectPathOf: (projectId: number) => string;
  },
): PackageDetail {
  const { catalog, store } = from;
  const summary = catalog.summary(packageId);
  const row = store.getPackage(packageId);
  if (!summary || !row) throw new GatehouseError('package_not_found', 'This package is not there any more.');
  const latest = summary.latest === null ? undefined : store.findVersion(packageId, summary.latest);
  const manifest = latest ? (JSON.parse(latest.manifest) as Record<string, unknown>) : {};
  const setAt = new Map(store.tagsOf(packageId).map((tag) => [tag.tag, tag.updatedAt]));
  const distTags = distTagsOf(store, [row]);
  const versions = catalog.versions(packageId);
  return {
    ...summary,
    projectPath: from.projectPathOf(summary.projectId),
    readme: latest ? (store.readmeOf(latest.id)?.text ?? '') : '',
    license: textOf(manifest['license'], 'type'),
    homepage: textOf(manifest['homepage'], 'url'),
    repository: textOf(manifest['repository'], 'url'),
    keywords: Array.isArray(manifest['keywords'])
      ? manifest['keywords'].filter((word) => typeof word === 'string')
      : [],
    versions,
    newest: computedLatest(versions.map(({ version }) => version)) ?? null,
    tags: [...distTags].map(([tag, version]) => ({ tag, version, updatedAt: setAt.get(tag) ?? summary.publishedAt })),
  };
}

/** One version in full, for the window. @throws GatehouseError `package_not_found`. */
export function describeVersion(
  packageId: number,
  version: string,
  from: { readonly catalog: CatalogStore; readonly store: PackageStore },
): VersionDetail {
  const { catalog, store } = from;
  const owner = store.getPackage(packageId);
  const row = store.findVersion(packageId, version);
  const listed = row && catalog.versions(packageId).find(({ id }) => id === row.id);
  if (!owner || !row || !listed) throw new GatehouseError('package_not_found', `Version ${version} no longer exists.`);
  const manifest = JSON.parse(row.manifest) as Record<string, unknown>;
  const bundle = store.bundleOf(row.id);
  return {
    ...listed,
    readme: store.readmeOf(row.id)?.text ?? '',
    license: textOf(manifest['license'], 'type'),
    engines: textsOf(manifest['engines']),
    fileName: tarballFileName(owner.name, row.version),
    signature: { keyId: row.signatureKeyId, value: row.signature },
    provenance: bundle === undefined ? null : readProvenance(bundle),
  };
}

/** The entries of a manifest field that are texts. */
function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** A manifest field that is a text, or an object that holds the text under `key`. */
function textOf(value: unknown, key: string): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
  const inner = (value as Record<string, unknown>)[key];
  return typeof inner === 'string' ? inner : null;
}
