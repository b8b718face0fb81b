import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireOwner, unusable } from './folder-marker.ts';

const keyFile = 'upstream.key';

/**
 * The key that encrypts the tokens of upstreams; created on first use, in a file that only its owner can read.
 * @throws StartupError if the file belongs to another user or cannot be read.
 */
export function readSecretKey(folder: string): Buffer {
  const file = join(folder, keyFile);
  const facts = statSync(file, { throwIfNoEntry: false });
  if (facts) {
    requireOwner(file, facts.uid);
    try {
      if ((facts.mode & 0o077) !== 0 && process.platform !== 'win32') chmodSync(file, 0o600);
      const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
      if (key.length === 32) return key;
    } catch (error) {
      throw unusable(folder, error, file);
    }
  }
  const key = randomBytes(32);
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: 0o600 });
  return key;
}
