import semver from 'semver';
import { splitSpec } from '../registry/package-name.ts';
import { computedLatest } from '../registry/package-version.ts';
import { fetchFailure } from './network/outbound-error.ts';
import type { LocalPackage } from './proxy/local-packages.ts';

type Manifest = Readonly<Record<string, unknown>>;

/** What the resolver needs to know of a package. */
export interface Resolvable {
  readonly versions: ReadonlyMap<string, Manifest>;
  readonly tags: ReadonlyMap<string, string>;
}

export interface Closure {
  readonly packages: readonly { readonly name: string; readonly version: string }[];
  /** Dependencies that nothing satisfies. */
  readonly missing: readonly { readonly name: string; readonly range: string; readonly reason: string }[];
}

interface Wanted {
  readonly name: string;
  readonly range: string;
}

/** Packages of one level of the tree that are looked up at the same time. */
const concurrency = 16;

/** A package of this registry for the resolver. */
export function resolvableLocal({ versions, tags }: LocalPackage): Resolvable {
  const manifests = [...versions].map(([version, row]) => [version, JSON.parse(row.manifest) as Manifest] as const);
  return { versions: new Map(manifests), tags };
}

/**
 * Everything that must be there to install some packages: dependencies, optional ones, and peers that are not optional, each in the
 * version that an installer without a lockfile would choose.
 * @param specs `name`, `name@range` or `name@tag`
 * @param find rejects with the reason why a package can't be looked up now
 */
export async function closureOf(
  specs: readonly string[],
  find: (name: string) => Promise<Resolvable | undefined>,
): Promise<Closure> {
  const chosen = new Map<string, { name: string; version: string }>();
  const missing: { name: string; range: string; reason: string }[] = [];
  const known = new Map<string, Promise<Resolvable | undefined>>();
  const findOnce = (name: string): Promise<Resolvable | undefined> => {
    const found = known.get(name) ?? find(name);
    known.set(name, found);
    return found;
  };
  const seen = new Set<string>();
  const unseen = (wanted: readonly Wanted[]): Wanted[] =>
    wanted.filter(({ name, range }) => {
      const isNew = !seen.has(`${name}@${range}`);
      seen.add(`${name}@${range}`);
      return isNew;
    });
  let level = unseen(specs.map(splitSpec));
  while (level.length > 0) {
    const next: Wanted[] = [];
    for (let from = 0; from < level.length; from += concurrency) {
      const group = level.slice(from, from + concurrency);
      const outcomes = await Promise.all(
        group.map(async (wanted) => ({ wanted, ...(await resolve(wanted, findOnce)) })),
      );
      for (const { wanted, ...outcome } of outcomes) {
        if ('reason' in outcome) {
          missing.push({ ...wanted, reason: outcome.reason });
          continue;
        }
        const key = `${wanted.name}@${outcome.version}`;
        if (!chosen.has(key)) next.push(...dependenciesOf(outcome.manifest));
        chosen.set(key, { name: wanted.name, version: outcome.version });
      }
    }
    level = unseen(next);
  }
  return { packages: [...chosen.values()], missing };
}

/** Every dependency of a manifest that a registry can have. */
function dependenciesOf(manifest: Manifest): Wanted[] {
  const peerMeta = asMap(manifest['peerDependenciesMeta']);
  const peers = Object.entries(asMap(manifest['peerDependencies'])).filter(
    ([name]) => asMap(peerMeta[name])['optional'] !== true,
  );
  const all = [
    ...Object.entries(asMap(manifest['dependencies'])),
    ...Object.entries(asMap(manifest['optionalDependencies'])),
    ...peers,
  ];
  return all.flatMap(([name, range]) => {
    if (typeof range !== 'string') return [];
    if (range.startsWith('npm:')) return [splitSpec(range.slice(4))];
    // Git, files, URLs and workspaces come from elsewhere.
    return /[:/]/.test(range) ? [] : [{ name, range: range.trim() }];
  });
}

/** The version that a range or a tag means: that of `latest` if it fits, else the highest that fits. */
function chooseVersion({ versions, tags }: Resolvable, range: string): string | undefined {
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
  find: (name: string) => Promise<Resolvable | undefined>,
): Promise<{ version: string; manifest: Manifest } | { reason: string }> {
  let found: Resolvable | undefined;
  try {
    found = await find(name);
  } catch (error) {
    return { reason: fetchFailure(error, name) };
  }
  if (!found) return { reason: 'Neither this registry nor another one that may be asked has it.' };
  const version = chooseVersion(found, range);
  const manifest = version === undefined ? undefined : found.versions.get(version);
  if (version === undefined || !manifest) return { reason: 'No version of it fits.' };
  return { version, manifest };
}

function asMap(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
