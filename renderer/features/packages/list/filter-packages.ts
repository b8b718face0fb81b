import type { PackageSummary } from '../../../../server/contract/packages.ts';
import { scopeOf } from '../../../api/packages.ts';

export type PackageSortKey = 'name' | 'publishedAt' | 'size' | 'versions';

export interface PackageFilter {
  search: string;
  /** `@acme`; undefined for all, `''` for packages without a scope. */
  scope?: string | undefined;
  projectId?: number | undefined;
  /** What the server's search found besides, by keyword. */
  alsoMatching?: ReadonlySet<number> | undefined;
}

export interface PackageOrder {
  sort: PackageSortKey;
  descending: boolean;
}

const compare: Record<PackageSortKey, (a: PackageSummary, b: PackageSummary) => number> = {
  name: (a, b) => byText(a.name, b.name) || byText(a.projectPath, b.projectPath),
  publishedAt: (a, b) => a.publishedAt - b.publishedAt,
  size: (a, b) => a.totalSize - b.totalSize,
  versions: (a, b) => a.versionCount - b.versionCount,
};

// Names are ASCII; comparing code units is twenty times faster than asking for a locale, which ten thousand rows would show.
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A package in lower case, made once for as long as the list stays: ten thousand names are searched at every key. */
interface Searchable {
  readonly scope: string;
  readonly name: string;
  readonly all: string;
}
const searchables = new WeakMap<PackageSummary, Searchable>();

function searchable(pack: PackageSummary): Searchable {
  let made = searchables.get(pack);
  if (made === undefined) {
    const name = pack.name.toLowerCase();
    made = { scope: scopeOf(pack.name), name, all: `${name} ${pack.description.toLowerCase()}` };
    searchables.set(pack, made);
  }
  return made;
}

/** The packages in this order, by name where they are equal. */
export function sortPackages(
  packages: readonly PackageSummary[],
  { sort, descending }: PackageOrder,
): PackageSummary[] {
  const order = compare[sort];
  return packages.toSorted((a, b) => (descending ? order(b, a) : order(a, b)) || compare.name(a, b));
}

/**
 * The packages that fit, in the order that they come in. Every word of the search has to occur in the name or the description;
 * those whose name fits come before those found by their description or keywords.
 */
export function filterPackages(sorted: readonly PackageSummary[], filter: PackageFilter): PackageSummary[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  const inName: PackageSummary[] = [];
  const elsewhere: PackageSummary[] = [];
  for (const pack of sorted) {
    if (filter.projectId !== undefined && pack.projectId !== filter.projectId) continue;
    const text = searchable(pack);
    if (filter.scope !== undefined && text.scope !== filter.scope) continue;
    if (fits(text.name, words)) inName.push(pack);
    else if (fits(text.all, words) || filter.alsoMatching?.has(pack.id) === true) elsewhere.push(pack);
  }
  return elsewhere.length === 0 ? inName : [...inName, ...elsewhere];
}

function fits(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!text.includes(word)) return false;
  return true;
}
