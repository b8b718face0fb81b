import { access, readFile } from 'node:fs/promises';
import { runCommand } from './run-command.ts';

const libraries = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1'];
const virtualDisplay = ['xvfb', 'xauth'];

/** For a window on a real display, or for tests that bring their own. */
export type Purpose = 'window' | 'tests';

/**
 * Makes sure that what Electron needs from a Debian-like Linux (its libraries, for tests a virtual display too) is there: installs it as root, and
 * otherwise throws an Error that names the command to run. Does nothing on other systems and where everything is present.
 */
export async function ensureSystemLibraries(purpose: Purpose, say: (line: string) => void): Promise<void> {
  if (process.platform !== 'linux' || !(await isDebianLike())) return;
  const missing = await missingPackages(purpose);
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) {
    const command = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}`;
    throw new Error(`Missing system packages: ${missing.join(', ')}. Run: sudo sh -c '${command}'`);
  }
  say(`Installing system packages: ${missing.join(', ')} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await runOrThrow('apt-get', ['update'], env);
  await runOrThrow('apt-get', ['install', '-y', '--no-install-recommends', ...missing], env);
}

async function runOrThrow(command: string, commandArguments: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const result = await runCommand(command, commandArguments, { env, timeLimit: 600_000 });
  if (result.code !== 0) throw new Error(`${command} ${commandArguments[0] ?? ''} failed:\n${result.output.trim()}`);
}

async function isDebianLike(): Promise<boolean> {
  try {
    await access('/usr/bin/dpkg-query');
    const release = await readFile('/etc/os-release', 'utf8');
    return /^ID(_LIKE)?=.*debian/m.test(release);
  } catch {
    return false;
  }
}

async function missingPackages(purpose: Purpose): Promise<string[]> {
  const query = ['-W', '-f=${Package} ${Provides} ${db:Status-Status}\\n'];
  const { output } = await runCommand('dpkg-query', query, { timeLimit: 30_000 });
  return missingFrom(output, purpose === 'tests' ? [...virtualDisplay, ...libraries] : libraries);
}

/**
 * Those of `packages` that `dpkg-query` (a line each: name, what it provides, status) does not list as installed. Newer releases carry
 * libgtk-3-0 and libasound2 under a name with `t64`, which provides the old one.
 */
export function missingFrom(listing: string, packages: readonly string[]): string[] {
  const installed = new Set<string>();
  for (const line of listing.split('\n')) {
    if (!line.endsWith(' installed')) continue;
    for (const name of line.split(/[ ,]+/)) installed.add(name);
  }
  return packages.filter((name) => !installed.has(name));
}
