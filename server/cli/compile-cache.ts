import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder for compiled code, which Node runs without comparing it with its source: one that no other user can put any into. Undefined if
 * there is none; then code is compiled at each start. By default Node takes a name in the shared temporary folder that anyone can make first.
 */
export function compileCacheFolder(): string | undefined {
  const own = process.getuid?.();
  // On Windows each user has a temporary folder.
  if (own === undefined) return join(tmpdir(), 'gatehouse-compiled');
  const folder = join(tmpdir(), `gatehouse-compiled-${own}`);
  try {
    const shared = statSync(tmpdir());
    const isSafe =
      (shared.uid === own || shared.uid === 0) && ((shared.mode & 0o022) === 0 || (shared.mode & 0o1000) !== 0);
    if (!isSafe) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const made = lstatSync(folder);
    return made.isDirectory() && made.uid === own && (made.mode & 0o077) === 0 ? folder : undefined;
  } catch {
    return undefined;
  }
}
