import { runCommand } from '../run-command.ts';
import { installPackages } from '../system-packages.ts';

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
  await installPackages(packages, `Missing for a window: ${missing.join(', ')}.`);
}
