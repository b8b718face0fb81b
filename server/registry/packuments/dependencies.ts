import semver from 'semver';
import { dependencyKinds } from '../../contract/constants.ts';
import type { Dependency, Dependent } from '../../contract/contents.ts';

/** A package whose latest version may depend on another one. */
export interface DependentCandidate {
  readonly packageId: number;
  readonly name: string;
  readonly version: string;
  /** The published manifest, as JSON. */
  readonly manifest: string;
}

/** What has to be looked up for dependencies and dependents. */
export interface DependentStore {
  /** Latest versions whose manifest mentions the name; whether as a dependency is for the caller to see. */
  mentioning(name: string): DependentCandidate[];
  /** The package of that name and its versions: in the project given, else in the one that published last. */
  findByName(name: string, preferredProjectId: number): { packageId: number; versions: string[] } | undefined;
}

interface Declared {
  readonly name: string;
  readonly range: string;
  readonly kind: Dependency['kind'];
}

/**
 * What a manifest declares, each name once for each kind, in the order of `dependencyKinds`. npm repeats optional dependencies
 * among the plain ones; those count as optional.
 */
export function declaredDependencies(manifest: Readonly<Record<string, unknown>>): Declared[] {
  const optional = new Set(Object.keys(tableOf(manifest, 'optionalDependencies')));
  return dependencyKinds.flatMap((kind) =>
    Object.entries(tableOf(manifest, kind)).flatMap(([name, range]) =>
      typeof range !== 'string' || (kind === 'dependencies' && optional.has(name)) ? [] : [{ name, range, kind }],
    ),
  );
}

/** Dependencies of a manifest with what this registry has for each of them. */
export function describeDependencies(
  manifest: Readonly<Record<string, unknown>>,
  store: DependentStore,
  projectId: number,
): Dependency[] {
  return declaredDependencies(manifest).map((declared) => {
    const found = store.findByName(declared.name, projectId);
    const here =
      found === undefined
        ? null
        : { packageId: found.packageId, satisfiedBy: semver.maxSatisfying(found.versions, declared.range) };
    return { ...declared, here };
  });
}

/** Packages whose latest version depends on `name`, by name. */
export function describeDependents(name: string, version: string, store: DependentStore): Dependent[] {
  return store
    .mentioning(name)
    .flatMap((candidate) =>
      declaredDependencies(JSON.parse(candidate.manifest) as Record<string, unknown>)
        .filter((declared) => declared.name === name)
        .map(({ range, kind }) => ({
          packageId: candidate.packageId,
          name: candidate.name,
          version: candidate.version,
          range,
          kind,
          satisfied: semver.satisfies(version, range),
        })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.packageId - b.packageId));
}

function tableOf(manifest: Readonly<Record<string, unknown>>, key: string): Record<string, unknown> {
  const value = manifest[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
