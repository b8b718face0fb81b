import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';
import { nameProblem } from '../../registry/package-name.ts';
import type { PackageStore } from '../../registry/package-store.ts';
import type { FoundPackument, PackumentCache } from './packument-cache.ts';
import { visiblePart } from './packument-view.ts';
import type { VisiblePackument } from './packument-view.ts';
import { routeName } from './routing.ts';
import type { TarballCache, TarballSource } from './tarball-cache.ts';
import type { UpstreamRow, UpstreamStore } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';

export interface ForwardingOptions {
  readonly upstreams: Upstreams;
  readonly store: UpstreamStore;
  readonly packages: Pick<PackageStore, 'packagesNamed'>;
  readonly packuments: PackumentCache;
  readonly tarballs: TarballCache;
  /** Whether a top group is called so: its scope is ours, as GitLab has it. */
  readonly isTopGroup: (path: string) => boolean;
  readonly clock: () => number;
}

/** Answers for names that are not here from the registries that are set up for them. */
export class Forwarding {
  readonly #options: ForwardingOptions;

  constructor(options: ForwardingOptions) {
    this.#options = options;
  }

  /** Whether there is any other registry at all. */
  get isOn(): boolean {
    return this.#options.upstreams.all.some((upstream) => upstream.enabled);
  }

  /** Whether a scope (with its at sign) belongs to this registry. */
  isLocalScope(scope: string): boolean {
    const { store, upstreams, isTopGroup } = this.#options;
    return upstreams.reservedScopes.includes(scope) || store.hasLocalScope(scope) || isTopGroup(scope.slice(1));
  }

  /** Where a name would be asked. Names of packages that are here are asked nowhere: local packages always win. */
  routesOf(name: string): UpstreamRow[] {
    if (nameProblem(name) !== undefined || this.#options.packages.packagesNamed(name).length > 0) return [];
    return this.routesIfForeign(name);
  }

  /** Where a name would be asked if no package here had it. */
  routesIfForeign(name: string): UpstreamRow[] {
    return routeName(name, this.#options.upstreams.all, (scope) => this.isLocalScope(scope));
  }

  /**
   * The packument of a name that is not here; undefined if no other registry has it or may be asked.
   * @throws GatehouseError if one that should have it can't be asked and there is no copy.
   */
  async packument(name: string): Promise<FoundPackument | undefined> {
    let failure: Error | undefined;
    for (const upstream of this.routesOf(name)) {
      // Once one could not answer, the next but an archive must not step in: it may have another package under this name.
      if (failure !== undefined && upstream.kind !== 'archive') continue;
      try {
        const found = await this.#options.packuments.find(upstream, name);
        if (found) return found;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  }

  visible(found: FoundPackument): VisiblePackument {
    return visiblePart(found, this.#options.clock());
  }

  /**
   * The tarball of a version that is not here; undefined if no other registry has such a version.
   * @throws GatehouseError also `held_back` for a version that is too young and was not fetched before.
   */
  async tarball(name: string, version: string): Promise<{ upstream: UpstreamRow; source: TarballSource } | undefined> {
    const routes = this.routesOf(name);
    // What is here needs no packument, no request and no network.
    for (const upstream of routes) {
      const row = await this.#options.tarballs.kept(upstream, name, version);
      if (row) return { upstream, source: { kind: 'kept', row } };
    }
    const found = await this.packument(name);
    const manifest = found?.document.versions.get(version);
    if (!found || !manifest) return undefined;
    const releaseAt = this.visible(found).held.get(version);
    if (releaseAt !== undefined) throw heldBackError(found, version, releaseAt);
    return { upstream: found.upstream, source: await this.#options.tarballs.open(found.upstream, manifest) };
  }
}

/** @returns the error for a version, or a whole package, that is younger than is let through. */
export function heldBackError(found: FoundPackument, version: string | null, releaseAt: number): GatehouseError {
  const label = version === null ? `every version of ${found.row.name}` : `${found.row.name}@${shorten(version)}`;
  return new GatehouseError(
    'held_back',
    `${label} is younger than ${found.upstream.minimumAgeDays} days and held back until ${new Date(releaseAt).toISOString()}. Make an exception for it in the settings of the upstream ${found.upstream.name} to have it sooner.`,
  );
}
