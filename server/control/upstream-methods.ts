import type { Actor } from '../accounts/change.ts';
import { GatehouseError } from '../contract/errors.ts';
import { packageUrl } from '../upstream/proxy/upstream-client.ts';
import { readAll } from '../upstream/network/outbound.ts';
import type { UpstreamRow } from '../upstream/upstream-store.ts';
import type { Registry } from '../services.ts';
import type { MethodsOf } from './method-types.ts';

type Areas = MethodsOf<'upstream'> & MethodsOf<'offline'> & MethodsOf<'outbox'>;

/** What the window and the command line can ask and change about other registries. */
export function createUpstreamMethods(registry: Pick<Registry, 'upstream'>, actor: Actor): Areas {
  const { upstream: services } = registry;
  const { upstreams, connectivity, store, outbox } = services;
  const describe = (row: UpstreamRow) => upstreams.describe(row, connectivity);
  const offline = () => ({ mode: connectivity.mode, online: services.isOnline });
  return {
    'upstream.list': () => ({ upstreams: upstreams.all.map(describe) }),
    'upstream.create': async (input) => describe(await upstreams.create(input, actor)),
    'upstream.update': async ({ upstreamId, ...input }) => {
      const row = await upstreams.update(upstreamId, input, actor);
      // Other settings may reach what these could not.
      connectivity.forget(upstreamId);
      services.packuments.forgetNegatives();
      services.noteChange();
      outbox.wake(upstreamId);
      return describe(row);
    },
    'upstream.remove': async ({ upstreamId }) => {
      await services.removeUpstream(upstreamId, actor);
      return null;
    },
    'upstream.test': ({ upstreamId }) => testUpstream(registry, upstreams.require(upstreamId)),
    'upstream.cached': ({ upstreamId, search, offset, limit }) => {
      const { total, rows } = store.cached({ upstreamId, search }, { offset, limit });
      const packages = rows.map((row) => ({
        ...row,
        upstream: upstreams.find(row.upstreamId)?.name ?? '',
        cachedVersions: [...row.cachedVersions],
      }));
      return { total, packages };
    },
    'upstream.dropCached': async ({ upstreamId, name }) => {
      await services.dropCached(upstreamId, name, actor);
      return null;
    },
    'upstream.reservedScopes': () => ({ reserved: upstreams.reservedScopes, local: store.localScopes() }),
    'upstream.setReservedScopes': async ({ scopes }) => {
      await upstreams.setReservedScopes(scopes, actor);
      return null;
    },
    'upstream.prefetch': (input) => {
      if (!services.forwarding.isOn) {
        throw new GatehouseError(
          'unprocessable',
          'No upstream is set up, so there is nothing to fetch from. Add one first, for instance the public npm registry.',
        );
      }
      return 'lockfile' in input
        ? services.prefetcher.fromLockfile(input.lockfile.name, input.lockfile.content)
        : services.prefetcher.fromPackages(input.packages);
    },
    'upstream.prefetchJobs': () => ({ jobs: [...services.prefetcher.jobs] }),
    'upstream.prefetchJob': ({ jobId }) => services.prefetcher.job(jobId),
    'upstream.cancelPrefetch': ({ jobId }) => services.prefetcher.cancel(jobId),
    'offline.get': offline,
    'offline.set': async ({ mode }) => {
      await services.setOfflineMode(mode, actor);
      return offline();
    },
    'outbox.plan': async ({ upstreamId, selection }) => {
      const operations = await outbox.plan(upstreamId, selection);
      const counts = { new: 0, same: 0, conflict: 0, unknown: 0 };
      for (const { verdict } of operations) counts[verdict] += 1;
      return { operations, counts };
    },
    'outbox.start': ({ upstreamId, selection }) => outbox.start(upstreamId, selection),
    'outbox.stop': ({ upstreamId }) => outbox.stop(upstreamId),
    'outbox.status': ({ upstreamId }) => outbox.status(upstreamId),
    'outbox.resolve': ({ upstreamId, changeId, resolution }) => outbox.resolve(upstreamId, changeId, resolution),
    'outbox.handOver': async ({ upstreamId, names }) => {
      const packages: { name: string; versions: string[] }[] = [];
      for (const name of names) packages.push(await services.handOver.run(upstreamId, name, actor));
      return { packages };
    },
  };
}

const testTimeout = 10_000;
const smallAnswer = 1024 * 1024;

/** Asks who the token belongs to, or, where the registry does not say (GitLab), for a package that hardly exists: any answer but a refusal is good. */
async function testUpstream(
  { upstream: services }: Pick<Registry, 'upstream'>,
  upstream: UpstreamRow,
): Promise<{ ok: boolean; message: string; user: string | null; milliseconds: number }> {
  const started = performance.now();
  const result = (ok: boolean, message: string, user: string | null = null) => ({
    ok,
    message,
    user,
    milliseconds: Math.round(performance.now() - started),
  });
  if (upstream.kind === 'archive') return result(true, 'Packages from bundles are kept here; nothing is asked.');
  try {
    const whoami = await services.client.sendAnyway(upstream, {
      url: `${upstream.url}/-/whoami`,
      headers: { accept: 'application/json' },
      timeout: testTimeout,
    });
    const bytes = await readAll(whoami, smallAnswer, upstream.name);
    const user = whoami.status === 200 ? userIn(bytes) : null;
    if (user !== null) return result(true, `${upstream.name} answers and knows the token as ${user}.`, user);
    const probe = await services.client.sendAnyway(upstream, {
      url: packageUrl(upstream.url, 'gatehouse-asks-for-nothing'),
      timeout: testTimeout,
    });
    probe.body.destroy();
    if (probe.status === 401 || probe.status === 403) {
      const what = upstream.token === null ? 'wants a token' : 'refuses the token';
      return result(false, `${upstream.name} answers, but ${what} (${probe.status}).`);
    }
    return result(true, `${upstream.name} answers.`);
  } catch (error) {
    return result(false, error instanceof Error ? error.message : String(error));
  }
}

function userIn(bytes: Buffer): string | null {
  try {
    const { username } = JSON.parse(bytes.toString('utf8')) as { username?: unknown };
    return typeof username === 'string' && username !== '' ? username : null;
  } catch {
    return null;
  }
}
