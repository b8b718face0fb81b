import type { PackageRow, PackageStore, VersionRow } from '../../registry/package-store.ts';
import { firstPublishes, mergeTags } from '../../registry/packuments/merged-view.ts';

/** A package of this registry as the projects of its owner together have it: of equal versions the first publish, of equal tags the newest change. */
export interface LocalPackage {
  readonly name: string;
  readonly versions: ReadonlyMap<string, VersionRow>;
  readonly tags: ReadonlyMap<string, string>;
}

/** The packages of one name as one; undefined if there are none. */
export function findLocalPackage(
  packages: Pick<PackageStore, 'versionsOf' | 'tagsOf'>,
  name: string,
  rows: readonly PackageRow[],
): LocalPackage | undefined {
  if (rows.length === 0) return undefined;
  const published = rows.flatMap(({ id }) => packages.versionsOf(id, 0, Number.MAX_SAFE_INTEGER));
  const versions = new Map([...firstPublishes(published).values()].map((row) => [row.version, row]));
  const tags = mergeTags(
    rows.map(({ id }) => packages.tagsOf(id)),
    () => versions.keys(),
  );
  return { name, versions, tags };
}
