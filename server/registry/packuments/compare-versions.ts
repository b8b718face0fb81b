import semver from 'semver';
import type { TarballFile } from '../../contract/contents.ts';
import type { ReleaseComparison } from '../../contract/releases.ts';
import { declaredDependencies } from './dependencies.ts';

/** One of two versions that are compared. */
export interface ComparedVersion {
  readonly version: string;
  /** Bytes of the tarball. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly files: readonly TarballFile[];
}

/** What a package has: each version, and where each tag points. */
export interface PackageState {
  readonly versions: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** Lifecycle scripts that npm runs when a package is installed. */
const installScripts = ['preinstall', 'install', 'postinstall'];
const comparedFacts = ['license', 'engines', 'maintainers', 'author', 'repository', 'type', 'bin', 'os', 'cpu'];

/** How one version differs from another: files, sizes, dependencies, install scripts and what else readers of a release look at. */
export function compareVersions(
  from: ComparedVersion | undefined,
  to: ComparedVersion,
): Omit<ReleaseComparison, 'installs'> {
  return {
    from: from ? sideOf(from) : null,
    to: sideOf(to),
    files: compareFiles(from?.files ?? [], to.files),
    dependencies: compareDependencies(from?.manifest ?? {}, to.manifest),
    installScripts: compareFields(installScripts, scriptsOf(from?.manifest), scriptsOf(to.manifest)),
    facts: from ? compareFields(comparedFacts, from.manifest, to.manifest) : [],
  };
}

/** What `npm install` picks of a package before and after a change, for what people type and what ranges in manifests ask for. */
export function compareInstalls(
  name: string,
  before: PackageState,
  after: PackageState,
  tags: readonly string[],
): ReleaseComparison['installs'] {
  const wanted = tags.includes('latest') ? tags : ['latest', ...tags];
  const byTag = wanted.map((tag) => ({
    command: tag === 'latest' ? `npm install ${name}` : `npm install ${name}@${tag}`,
    before: before.tags[tag] ?? null,
    after: after.tags[tag] ?? null,
  }));
  const current = before.tags[tags[0] ?? 'latest'];
  if (current === undefined || !semver.valid(current)) return byTag;
  const range = `^${current}`;
  return [
    ...byTag,
    { command: `npm install ${name}@${range}`, before: pick(before, range), after: pick(after, range) },
  ];
}

/** npm takes what `latest` points at where the range allows it, else the highest version. */
function pick({ versions, tags }: PackageState, range: string): string | null {
  const { latest } = tags;
  if (latest !== undefined && semver.satisfies(latest, range)) return latest;
  return semver.maxSatisfying(versions, range);
}

function sideOf({ version, size, unpackedSize, files }: ComparedVersion) {
  return { version, size, unpackedSize, fileCount: files.length };
}

function compareFiles(before: readonly TarballFile[], after: readonly TarballFile[]): ReleaseComparison['files'] {
  const old = new Map(before.map((file) => [file.path, file]));
  const kept = new Set(after.map(({ path }) => path));
  const added = after.filter(({ path }) => !old.has(path)).map(({ path, size }) => ({ path, size }));
  const removed = before.filter(({ path }) => !kept.has(path)).map(({ path, size }) => ({ path, size }));
  const changed = after.flatMap(({ path, size, sha1 }) => {
    const earlier = old.get(path);
    return earlier && earlier.sha1 !== sha1 ? [{ path, size, sizeBefore: earlier.size }] : [];
  });
  return { added, removed, changed, unchanged: after.length - added.length - changed.length };
}

function compareDependencies(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): ReleaseComparison['dependencies'] {
  const keyOf = ({ name, kind }: { name: string; kind: string }) => `${kind} ${name}`;
  const old = new Map(declaredDependencies(before).map((each) => [keyOf(each), each]));
  const now = new Map(declaredDependencies(after).map((each) => [keyOf(each), each]));
  return [...new Set([...old.keys(), ...now.keys()])]
    .flatMap((key) => {
      const [earlier, later] = [old.get(key), now.get(key)];
      const either = later ?? earlier;
      if (!either || earlier?.range === later?.range) return [];
      return [{ name: either.name, kind: either.kind, from: earlier?.range ?? null, to: later?.range ?? null }];
    })
    .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function compareFields(
  names: readonly string[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): { name: string; from: string | null; to: string | null }[] {
  return names.flatMap((name) => {
    const [from, to] = [textOf(before[name]), textOf(after[name])];
    return from === to ? [] : [{ name, from, to }];
  });
}

function scriptsOf(manifest: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const { scripts } = manifest;
  return typeof scripts === 'object' && scripts !== null ? (scripts as Record<string, unknown>) : {};
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
