import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { newTokenSecret } from '../directory/token-secret.ts';
import { StartError } from './start-error.ts';

/**
 * The secret of the root user's first token, kept in `file` with mode 0600 so that its owner finds it: `fromEnvironment` if there is
 * one, else what an interrupted first start left in the file, else a new random one. The file is on disk when this returns.
 * @throws StartError `failed` if the given secret is too weak to be one or can't be sent in a header.
 */
export function keepRootToken(file: string, fromEnvironment: string | undefined): string {
  const given = fromEnvironment === undefined || fromEnvironment === '' ? undefined : checked(fromEnvironment);
  const left = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const secret = given ?? (isUsable(left) ? left : newTokenSecret());
  if (secret === left) return secret;
  const temporary = `${file}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  const handle = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(handle, `${secret}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  return secret;
}

function checked(secret: string): string {
  if (isUsable(secret)) return secret;
  throw new StartError(
    'failed',
    'GATEHOUSE_ROOT_TOKEN must have at least 20 characters, ASCII only and without spaces. Choose a longer random one, or unset it to get one made.',
  );
}

function isUsable(secret: string): boolean {
  return /^[\x21-\x7e]{20,255}$/.test(secret);
}
