import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import type { MethodsOf } from './method-types.ts';

const shownDays = 30;

/** What the window shows of the server as a whole, and the log of its requests. */
export function createOverviewMethods(
  registry: OpenRegistry,
  server: RunningServer,
): MethodsOf<'overview'> & MethodsOf<'requests'> {
  return {
    'overview.get': async () => {
      // What was counted so far belongs into the picture.
      await registry.packages.downloads.flush();
      const { tarballBytes, ...counts } = registry.overview.counts();
      return {
        ...counts,
        disk: { tarballs: tarballBytes, ...registry.overview.disk() },
        memory: { process: process.memoryUsage.rss(), caches: registry.packages.library.memory + server.cachedBytes() },
        requests: server.requests.newest,
        days: registry.overview.days(Date.now(), shownDays),
      };
    },
    'requests.list': ({ limit, before }) => ({
      newest: server.requests.newest,
      requests: server.requests.list({ limit, ...(before === undefined ? {} : { before }) }),
    }),
  };
}
