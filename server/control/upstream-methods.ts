import { isAbsolute } from 'node:path';
import type { Actor } from '../accounts/change.ts';
import { GatehouseError } from '../contract/errors.ts';
import type { Registry } from '../services.ts';
import { probeUpstream } from '../upstream/proxy/probe-upstream.ts';
import type { UpstreamRow } from '../upstream/upstream-store.ts';
import type { MethodsOf } from './call-method.ts';

/** Other registries: settings, cache, prefetch, offline mode, outbox and bundles. */
export function createUpstreamMethods(
  registry: Pick<Registry, 'people' | 'upstream'>,
  actor: Actor,
): MethodsOf<'upstream' | 'offline' | 'outbox' | 'bundles'> {
  const { upstream: services } = registry;
  const { upstreams, connectivity, store, outbox } = services;
  const describe = (row: UpstreamRow) => upstreams.describe(row, connectivity);
  const offline = () => ({ mode: connectivity.mode, online: services.isOnline, unsent: outbox.pending.counts });
  const requireUpstream = (): void => {
    if (services.forwarding.isOn) return;
    throw new GatehouseError(
      'unprocessable',
      'No upstream is set up, so there is nothing to fetch from. Add one first, for instance the public npm registry.',
    );
  };
  return {
    'upstream.list': () => ({ upstreams: upstreams.all.map(describe) }),
    'upstream.create': async (input) => describe(await upstreams.create(input, actor)),
    'upstream.update': async ({ upstreamId, ...input }) =>
      describe(await services.updateUpstream(upstreamId, input, actor)),
    'upstream.remove': ({ upstreamId }) => services.removeUpstream(upstreamId, actor),
    'upstream.test': ({ upstreamId }) => probeUpstream(services.client, connectivity, upstreams.require(upstreamId)),
    'upstream.cached': ({ upstreamId, search, offset, limit }) => {
      const { total, rows } = store.cached({ upstreamId, search }, { offset, limit });
      const packages = rows.map((row) => ({
        ...row,
        upstream: upstreams.find(row.upstreamId)?.name ?? '',
        cachedVersions: [...row.cachedVersions],
      }));
      return { total, packages };
    },
    'upstream.dropCached': ({ upstreamId, name }) => services.dropCached(upstreamId, name, actor),
    'upstream.claims': () => {
      const { claims, directory } = registry.people;
      const present = claims.all().map(({ name, namespaceId, createdBy: claimedBy, createdAt: claimedAt }) => {
        const owner = namespaceId === null ? undefined : directory.index.namespaces.get(namespaceId);
        return { name, owner: owner?.fullPath ?? null, claimedBy, claimedAt };
      });
      const unclaimed = store.localScopes().filter((scope) => directory.claimOf(`${scope}/`) === undefined);
      return { claims: present, unclaimed };
    },
    'upstream.claim': ({ names, owner }) => registry.people.claims.claim(actor, names, owner),
    'upstream.release': ({ names }) => registry.people.claims.release(actor, names),
    'upstream.prefetch': (input) => {
      requireUpstream();
      return 'lockfile' in input
        ? services.prefetcher.fromLockfile(input.lockfile.name, input.lockfile.content)
        : services.prefetcher.fromPackages(input.packages);
    },
    'upstream.prefetchJobs': () => ({ jobs: [...services.prefetcher.jobs] }),
    'upstream.prefetchJob': ({ jobId }) => services.prefetcher.job(jobId),
    'upstream.cancelPrefetch': ({ jobId }) => services.prefetcher.cancel(jobId),
    'upstream.retryPrefetch': ({ jobId }) => {
      requireUpstream();
      return services.retryPrefetch(jobId);
    },
    'offline.get': offline,
    'offline.set': async ({ mode }) => {
      await services.setOfflineMode(mode, actor);
      return offline();
    },
    'outbox.plan': async ({ upstreamId, selection, pushFrom }) => {
      const operations = await outbox.plan(upstreamId, selection, pushFrom);
      const counts = { new: 0, same: 0, conflict: 0, unknown: 0 };
      for (const { verdict } of operations) counts[verdict] += 1;
      return { operations, counts };
    },
    'outbox.checkSent': ({ upstreamId }) => outbox.checkSent(upstreamId),
    'outbox.waiting': ({ upstreamId }) => outbox.pending.describeWaiting(upstreamId),
    'outbox.start': ({ upstreamId, selection }) => outbox.start(upstreamId, selection, actor),
    'outbox.stop': ({ upstreamId }) => outbox.stop(upstreamId),
    'outbox.status': ({ upstreamId }) => outbox.status(upstreamId),
    'outbox.resolve': ({ upstreamId, changeId, resolution }) => outbox.resolve(upstreamId, changeId, resolution, actor),
    'outbox.retryFailed': ({ upstreamId }) => outbox.retryFailed(upstreamId, actor),
    'outbox.handOver': async ({ upstreamId, names }) => {
      const packages: { name: string; versions: string[] }[] = [];
      for (const name of names) packages.push(await services.handOver.run(upstreamId, name, actor));
      return { packages };
    },

    'bundles.export': ({ file, replace, packages, closure }) =>
      services.exporter.export({ file: absolute(file), replace }, packages, closure),
    'bundles.inspect': (request) => services.importer.inspect({ ...request, file: absolute(request.file) }),
    'bundles.import': (request) => services.importer.import({ ...request, file: absolute(request.file) }, actor),
    'bundles.trustedKeys': () => ({ own: services.ownKeyId, trusted: upstreams.trustedKeys }),
    'bundles.setTrustedKeys': ({ keys }) => upstreams.setTrustedKeys(keys, actor),
  };
}

/** Refuses a path that depends on the folder that the server was started in. */
function absolute(file: string): string {
  if (isAbsolute(file)) return file;
  throw new GatehouseError('invalid_request', `"${file}" is not an absolute path.`);
}
