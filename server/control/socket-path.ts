import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Longest path of a Unix socket that every platform takes, in bytes. */
const longestPath = 100;

/**
 * Where the server of a data folder listens for the command line of its owner: a socket in the folder, which is nobody else's business;
 * a short path in the temporary folder where that would be too long; on Windows a named pipe.
 */
export function controlSocketOf(dataDir: string): string {
  const folder = resolve(dataDir);
  const name = `gatehouse-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const inside = join(folder, 'control.sock');
  return Buffer.byteLength(inside) <= longestPath ? inside : join(tmpdir(), `${name}.sock`);
}
