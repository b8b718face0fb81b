import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { newTokenSecret } from './login/token-secret.ts';
import { StartupError } from '../lib/startup-error.ts';

export const minimumRootTokenLength = 20;

/**
 * The secret of the root user's first token: what an interrupted first start has kept already, else the one that was configured,
 * else a new one. It is on disk, readable by the owner alone, before it is answered.
 * @throws StartupError `failed` if the configured one is too short or holds white space.
 */
export function keepRootToken(file: string, configured: string | undefined): string {
  const kept = readKept(file);
  if (kept !== undefined && (configured === undefined || configured === kept)) return kept;
  if (configured !== undefined && (configured.length < minimumRootTokenLength || /\s/.test(configured))) {
    throw new StartupError(
      'failed',
      `GATEHOUSE_ROOT_TOKEN must have at least ${minimumRootTokenLength} characters and no white space.`,
    );
  }
  const secret = configured ?? newTokenSecret();
  const descriptor = openSync(file, 'w', 0o600);
  try {
    writeSync(descriptor, `${secret}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return secret;
}

function readKept(file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    return secret === '' ? undefined : secret;
  } catch {
    return undefined;
  }
}
