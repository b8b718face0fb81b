import path from 'node:path';
import { buildApp, buildIsStale } from './build-app.ts';
import { findElectron, type ElectronBinary } from './electron-binary.ts';
import { electronEnvironment, electronSwitches } from './electron-launch.ts';
import { projectFolder } from './folders.ts';
import { passThrough } from './pass-through.ts';
import { sandboxFacts, sandboxHint } from './sandbox-hint.ts';
import { ensureSystemLibraries } from './system-libraries.ts';

/** `npm start`: the window where there can be one, else the same registry without it. Arguments are those of `gatehouse serve`. */
async function start(flags: readonly string[]): Promise<number> {
  const electron = await electronForWindow();
  if (typeof electron === 'string') {
    say(`No window: ${electron} Serving without it.`);
    return passThrough(
      process.execPath,
      [path.join(projectFolder, 'server/cli/main.ts'), 'serve', ...flags],
      process.env,
    );
  }
  if (await buildIsStale()) {
    say('Building …');
    await buildApp();
  }
  const hint = sandboxHint(await sandboxFacts(electron.folder), electron.folder);
  if (hint !== null) say(hint);
  const env = electronEnvironment(electron, flags, process.env);
  return passThrough(electron.executable, [...electronSwitches(), projectFolder], env);
}

/** An Electron to open the window with, or the sentence that says why there is none. */
async function electronForWindow(): Promise<ElectronBinary | string> {
  // Without a display nothing is looked for: no network, no wait.
  if (!hasDisplay(process.env, process.platform)) return 'there is no display.';
  try {
    await ensureSystemLibraries('window', say);
    return await findElectron(say);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function hasDisplay(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  if (platform !== 'linux') return true;
  return [environment['DISPLAY'], environment['WAYLAND_DISPLAY']].some((name) => name !== undefined && name !== '');
}

function say(line: string): void {
  console.error(line);
}

process.exitCode = await start(process.argv.slice(2));
