import type { PackageStore, TagRow, VersionRow } from '../../registry/package-store.ts';

/** A package of this registry as all its projects together have it: of equal versions the newest publish, of equal tags the newest change. */
export interface LocalPackage {
  readonly name: string;
  readonly versions: ReadonlyMap<string, VersionRow>;
  readonly tags: ReadonlyMap<string, string>;
}

/** Undefined if nothing of this name was published here. */
export function findLocalPackage(
  store: Pick<PackageStore, 'packagesNamed' | 'versionsOf' | 'tagsOf'>,
  name: string,
): LocalPackage | undefined {
  const rows = store.packagesNamed(name);
  if (rows.length === 0) return undefined;
  const versions = new Map<string, VersionRow>();
  const tags = new Map<string, TagRow>();
  for (const { id } of rows) {
    for (const row of store.versionsOf(id, 0, Number.MAX_SAFE_INTEGER)) {
      if ((versions.get(row.version)?.publishedAt ?? -1) < row.publishedAt) versions.set(row.version, row);
    }
    for (const tag of store.tagsOf(id)) {
      if ((tags.get(tag.tag)?.updatedAt ?? -1) < tag.updatedAt) tags.set(tag.tag, tag);
    }
  }
  return { name, versions, tags: new Map([...tags].map(([tag, { version }]) => [tag, version])) };
}
