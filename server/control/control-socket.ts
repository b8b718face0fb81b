import { chmodSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { MessageFromServer } from '../contract/link.ts';
import type { RunningServer } from '../services.ts';
import type { OpenRegistry } from '../compose.ts';
import type { LineAnswering } from './line-answering.ts';
import { controlSocketOf } from './socket-path.ts';

/** A whole lockfile may come in one. */
const longestLine = 80 * 1024 * 1024;

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
  // Loaded by the first call: most servers never get one.
  let answering: Promise<LineAnswering> | undefined;
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
      answering ??= import('./line-answering.ts').then((module) => module.createLineAnswering(registry, server));
      const reply = await (await answering)(line);
      if (reply) send(reply);
      else socket.destroy();
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
