import type { DistTag, PackageVersion } from '../../../../server/contract/packages.ts';

/** The tags in the order in which they matter: `latest`, then by the version they point at, newest publish first. */
export function orderTags(tags: readonly DistTag[], versions: readonly PackageVersion[]): DistTag[] {
  const place = new Map(versions.map((version, index) => [version.version, index]));
  const rank = (tag: DistTag) => (tag.tag === 'latest' ? -1 : (place.get(tag.version) ?? versions.length));
  return [...tags].sort((a, b) => rank(a) - rank(b) || (a.tag < b.tag ? -1 : 1));
}

/** The tags of each version, in the order given. */
export function tagsByVersion(tags: readonly DistTag[]): ReadonlyMap<string, string[]> {
  const byVersion = new Map<string, string[]>();
  for (const { tag, version } of tags) byVersion.set(version, [...(byVersion.get(version) ?? []), tag]);
  return byVersion;
}

/**
 * What is wrong with a name for a new tag, as a sentence; undefined if nothing is. npm reads `pkg@1.x` as a range of versions, so
 * a tag that looks like one could never be installed (npm refuses it as well).
 */
export function tagNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name.';
  if (name.length > 255) return 'A tag has at most 255 characters.';
  if (!/^[A-Za-z0-9._~-]+$/.test(name)) return 'Use letters, digits, dots, dashes and underscores.';
  if (/^[v=]*\d+(\.(\d+|[xX*]))*/.test(name) && /^[v=]*\d+(\.(\d+|[xX*])){0,2}([-+].*)?$/.test(name)) {
    return 'This looks like a version. npm does not accept it as a tag.';
  }
  if (/^[xX]$/.test(name)) return 'This looks like a version. npm does not accept it as a tag.';
  return undefined;
}
