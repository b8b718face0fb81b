import type { Actor } from '../accounts/change.ts';
import type { OpenRegistry } from '../compose.ts';
import type { RunningServer } from '../services.ts';
import type { MethodsOf } from './call-method.ts';

const shownDays = 30;

/** The server as a whole: address, counts, and the log of its requests. */
export function createServerMethods(
  registry: OpenRegistry,
  server: RunningServer,
  actor: Actor,
): MethodsOf<'server' | 'overview' | 'requests'> {
  return {
    'server.status': () => {
      const project = registry.directory.findProject(1) ?? registry.directory.allProjects()[0];
      return {
        version: registry.version,
        origin: server.origin,
        origins: [...server.origins],
        host: server.host,
        port: server.port,
        dataDir: registry.folder.path,
        startedAt: registry.startedAt,
        pid: process.pid,
        defaultProject: project ? { id: project.id, fullPath: project.fullPath } : null,
        rootTokenFile: registry.folder.rootTokenFile,
      };
    },
    'server.recordReach': ({ others }) =>
      registry.unitOfWork.write((change) =>
        change.record({
          actor,
          action: others ? 'reach.opened' : 'reach.closed',
          target: { type: 'setting', id: null, name: 'Serve other computers' },
        }),
      ),
    'overview.get': async () => {
      // Includes the downloads counted since the last flush.
      await registry.packages.downloads.flush();
      const { tarballBytes, ...counts } = registry.overview.counts();
      return {
        ...counts,
        disk: {
          tarballs: tarballBytes,
          snapshots: registry.maintenance.snapshots().reduce((bytes, { size }) => bytes + size, 0),
          ...registry.overview.disk(),
        },
        memory: { process: process.memoryUsage.rss(), caches: registry.caches.size },
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
