import { access } from 'node:fs/promises';
import { runCommand, runOrThrow } from '../run-command.ts';

const packages = ['xvfb', 'libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1'];

/**
 * Makes sure that this Electron finds its libraries and the tests a display, on Linux. Installs what is missing on Debian as root;
 * elsewhere throws an Error that names the command to run.
 */
export async function ensureSystemLibraries(electron: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const { output } = await runCommand('ldd', [electron], { timeLimit: 30_000 });
  const missing = [...output.matchAll(/^\s*(\S+) => not found/gm)].map(([, library]) => library ?? '');
  const { code } = await runCommand('Xvfb', ['-version'], { timeLimit: 30_000 });
  if (code === null && !process.env['DISPLAY']) missing.push('Xvfb');
  if (missing.length === 0) return;
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  const hasApt = await access('/usr/bin/apt-get').then(
    () => true,
    () => false,
  );
  if (!hasApt || process.getuid?.() !== 0) {
    throw new Error(
      `Missing for a window: ${missing.join(', ')}. On Debian: sudo apt-get update && sudo apt-get ${install.join(' ')}`,
    );
  }
  console.log(`Installing system packages: ${packages.join(', ')} …`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeLimit: 600_000 };
  await runOrThrow('apt-get', ['update'], options);
  await runOrThrow('apt-get', install, options);
}
