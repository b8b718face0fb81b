import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { linkRequest } from '../contract/link.ts';
import type { MessageFromServer } from '../contract/link.ts';
import type { RunningServer } from '../http/listen.ts';
import type { OpenRegistry } from '../open-registry.ts';
import { callMethod, describeError } from './call-method.ts';
import { createMethodTable } from './method-table.ts';
import { controlSocketOf } from './socket-path.ts';

const longestLine = 1024 * 1024;

export interface ControlSocket {
  close(): Promise<void>;
}

/**
 * Takes calls of the command line while the server has the data folder: the messages of the control link, one a line. Only the
 * owner of the folder can open the socket. Undefined if there can't be one; the server does without.
 */
export async function openControlSocket(
  registry: OpenRegistry,
  server: RunningServer,
): Promise<ControlSocket | undefined> {
  const path = controlSocketOf(registry.folder.path);
  const table = createMethodTable(registry, server);
  const connections = new Set<Socket>();
  const listener = createServer((socket) => {
    connections.add(socket);
    const send = (message: MessageFromServer): void => {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    };
    const unsubscribe = registry.events.subscribe((event) => {
      if (event.topic === 'maintenance.progress') send({ kind: 'event', ...event });
    });
    const lines = createInterface({ input: socket, crlfDelay: Infinity });
    lines.on('line', (line) => void answer(line));
    // A line that never ends must not fill the memory.
    socket.on('data', () => {
      if (lines.line.length > longestLine) socket.destroy();
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      unsubscribe();
      lines.close();
      connections.delete(socket);
    });
    const answer = async (line: string): Promise<void> => {
      const request = linkRequest.safeParse(parse(line));
      if (!request.success) {
        socket.destroy();
        return;
      }
      const { id, method, params } = request.data;
      try {
        send({ kind: 'reply', id, ok: true, value: await callMethod(table, method, params) });
      } catch (error) {
        send({ kind: 'reply', id, ok: false, error: describeError(error) });
      }
    };
  });
  try {
    // What a crash left; the lock of the folder is ours.
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

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
