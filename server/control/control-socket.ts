import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, resolve as resolvePath } from 'node:path';
import type { OpenRegistry } from '../compose.ts';
import { messageToServer } from '../contract/link.ts';
import { readLines } from './lines.ts';
import type { Transport } from './transport.ts';

/** Bytes of one message. A whole lockfile may come in one. */
const longestLine = 80 * 1024 * 1024;

/** Longest path of a Unix socket that every platform takes, in bytes. */
const longestPath = 100;

const pipePrefix = String.raw`\\.\pipe\gatehouse-`;

export interface ControlSocket {
  close(): Promise<void>;
}

/**
 * Where the server of a data folder listens for the command line of its owner: a socket in the folder; in a private folder that
 * `server.json` names where that path would be too long; on Windows a named pipe that `server.json` names. Undefined if there is no such
 * place, or if another user could have made the socket.
 * @param announced the socket that `server.json` names
 */
export function controlSocketOf(dataDir: string, announced: string | undefined): string | undefined {
  // Names of pipes are open to all users of the machine, so each server has a new one that only readers of the folder know.
  if (process.platform === 'win32') return announced?.startsWith(pipePrefix) === true ? announced : undefined;
  const path = fixedPathOf(resolvePath(dataDir)) ?? announced;
  return path !== undefined && isPrivate(dirname(path)) ? path : undefined;
}

function fixedPathOf(folder: string): string | undefined {
  const inside = join(folder, 'control.sock');
  return Buffer.byteLength(inside) <= longestPath ? inside : undefined;
}

/** Whether a folder is this user's and nobody else can put a socket into it. */
function isPrivate(folder: string): boolean {
  const facts = lstatSync(folder, { throwIfNoEntry: false });
  // The data folder itself may be named by a link.
  if (facts?.isSymbolicLink()) return isPrivate(realpathSync(folder));
  return facts?.isDirectory() === true && facts.uid === process.getuid?.() && (facts.mode & 0o022) === 0;
}

/** A new folder that only this user can enter, for a socket. */
function makeSocketFolder(): string {
  const places = [process.env['XDG_RUNTIME_DIR'], tmpdir(), '/tmp'].filter(
    (place) => place !== undefined && isAbsolute(place) && Buffer.byteLength(place) < longestPath - 40,
  );
  for (const place of places) {
    try {
      return mkdtempSync(join(place ?? '', 'gatehouse-'));
    } catch {
      // The next one may do.
    }
  }
  throw new Error('There is no folder for the control socket.');
}

/**
 * Listens for commands on the data folder that the server has open: the messages of the control link, one a line. Only the owner of the
 * folder can open the socket. Undefined if it cannot be made; the server runs without it.
 */
export async function openControlSocket(
  folder: Pick<OpenRegistry['folder'], 'path' | 'announce'>,
  serve: (transport: Transport) => Promise<void>,
): Promise<ControlSocket | undefined> {
  const connections = new Set<Socket>();
  const listener = createServer({ pauseOnConnect: true }, (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    socket.on('error', () => socket.destroy());
    serve(lineTransport(socket)).catch(() => socket.destroy());
  });
  let made: string | undefined;
  const umask = process.umask(0o077);
  try {
    let path =
      process.platform === 'win32' ? `${pipePrefix}${randomBytes(16).toString('hex')}` : fixedPathOf(folder.path);
    if (path === undefined) {
      made = makeSocketFolder();
      path = join(made, 'control.sock');
    }
    // A crash may have left it; the lock on the folder is held here.
    if (process.platform !== 'win32') rmSync(path, { force: true });
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen(path, resolve);
    });
    if (process.platform !== 'win32') chmodSync(path, 0o600);
    folder.announce({ socket: path });
  } catch {
    if (made !== undefined) rmSync(made, { recursive: true, force: true });
    return undefined;
  } finally {
    process.umask(umask);
  }
  listener.unref();
  return {
    async close() {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()));
      for (const socket of connections) socket.destroy();
      await closed;
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
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
