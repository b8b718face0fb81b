import { GatehouseError } from '../../contract/errors.ts';
import type { Actor, UnitOfWork } from '../../accounts/change.ts';
import type { PackageStore } from '../../registry/package-store.ts';
import { expectedIntegrity, integrityOf, sameIntegrity } from '../../lib/integrity.ts';
import type { Forwarding } from '../proxy/forwarding.ts';
import { findLocalPackage } from '../proxy/local-packages.ts';
import type { LocalPackage } from '../proxy/local-packages.ts';
import type { PackumentCache } from '../proxy/packument-cache.ts';
import type { UpstreamRow, UpstreamStore } from '../upstream-store.ts';
import type { Upstreams } from '../upstreams.ts';
import { foldChanges } from './fold.ts';
import type { OutboxStore } from './outbox-store.ts';

export interface HandOverOptions {
  readonly store: UpstreamStore;
  readonly outboxStore: OutboxStore;
  readonly packages: PackageStore;
  readonly packuments: PackumentCache;
  readonly forwarding: Forwarding;
  readonly upstreams: Upstreams;
  readonly unitOfWork: UnitOfWork;
  readonly clock: () => number;
}

/**
 * Gives a package that was carried to another registry into its keeping. As long as it is a package of this registry it wins over upstream,
 * so what others publish there stays unseen here. Handed over, its versions stay on this disk as copies of the upstream's, and new ones come
 * from there. It is no unpublish: nothing of it goes to the outbox.
 */
export class HandOver {
  readonly #options: HandOverOptions;

  constructor(options: HandOverOptions) {
    this.#options = options;
  }

  /** @throws GatehouseError `package_not_found`, or `conflict` if anything of it is not there yet, differs, or would not be found again. */
  async run(upstreamId: number, name: string, actor: Actor): Promise<{ name: string; versions: string[] }> {
    const { upstreams, packages, packuments, store, unitOfWork, clock } = this.#options;
    const upstream = upstreams.require(upstreamId);
    const local = findLocalPackage(packages, name);
    if (!local) throw new GatehouseError('package_not_found', `There is no package ${name} here.`);
    this.#requireCarried(upstream, name);
    this.#requireRoute(upstream, name);
    const found = await packuments.refresh(upstream, name);
    for (const [version, { row }] of local.versions) {
      const here = `${row.integrity} ${integrityOf(row.shasum, 'sha1')}`;
      const there = found?.document.versions.get(version)?.dist;
      const expected = there && expectedIntegrity(there)?.text;
      if (expected === undefined || sameIntegrity(here, expected) !== true) {
        throw new GatehouseError(
          'conflict',
          `${name}@${version} is not at ${upstream.name} with the same bytes. Push it first, or settle what differs.`,
        );
      }
    }
    const versions = [...local.versions.keys()];
    await unitOfWork.write((change) => {
      const now = findLocalPackage(packages, name);
      if (!now || !sameVersions(now, local)) {
        throw new GatehouseError('conflict', `${name} was changed meanwhile. Push again, then hand it over.`);
      }
      for (const [version, { row }] of now.versions) {
        const integrity = integrityOf(row.tarballSha512);
        const { tarballSha512: sha512, size } = row;
        store.putTarball({ upstreamId, name, version, sha512, integrity, size, fetchedAt: clock() });
      }
      for (const row of packages.packagesNamed(name)) {
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

  #requireCarried(upstream: UpstreamRow, name: string): void {
    const { outboxStore } = this.#options;
    const pending = outboxStore.pending(upstream.id).filter((change) => change.name === name);
    const { effective } = foldChanges(pending, (of, version) => outboxStore.wasCarried(upstream.id, of, version));
    if (effective.length === 0) return;
    throw new GatehouseError(
      'conflict',
      `${effective.length} changes of ${name} have not arrived at ${upstream.name}. Push them first.`,
    );
  }

  /** A package that would be asked nowhere afterwards would be lost to its users. */
  #requireRoute(upstream: UpstreamRow, name: string): void {
    if (this.#options.forwarding.routesIfForeign(name)[0]?.id === upstream.id) return;
    throw new GatehouseError(
      'conflict',
      `${name} would not be asked at ${upstream.name} afterwards. Add its scope to the settings of that upstream first.`,
    );
  }
}

function sameVersions(a: LocalPackage, b: LocalPackage): boolean {
  return a.versions.size === b.versions.size && [...a.versions.keys()].every((version) => b.versions.has(version));
}
