import { GatehouseError } from '../../contract/errors.ts';
import { shorten } from '../../lib/printable.ts';
import { expectedIntegrity, sameIntegrity } from '../../lib/integrity.ts';
import { foreignNameProblem } from '../../registry/package-name.ts';
import type { PackageRow } from '../../registry/package-store.ts';
import { findLocalPackage, type LocalPackage } from './local-packages.ts';
import type { FoundPackument, PackumentCache } from './packument-cache.ts';
import { visiblePart } from './packument-views.ts';
import type { VisiblePackument } from './packument-views.ts';
import { routeName, upstreamsOfScope } from './routing.ts';
import type { TarballCache, TarballSource } from './tarball-cache.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';

export interface ForwardingOptions extends UpstreamContext {
  readonly upstreams: Upstreams;
  readonly packumentCache: PackumentCache;
  readonly tarballCache: TarballCache;
}

/** Finds packages that are not here at the upstreams that are set up for them. */
export class Forwarding {
  readonly #options: ForwardingOptions;

  constructor(options: ForwardingOptions) {
    this.#options = options;
  }

  /** Whether any upstream is enabled. */
  get isOn(): boolean {
    return this.#options.upstreams.all.some((upstream) => upstream.enabled);
  }

  /**
   * The upstreams that a name may be requested from, in order; none for a claimed package that is here, whoever asks. One that is here and
   * not claimed stands in front for callers who can see it, which whoever answers them decides.
   */
  routesOf(name: string): UpstreamRow[] {
    const { owners, packages } = this.#options;
    if (foreignNameProblem(name) !== undefined) return [];
    if (owners.claimOf(name) && packages.packagesNamed(name).length > 0) return [];
    return this.routesIfNotLocal(name);
  }

  /** Whether an upstream's settings name the scope of a name that is not claimed: then it is the upstream's, whoever publishes it here. */
  isOfUpstream(name: string): boolean {
    const { owners, upstreams } = this.#options;
    return upstreamsOfScope(name, upstreams.all).length > 0 && owners.claimOf(name) === undefined;
  }

  /**
   * The package of this registry that its operator means by a name. Any account can publish any name, so what is not below a confirmed
   * namespace neither comes before what is nor takes a name from other registries.
   */
  localPackage(name: string): LocalPackage | undefined {
    const { owners, packages } = this.#options;
    const isTrusted = ({ projectId }: PackageRow) => owners.isConfirmed(projectId);
    const rows = owners.selectTrusted(packages.packagesNamed(name), isTrusted, this.mayRequest(name));
    return findLocalPackage(packages, name, rows);
  }

  /** Whether another registry would be asked for a name if no package here had it. */
  mayRequest(name: string): boolean {
    return this.routesIfNotLocal(name).some(({ kind }) => kind !== 'archive');
  }

  /** The upstreams that a name would be requested from if no package here had it. */
  routesIfNotLocal(name: string): UpstreamRow[] {
    const claimed = this.#options.owners.claimOf(name)?.name;
    const ofScope = claimed?.startsWith('@') === true && !claimed.includes('/');
    return routeName(name, this.#options.upstreams.all, claimed === undefined ? undefined : ofScope ? 'scope' : 'name');
  }

  /**
   * The packument of a name that is not here; undefined if no other registry has it or may be asked.
   * @throws GatehouseError if one that should have it is out of reach and there is no copy.
   */
  async packument(name: string): Promise<FoundPackument | undefined> {
    let failure: Error | undefined;
    for (const upstream of this.routesOf(name)) {
      // After a failure only an archive may answer: another upstream may have a different package under this name.
      if (failure !== undefined && upstream.kind !== 'archive') continue;
      try {
        const found = await this.#options.packumentCache.find(upstream, name);
        if (found) return found;
      } catch (error) {
        failure = error instanceof Error ? error : new Error(String(error));
      }
    }
    if (failure !== undefined) throw failure;
    return undefined;
  }

  /** What of a packument may be shown now. */
  visible(found: FoundPackument): VisiblePackument {
    return visiblePart(found, this.#options.clock());
  }

  /**
   * The tarball of a version that is not here; undefined if no other registry has such a version.
   * @throws GatehouseError also `held_back` for a version that is too young and was not fetched before.
   */
  async tarball(name: string, version: string): Promise<{ upstream: UpstreamRow; source: TarballSource } | undefined> {
    const { tarballCache } = this.#options;
    const routes = this.routesOf(name);
    // A cached tarball of the first upstream, whose packument counts, needs no packument, no request and no network.
    const [first] = routes;
    const own = first && (await tarballCache.cached(first, name, version));
    if (own) return { upstream: first, source: { kind: 'cached', row: own } };
    const found = await this.packument(name);
    const manifest = found?.document.versions.get(version);
    if (!found || !manifest) return undefined;
    const expected = expectedIntegrity(manifest.dist)?.text;
    for (const upstream of routes) {
      // What another upstream or a bundle has under this version is served only if it is what this packument promises.
      const row = await tarballCache.cached(upstream, name, version);
      if (row && expected !== undefined && sameIntegrity(row.integrity, expected) === true) {
        return { upstream, source: { kind: 'cached', row } };
      }
    }
    const releaseAt = this.visible(found).held.get(version);
    if (releaseAt !== undefined) throw heldBackError(found, version, releaseAt);
    return { upstream: found.upstream, source: await tarballCache.open(found.upstream, manifest) };
  }
}

/** The error for a version, or for all of a package (`version` null), that is below the minimum age. */
export function heldBackError(found: FoundPackument, version: string | null, releaseAt: number): GatehouseError {
  const label = version === null ? `every version of ${found.row.name}` : `${found.row.name}@${shorten(version)}`;
  return new GatehouseError(
    'held_back',
    `${label} is younger than ${found.upstream.minimumAgeDays} days and held back until ${new Date(releaseAt).toISOString()}. Make an exception for it in the settings of the upstream ${found.upstream.name} to have it sooner.`,
  );
}
