import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A port of 127.0.0.1 that is in use until it is released. */
export async function occupyPort(): Promise<{ port: number; release: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    release: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** A port that was free a moment ago, for servers that cannot tell which one they took. */
export async function freePort(): Promise<number> {
  const { port, release } = await occupyPort();
  await release();
  return port;
}
