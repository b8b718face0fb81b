import type { PackageRow, PackageStore, TagRow, VersionRow } from '../package-store.ts';
import { computedLatest } from '../package-version.ts';

/*
 * A group or the whole instance shows the packages of one name in several projects as one: of equal versions the newest publish wins, of
 * equal tags the newest change (api/npm.md, part one). With one package these rules change nothing.
 */

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
  return mergeTags(
    packages.map((row) => store.tagsOf(row.id)),
    () => packages.flatMap((row) => store.versionNames(row.id)),
  );
}

/** The row that stands for a version in packages of one name. */
export function findMergedVersion(
  store: PackageStore,
  packages: readonly PackageRow[],
  version: string,
): VersionRow | undefined {
  return packages
    .flatMap((row) => store.findVersion(row.id, version) ?? [])
    .reduce<VersionRow | undefined>(
      (best, row) => (best && best.publishedAt >= row.publishedAt ? best : row),
      undefined,
    );
}
