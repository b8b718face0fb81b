import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { startServer } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

/** One path that the bare server answers, with the bytes of a file. */
export interface BareRoute {
  readonly path: string;
  readonly file: string;
  readonly size: number;
  readonly type: string;
  readonly etag: string;
  readonly from: 'memory' | 'disk';
}

/** Starts bare `node:http` with these routes. @param folder where it may leave the list */
export async function startBare(folder: string, routes: readonly BareRoute[]): Promise<ServerProcess> {
  const list = path.join(folder, 'bare-routes.json');
  await writeFile(list, JSON.stringify(routes));
  const port = await freePort();
  return startServer({
    command: process.execPath,
    args: [path.join(import.meta.dirname, 'bare-process.ts'), String(port), list],
    cwd: folder,
    port,
    readyPath: '/-/ping',
  });
}
