import { homedir } from 'node:os';
import path from 'node:path';

/** The checkout that the scripts belong to. */
export const projectFolder = path.resolve(import.meta.dirname, '..');

/** Where downloads that outlive a checkout are kept: the XDG cache folder, or its counterpart on the system. */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const fromXdg = environment['XDG_CACHE_HOME'];
  if (fromXdg !== undefined && path.isAbsolute(fromXdg)) return path.join(fromXdg, 'gatehouse');
  const fromWindows = environment['LOCALAPPDATA'];
  if (process.platform === 'win32' && fromWindows !== undefined) return path.join(fromWindows, 'gatehouse', 'cache');
  if (process.platform === 'darwin') return path.join(homedir(), 'Library', 'Caches', 'gatehouse');
  return path.join(homedir(), '.cache', 'gatehouse');
}
