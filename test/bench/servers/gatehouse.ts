import path from 'node:path';
import { openRegistry } from '../../../server/compose.ts';
import type { OpenRegistry } from '../../../server/compose.ts';
import { systemActor } from '../../../server/accounts/change.ts';
import { Projects } from '../../../server/accounts/projects.ts';
import { projectFolder } from '../../../scripts/build.ts';
import { freePort } from '../../support/free-port.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

export const rootToken = 'bench-root-token-0123456789';

/** Ids of the two projects that are measured; they share no root group, so the same packages fit into both. */
export interface BenchProjects {
  readonly publicId: number;
  readonly privateId: number;
}

export interface GatehouseOptions {
  readonly dataDir: string;
  /** The built program. */
  readonly program: string;
  /** Flags for Node, in front of the program. */
  readonly nodeFlags?: readonly string[];
  /** With the control link of the desktop app. */
  readonly control?: boolean;
}

/** Where `npm run build` puts the server. */
export const builtProgram = path.join(projectFolder, 'out', 'server', 'gatehouse.js');

/** Makes a data folder with a public and a private project, or opens the one that is there, through the server's own code. */
export async function prepareDataFolder(
  dataDir: string,
  fill?: (registry: OpenRegistry, projects: BenchProjects) => Promise<void>,
): Promise<BenchProjects> {
  const registry = await openRegistry({ dataDir, rootToken });
  try {
    const { directory } = registry;
    const personal = directory.store.namespaces.all().find((namespace) => namespace.fullPath === 'root');
    const publicProject =
      directory.findProject('root/bench') ??
      (await new Projects(directory).create(
        { ...systemActor, userId: 1 },
        { name: 'bench', path: 'bench', namespaceId: personal?.id ?? 2, description: '', visibility: 'public' },
      ));
    const projects = { publicId: publicProject.id, privateId: 1 };
    await fill?.(registry, projects);
    return projects;
  } finally {
    await registry.close();
  }
}

/** Starts the built server on a data folder. */
export async function startGatehouse(options: GatehouseOptions): Promise<ServerProcess> {
  const port = await freePort();
  const args = [options.program, 'serve', '--json', '--data-dir', options.dataDir, '--port', String(port)];
  return startServer({
    command: process.execPath,
    args: [...(options.nodeFlags ?? []), ...args, ...(options.control ? ['--control'] : [])],
    cwd: projectFolder,
    port,
    readyPath: '/-/readiness',
    ipc: options.control === true,
  });
}

/** Path of a project's registry, with a trailing slash. */
export function registryPathOf(projectId: number): string {
  return `/api/v4/projects/${projectId}/packages/npm/`;
}
