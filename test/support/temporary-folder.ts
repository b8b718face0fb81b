import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Bytes that must be free: what the largest uploads of the tests take, several times. */
const wantedBytes = 4 * 1024 ** 3;

/**
 * Where tests keep their data folders: in memory where Linux offers that, as the registry syncs every write and a busy disk takes
 * milliseconds for each. Elsewhere, and where programs could not run from it, the system's own folder.
 */
export const temporaryFolder = hasMemoryFolder() ? '/dev/shm' : tmpdir();

function hasMemoryFolder(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    const isMounted = /^\S+ \/dev\/shm tmpfs (?!\S*noexec)/m.test(readFileSync('/proc/mounts', 'utf8'));
    return isMounted && bavail * bsize > wantedBytes;
  } catch {
    return false;
  }
}
