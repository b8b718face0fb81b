import type { PackageRow, PackageStore, TagRow, VersionRow } from '../../registry/package-store.ts';

/** A package of this registry as all its projects together have it: of equal versions the newest publish, of equal tags the newest change. */
export interface LocalPackage {
  readonly name: string;
  readonly versions: ReadonlyMap<string, { readonly row: VersionRow; readonly projectId: number }>;
  readonly tags: ReadonlyMap<string, string>;
}

/** @returns undefined if nothing of this name was published here. */
export function findLocalPackage(
  store: Pick<PackageStore, 'packagesNamed' | 'versionsOf' | 'tagsOf'>,
  name: string,
): LocalPackage | undefined {
  const rows: readonly PackageRow[] = store.packagesNamed(name);
  if (rows.length === 0) return undefined;
  const versions = new Map<string, { row: VersionRow; projectId: number }>();
  const tags = new Map<string, TagRow>();
  for (const { id, projectId } of rows) {
    for (const row of store.versionsOf(id, 0, Number.MAX_SAFE_INTEGER)) {
      const present = versions.get(row.version);
      if (!present || present.row.publishedAt < row.publishedAt) versions.set(row.version, { row, projectId });
    }
    for (const tag of store.tagsOf(id)) {
      const present = tags.get(tag.tag);
      if (!present || present.updatedAt < tag.updatedAt) tags.set(tag.tag, tag);
    }
  }
  return { name, versions, tags: new Map([...tags].map(([tag, { version }]) => [tag, version])) };
}
