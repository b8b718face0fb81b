import type { PackageRow, PackageStore, TagRow, VersionRow } from '../package-store.ts';
import { computedLatest, withoutBuild } from '../package-version.ts';

/*
 * A group or the whole instance shows the packages that the owner of a name has in several projects as one: of equal versions the first
 * publish wins and keeps its bytes, of equal tags the newest change. With one package these rules change nothing.
 */

/** The first publish of each version, by the version without build metadata. Ids grow with every publish, whatever the clock says. */
export function firstPublishes(rows: Iterable<VersionRow>): ReadonlyMap<string, VersionRow> {
  const first = new Map<string, VersionRow>();
  for (const row of rows) {
    const key = withoutBuild(row.version);
    const present = first.get(key);
    if (!present || row.id < present.id) first.set(key, row);
  }
  return first;
}

/** Tag to version, `latest` always among them where there is a version at all. */
export function mergeTags(lists: Iterable<readonly TagRow[]>, versions: () => Iterable<string>): Map<string, string> {
  const tags = new Map<string, TagRow>();
  for (const list of lists) {
    for (const tag of list) {
      const present = tags.get(tag.tag);
      if (!present || tag.updatedAt > present.updatedAt) tags.set(tag.tag, tag);
    }
  }
  const merged = new Map([...tags.values()].map((tag) => [tag.tag, tag.version]));
  if (!merged.has('latest')) {
    const latest = computedLatest(versions());
    if (latest !== undefined) merged.set('latest', latest);
  }
  return merged;
}

/** The dist-tags of packages of one name, without reading their manifests. */
export function distTagsOf(store: PackageStore, packages: readonly PackageRow[]): Map<string, string> {
  const tags = mergeTags(
    packages.map((row) => store.tagsOf(row.id)),
    () => packages.flatMap((row) => store.versionNames(row.id)),
  );
  if (packages.length < 2) return tags;
  return new Map(
    [...tags].map(([tag, version]) => [tag, findMergedVersion(store, packages, version)?.version ?? version]),
  );
}

/** The row that stands for a version in packages of one name. */
export function findMergedVersion(
  store: Pick<PackageStore, 'findVersion'>,
  packages: readonly PackageRow[],
  version: string,
): VersionRow | undefined {
  return packages
    .flatMap((row) => store.findVersion(row.id, version) ?? [])
    .reduce<VersionRow | undefined>((first, row) => (first && first.id < row.id ? first : row), undefined);
}
