import { parseArgs } from 'node:util';
import type { ElectronBinary } from './electron-binary.ts';

/** Arguments that Electron itself needs before the app folder. */
export function electronSwitches(isRoot: boolean = process.getuid?.() === 0): string[] {
  // Chromium refuses to build its sandbox for root, and only for root is it left out.
  return isRoot ? ['--no-sandbox'] : [];
}

/**
 * The environment that the app runs in: the flags of `gatehouse serve` become its variables (a flag beats the environment), and the server gets
 * a Node of its own where Electron's is too old. An inherited ELECTRON_RUN_AS_NODE would keep the window shut.
 */
export function electronEnvironment(
  binary: ElectronBinary,
  flags: readonly string[],
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const { ELECTRON_RUN_AS_NODE: _dropped, ...env } = environment;
  const { values } = parseArgs({
    args: [...flags],
    options: { 'data-dir': { type: 'string' }, host: { type: 'string' }, port: { type: 'string' } },
    strict: false,
  });
  for (const [flag, variable] of flagVariables) {
    const value = values[flag];
    if (typeof value === 'string') env[variable] = value;
  }
  if (binary.nodeTooOld) env['GATEHOUSE_NODE'] ??= process.execPath;
  return env;
}

const flagVariables = [
  ['data-dir', 'GATEHOUSE_DATA_DIR'],
  ['host', 'GATEHOUSE_HOST'],
  ['port', 'GATEHOUSE_PORT'],
] as const;
