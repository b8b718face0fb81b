import type { NameOwners } from '../../registry/name-owners.ts';
import type { PackageStore, VersionRow } from '../../registry/package-store.ts';
import { firstPublishes, mergeTags } from '../../registry/packuments/merged-view.ts';

/** A package of this registry as the projects of its owner together have it: of equal versions the first publish, of equal tags the newest change. */
export interface LocalPackage {
  readonly name: string;
  readonly versions: ReadonlyMap<string, VersionRow>;
  readonly tags: ReadonlyMap<string, string>;
}

/**
 * Undefined if nothing of this name was published here.
 * @param owners leaves out packages of other namespaces than the owner of the name
 */
export function findLocalPackage(
  packages: Pick<PackageStore, 'packagesNamed' | 'versionsOf' | 'tagsOf'>,
  name: string,
  owners?: Pick<NameOwners, 'select'>,
): LocalPackage | undefined {
  const named = packages.packagesNamed(name);
  const rows = owners ? owners.select(named) : named;
  if (rows.length === 0) return undefined;
  const published = rows.flatMap(({ id }) => packages.versionsOf(id, 0, Number.MAX_SAFE_INTEGER));
  const versions = new Map([...firstPublishes(published).values()].map((row) => [row.version, row]));
  const tags = mergeTags(
    rows.map(({ id }) => packages.tagsOf(id)),
    () => versions.keys(),
  );
  return { name, versions, tags };
}
