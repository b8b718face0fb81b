import semver from 'semver';
import { computedLatest } from '../../registry/package-version.ts';
import { splitAtVersion } from '../prefetch/locked-package.ts';

/** What is known of a package wherever it comes from. */
export interface Resolvable {
  readonly versions: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  readonly tags: ReadonlyMap<string, string>;
}

export interface ResolvedPackage {
  readonly name: string;
  readonly version: string;
}

export interface Closure {
  readonly packages: readonly ResolvedPackage[];
  /** What nothing satisfies, as `name@range`, each with the reason. */
  readonly missing: readonly { readonly name: string; readonly range: string; readonly reason: string }[];
}

/**
 * Everything that a set of packages needs to be installed: dependencies, optional ones, and peers that are not optional, each as an
 * installer without a lockfile would choose it. A range that several packages share is resolved once.
 * @param specs `name`, `name@range` or `name@tag`
 * @param find what is known of a name; may reject with why it can't be known now
 */
export async function closureOf(
  specs: readonly string[],
  find: (name: string) => Promise<Resolvable | undefined>,
): Promise<Closure> {
  const chosen = new Map<string, ResolvedPackage>();
  const missing = new Map<string, { name: string; range: string; reason: string }>();
  const known = new Map<string, Promise<Resolvable | undefined>>();
  const look = (name: string): Promise<Resolvable | undefined> => {
    let found = known.get(name);
    if (!found) known.set(name, (found = find(name)));
    return found;
  };
  let wave = specs.map((spec) => wantedOf(spec));
  const seen = new Set<string>();
  while (wave.length > 0) {
    const fresh = wave.filter(({ name, range }) => !seen.has(`${name}@${range}`));
    for (const { name, range } of fresh) seen.add(`${name}@${range}`);
    // A level of the tree at a time, so that the requests of a level run beside each other.
    const next: Wanted[] = [];
    for (const group of batches(fresh, 16)) {
      const levels = await Promise.all(group.map((wanted) => resolve(wanted, look)));
      for (const [index, outcome] of levels.entries()) {
        const wanted = group[index];
        if (!wanted) continue;
        if ('reason' in outcome) {
          missing.set(`${wanted.name}@${wanted.range}`, { ...wanted, reason: outcome.reason });
          continue;
        }
        const key = `${wanted.name}@${outcome.version}`;
        if (chosen.has(key)) continue;
        chosen.set(key, { name: wanted.name, version: outcome.version });
        next.push(...needsOf(outcome.manifest));
      }
    }
    wave = next;
  }
  return { packages: [...chosen.values()], missing: [...missing.values()] };
}

/** Every dependency that one manifest names, as far as a registry can have it. */
export function needsOf(manifest: Readonly<Record<string, unknown>>): Wanted[] {
  const optionalPeers = asMap(manifest['peerDependenciesMeta']);
  const peers = Object.entries(asMap(manifest['peerDependencies'])).filter(([name]) => {
    const meta = optionalPeers[name];
    return !(typeof meta === 'object' && meta !== null && 'optional' in meta && meta.optional === true);
  });
  const all = [
    ...Object.entries(asMap(manifest['dependencies'])),
    ...Object.entries(asMap(manifest['optionalDependencies'])),
    ...peers,
  ];
  return all.flatMap(([name, range]) => {
    if (typeof range !== 'string') return [];
    if (range.startsWith('npm:')) return [wantedOf(range.slice(4))];
    // Git, files, addresses and workspaces are no matter of a registry.
    return /[:/]/.test(range) ? [] : [{ name, range: range.trim() }];
  });
}

export interface Wanted {
  readonly name: string;
  readonly range: string;
}

export function wantedOf(spec: string): Wanted {
  const split = splitAtVersion(spec);
  return split ? { name: split.name, range: split.rest } : { name: spec, range: '' };
}

/** The version that a range or a tag means: the one of `latest` if it fits, else the highest that fits. */
export function choose({ versions, tags }: Resolvable, range: string): string | undefined {
  const latest = tags.get('latest') ?? computedLatest(versions.keys());
  if (range === '' || range === 'latest') return latest;
  const tagged = tags.get(range);
  if (tagged !== undefined) return tagged;
  if (versions.has(range)) return range;
  if (semver.validRange(range) === null) return undefined;
  if (latest !== undefined && semver.satisfies(latest, range)) return latest;
  return semver.maxSatisfying([...versions.keys()], range) ?? undefined;
}

async function resolve(
  { name, range }: Wanted,
  look: (name: string) => Promise<Resolvable | undefined>,
): Promise<{ version: string; manifest: Readonly<Record<string, unknown>> } | { reason: string }> {
  let found: Resolvable | undefined;
  try {
    found = await look(name);
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
  if (!found) return { reason: `There is no package ${name} here or at any upstream that may be asked.` };
  const version = choose(found, range);
  const manifest = version === undefined ? undefined : found.versions.get(version);
  if (version === undefined || !manifest) return { reason: `No version of ${name} satisfies "${range}".` };
  return { version, manifest };
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
