import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ports that systems give to connections and to servers that ask for any: one that is released stays free. */
const [first, last] = [20_000, 32_000];

/** A port of 127.0.0.1 that is in use until it is released. Nothing takes it by chance after that. */
export async function occupyPort(): Promise<{ port: number; release: () => Promise<void> }> {
  for (;;) {
    const port = first + Math.floor(Math.random() * (last - first));
    const server = createServer();
    if (!(await listens(server, port))) continue;
    return {
      port,
      release: async () => {
        server.close();
        await once(server, 'close');
      },
    };
  }
}

/** Whether the server could take the port. */
function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('listening', () => resolve(true));
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1');
  });
}

/** A port that was free a moment ago, for servers that cannot tell which one they took. */
export async function freePort(): Promise<number> {
  const { port, release } = await occupyPort();
  await release();
  return port;
}
