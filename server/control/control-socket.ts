import { createHash } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve as resolvePath } from 'node:path';
import { messageToServer } from '../contract/link.ts';
import { readLines } from './lines.ts';
import type { Transport } from './transport.ts';

/** Bytes of one message. A whole lockfile may come in one. */
const longestLine = 80 * 1024 * 1024;

/** Longest path of a Unix socket that every platform takes, in bytes. */
const longestPath = 100;

export interface ControlSocket {
  close(): Promise<void>;
}

/**
 * Where the server of a data folder listens for the command line of its owner: a socket in the folder, which only the owner can open; a
 * short path in the temporary folder where that would be too long; on Windows a named pipe.
 */
export function controlSocketOf(dataDir: string): string {
  const folder = resolvePath(dataDir);
  const name = `gatehouse-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const inside = join(folder, 'control.sock');
  return Buffer.byteLength(inside) <= longestPath ? inside : join(tmpdir(), `${name}.sock`);
}

/**
 * Listens for commands on the data folder that the server has open: the messages of the control link, one a line. Only the owner of the
 * folder can open the socket. Undefined if it cannot be made; the server runs without it.
 */
export async function openControlSocket(
  dataDir: string,
  serve: (transport: Transport) => Promise<void>,
): Promise<ControlSocket | undefined> {
  const path = controlSocketOf(dataDir);
  const connections = new Set<Socket>();
  const listener = createServer({ pauseOnConnect: true }, (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(lineTransport(socket)).catch(() => socket.destroy());
  });
  try {
    // A crash may have left it; the lock on the folder is held here.
    if (process.platform !== 'win32') rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(path, resolve);
    });
    if (process.platform !== 'win32') chmodSync(path, 0o600);
  } catch {
    return undefined;
  }
  listener.unref();
  return {
    async close() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

/** Reading begins with the listener for messages. */
function lineTransport(socket: Socket): Transport {
  return {
    send: (message) => {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    },
    onMessage: (listener) => {
      readLines(socket, longestLine, (line) => {
        const { data } = messageToServer.safeParse(parseLine(line));
        if (data) listener(data);
        else socket.destroy();
      });
    },
    onClose: (listener) => socket.on('close', listener),
    close: () => socket.destroy(),
  };
}

/** The JSON of a line; undefined if it is none. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
