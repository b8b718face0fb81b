import path from 'node:path';
import { request } from 'undici';
import { freePort } from '../support/free-port.ts';
import { startServer, type ServerProcess } from '../support/server-process.ts';
import { startVerdaccio, verdaccioToken } from '../support/verdaccio.ts';

/** A registry that is measured. */
export interface Registry extends ServerProcess {
  readonly name: string;
  /** Where packages are published and read, with a trailing slash. Reading needs no token. */
  readonly url: string;
  readonly token: string;
}

export interface Contender {
  readonly name: string;
  /** Starts it with its data in a folder, which may be one that it used before. */
  readonly start: (folder: string) => Promise<ServerProcess>;
  /** Makes what publishing needs, on a new folder. */
  readonly prepare: (server: ServerProcess) => Promise<Registry>;
}

const rootToken = 'bench-root-token-0123456789';

/** The built server of a checkout. */
export function gatehouseOf(name: string, checkout: string): Contender {
  return {
    name,
    start: async (folder) => {
      const port = await freePort();
      const program = path.join(checkout, 'out/server/gatehouse.js');
      return startServer({
        args: [program, 'serve', '--json', '--data-dir', folder, '--port', String(port)],
        cwd: checkout,
        env: { GATEHOUSE_ROOT_TOKEN: rootToken },
        port,
        readyPath: '/-/readiness',
      });
    },
    prepare: async (server) => {
      const id = await createPublicProject(server.origin);
      return { ...server, name, token: rootToken, url: `${server.origin}/api/v4/projects/${id}/packages/npm/` };
    },
  };
}

export const verdaccio: Contender = {
  name: 'verdaccio',
  start: startVerdaccio,
  prepare: async (server) => ({
    ...server,
    name: 'verdaccio',
    token: await verdaccioToken(server.origin),
    url: `${server.origin}/`,
  }),
};

/** A project that is read without a token, as all of Verdaccio is. */
async function createPublicProject(origin: string): Promise<number> {
  const { statusCode, body } = await request(`${origin}/api/v4/projects`, {
    method: 'POST',
    headers: { 'private-token': rootToken, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', path: 'bench', visibility: 'public' }),
  });
  if (statusCode !== 201) throw new Error(`No project: ${await body.text()}`);
  return ((await body.json()) as { id: number }).id;
}
