import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import type { MethodsOf } from './method-types.ts';

/** What the window can ask about the server itself. */
export function createServerMethods(registry: OpenRegistry, server: RunningServer): MethodsOf<'server'> {
  return {
    'server.status': () => {
      const project = registry.directory.findProject(1) ?? registry.directory.allProjects()[0];
      return {
        version: registry.version,
        origin: server.origin,
        host: server.host,
        port: server.port,
        dataDir: registry.folder.path,
        startedAt: registry.startedAt,
        pid: process.pid,
        defaultProject: project ? { id: project.id, fullPath: project.fullPath } : null,
        rootTokenFile: registry.folder.rootTokenFile,
      };
    },
  };
}
