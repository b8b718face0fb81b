import { GatehouseError } from '../../contract/errors.ts';
import type { Actor } from '../../accounts/change.ts';
import { expectedIntegrity, integrityOf, sameIntegrity } from '../../lib/integrity.ts';
import type { Forwarding } from '../proxy/forwarding.ts';
import type { PackageRow } from '../../registry/package-store.ts';
import { findLocalPackage } from '../proxy/local-packages.ts';
import type { LocalPackage } from '../proxy/local-packages.ts';
import type { PackumentCache } from '../proxy/packument-cache.ts';
import type { UpstreamContext } from '../upstream-context.ts';
import type { UpstreamRow } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';
import { carries, requireOriginOf } from './origins.ts';
import type { OriginFacts } from './origins.ts';
import type { OutboxStore } from './outbox-store.ts';
import { mergeChanges } from './plan.ts';

export interface HandOverOptions extends UpstreamContext {
  readonly outboxStore: OutboxStore;
  readonly packumentCache: PackumentCache;
  readonly forwarding: Forwarding;
  readonly upstreams: Upstreams;
  readonly origins: OriginFacts;
}

/**
 * Hands a package that was pushed to another registry over to it. A package of this registry hides the upstream's, with what others
 * publish there. Handed over, its versions stay on this disk as cached ones of the upstream, and new ones come from there. It is no
 * unpublish: nothing of it goes to the outbox. Packages of the same name in projects that the outbox does not carry stay as they are.
 */
export class HandOver {
  readonly #options: HandOverOptions;

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  /** @throws GatehouseError `package_not_found`, or `conflict` if anything of it is not there yet, differs, or would not be found again. */
  async run(upstreamId: number, name: string, actor: Actor): Promise<{ name: string; versions: string[] }> {
    const { upstreams, packages, packumentCache, store, unitOfWork, clock } = this.#options;
    const upstream = upstreams.require(upstreamId);
    const carried = this.#carriedBy(upstream);
    const local = findLocalPackage(packages, name, carried(name));
    if (!local) {
      throw new GatehouseError('package_not_found', `No project that goes to ${upstream.name} has a package ${name}.`);
    }
    this.#requireOnlyCarried(upstream, name);
    this.#requirePushed(upstream, name);
    this.#requireRoute(upstream, name);
    const found = await packumentCache.refresh(upstream, name);
    for (const [version, row] of local.versions) {
      const here = `${row.integrity} ${integrityOf(row.shasum, 'sha1')}`;
      const there = found?.document.versions.get(version)?.dist;
      const expected = there && expectedIntegrity(there)?.text;
      if (expected === undefined || sameIntegrity(here, expected) !== true) {
        throw new GatehouseError(
          'conflict',
          `${name}@${version} is not at ${upstream.name} with the same bytes. Push it first, or resolve the difference.`,
        );
      }
    }
    const versions = [...local.versions.keys()];
    await unitOfWork.write((change) => {
      const now = findLocalPackage(packages, name, carried(name));
      if (!now || !sameVersions(now, local)) {
        throw new GatehouseError('conflict', `${name} was changed meanwhile. Push again, then hand it over.`);
      }
      for (const [version, row] of now.versions) {
        const integrity = integrityOf(row.tarballSha512);
        const { tarballSha512: sha512, size } = row;
        store.putTarball({ upstreamId, name, version, sha512, integrity, size, fetchedAt: clock() });
      }
      for (const row of carried(name)) {
        packages.deletePackage(row.id);
        change.record({
          actor,
          action: 'package.handed_over',
          target: { type: 'package', id: row.id, name },
          projectId: row.projectId,
          before: { versions },
          after: { upstream: upstream.name },
        });
        change.emit('packages.changed', { projectId: row.projectId, packageId: row.id, name, change: 'unpublished' });
      }
      change.emit('upstream.changed', { subject: 'cache', upstreamId });
    });
    return { name, versions };
  }

  /** The packages of the projects that the outbox of an upstream carries. */
  #carriedBy(upstream: UpstreamRow): (name: string) => PackageRow[] {
    const { packages, origins } = this.#options;
    const origin = requireOriginOf(upstream);
    return (name) => packages.packagesNamed(name).filter((row) => carries(origin, row.projectId, origins));
  }

  /** A package of this name in another project would stay, and hide the upstream's. */
  #requireOnlyCarried(upstream: UpstreamRow, name: string): void {
    const { packages, origins } = this.#options;
    const others = packages.packagesNamed(name).filter((row) => !carries(upstream.pushFrom, row.projectId, origins));
    if (others.length === 0) return;
    throw new GatehouseError(
      'conflict',
      `${name} is also in ${others.length} projects that do not go to ${upstream.name}, and would hide the one there. Unpublish or rename it there first.`,
    );
  }

  #requirePushed(upstream: UpstreamRow, name: string): void {
    const { outboxStore, origins } = this.#options;
    const pending = outboxStore
      .pending(upstream.id)
      .filter((change) => change.name === name && carries(upstream.pushFrom, change.projectId, origins));
    const { effective } = mergeChanges(pending, (change) => outboxStore.wasSent(upstream.id, change));
    if (effective.length === 0) return;
    throw new GatehouseError(
      'conflict',
      `${effective.length} changes of ${name} have not arrived at ${upstream.name}. Push them first.`,
    );
  }

  /** A package that is fetched from no upstream afterwards would be lost to its users. */
  #requireRoute(upstream: UpstreamRow, name: string): void {
    if (this.#options.forwarding.routesIfNotLocal(name)[0]?.id === upstream.id) return;
    throw new GatehouseError(
      'conflict',
      `${name} would not be fetched from ${upstream.name} afterwards. Add its scope to the settings of that upstream first.`,
    );
  }
}

function sameVersions(a: LocalPackage, b: LocalPackage): boolean {
  return a.versions.size === b.versions.size && [...a.versions.keys()].every((version) => b.versions.has(version));
}
