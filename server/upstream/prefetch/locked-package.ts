import { isValidVersion } from '../../registry/package-version.ts';

/** One package that a lockfile names. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** As the lockfile has it; null where it has none of the tarball. */
  readonly integrity: string | null;
}

/** Entries of a registry only, each once; what has no version that a registry could have (git, file, workspace) is left out. */
export function withoutRepeats(entries: Iterable<LockedPackage>): LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  for (const entry of entries) {
    if (!isValidVersion(entry.version) || entry.name === '') continue;
    const key = `${entry.name}@${entry.version}`;
    if (!found.has(key) || entry.integrity !== null) found.set(key, entry);
  }
  return [...found.values()];
}

/** Splits `name@rest`, where the name may begin with an at sign; undefined if there is no second part. */
export function splitAtVersion(text: string): { name: string; rest: string } | undefined {
  const at = text.indexOf('@', 1);
  return at === -1 ? undefined : { name: text.slice(0, at), rest: text.slice(at + 1) };
}
