import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Path of the Electron to run the checkout with: that of ELECTRON_OVERRIDE_DIST_PATH, else that of the electron package, which downloads it
 * when it is first used. @throws Error with a text for people
 */
export function electronExecutable(): string {
  const executable = createRequire(import.meta.url)('electron') as string;
  if (!existsSync(executable)) throw new Error(`There is no Electron at ${executable}.`);
  return executable;
}

/** Arguments that Electron itself needs before the app's folder. */
export function electronSwitches(): string[] {
  // Chromium cannot build its sandbox for root.
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

/**
 * The environment that the app runs in. The flags of `gatehouse serve` become its variables: a flag beats the environment. Where Electron's own
 * Node cannot load the database, the server gets this one.
 */
export function electronEnvironment(executable: string, flags: readonly string[]): NodeJS.ProcessEnv {
  // An inherited ELECTRON_RUN_AS_NODE would open no window.
  const { ELECTRON_RUN_AS_NODE: _dropped, ...env } = process.env;
  const { values } = parseArgs({
    args: [...flags],
    options: { 'data-dir': { type: 'string' }, host: { type: 'string' }, port: { type: 'string' } },
    strict: false,
  });
  for (const [flag, value] of Object.entries(values)) {
    const variable = flagVariables[flag];
    if (variable !== undefined && typeof value === 'string') env[variable] = value;
  }
  if (nodeIsTooOld(executable)) env['GATEHOUSE_NODE'] ??= process.execPath;
  return env;
}

const flagVariables: Readonly<Record<string, string>> = {
  'data-dir': 'GATEHOUSE_DATA_DIR',
  host: 'GATEHOUSE_HOST',
  port: 'GATEHOUSE_PORT',
};

/** Since Electron 35 its Node has the Node-API level that better-sqlite3 needs. */
function nodeIsTooOld(executable: string): boolean {
  const file = path.join(path.dirname(executable), 'version');
  return existsSync(file) && Number.parseInt(readFileSync(file, 'utf8').replace(/^v/, ''), 10) < 35;
}

/** Whether a window can be shown. */
export function hasDisplay(): boolean {
  return process.platform !== 'linux' || [process.env['DISPLAY'], process.env['WAYLAND_DISPLAY']].some(Boolean);
}

/** What to do where Chromium cannot build its sandbox, as on Ubuntu from 24.04 on; null where it can. */
export function sandboxHint(executable: string): string | null {
  const setting = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  if (process.getuid?.() === 0 || !existsSync(setting) || readFileSync(setting, 'utf8').trim() !== '1') return null;
  const helper = path.join(path.dirname(executable), 'chrome-sandbox');
  const found = statSync(helper, { throwIfNoEntry: false });
  if (found?.uid === 0 && (found.mode & 0o4000) !== 0) return null;
  return (
    'If the window does not open: this system keeps Chromium from building its sandbox. Either of these helps, once:\n' +
    `  sudo chown root "${helper}" && sudo chmod 4755 "${helper}"\n` +
    '  sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'
  );
}
