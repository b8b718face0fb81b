import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import type { AppSettings, AppState } from '../../server/contract/bridge.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

export const projectFolder = path.resolve(import.meta.dirname, '../..');
/** The root token of every data folder that the tests create. */
export const rootToken = 'glpat-end-to-end-tests-0001';

export interface AppFolders {
  readonly base: string;
  readonly userData: string;
  readonly dataDir: string;
}

/** Temporary folders for one app; `remove` them when the test is over. */
export async function makeFolders(): Promise<AppFolders & { remove: () => Promise<void> }> {
  const base = await mkdtemp(path.join(temporaryFolder, 'gatehouse-e2e-'));
  return {
    base,
    userData: path.join(base, 'user'),
    dataDir: path.join(base, 'data'),
    remove: () => rm(base, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** What a person chose before the app starts. */
export async function writeSettings({ userData }: AppFolders, settings: Partial<AppSettings>): Promise<void> {
  await mkdir(userData, { recursive: true });
  await writeFile(path.join(userData, 'settings.json'), JSON.stringify(settings));
}

export interface LaunchOptions {
  readonly folders: AppFolders;
  /** Added to, or with undefined taken from, the environment of the app. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What follows the app's folder on the command line. */
  readonly args?: readonly string[];
}

export interface RunningApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  /** Errors and warnings of the page's console, and errors nobody caught. */
  readonly complaints: string[];
  /** What the main process and the server wrote. */
  readonly output: () => string;
  readonly state: () => Promise<AppState>;
  /** Waits for a phase, with a server other than the one of `notPid`, and returns that state. */
  readonly until: <P extends AppState['phase']>(phase: P, notPid?: number) => Promise<AppState & { phase: P }>;
  /** Quits like a person does and waits for the end of the app and of its server, both within limits. */
  readonly quit: () => Promise<void>;
}

const quitLimit = 25_000;

/**
 * Starts the built app from the checkout with folders of its own and a port that the system picks. Needs the environment that
 * `npm run test:e2e` sets: an Electron in ELECTRON_OVERRIDE_DIST_PATH, and GATEHOUSE_NODE where that one's Node is too old.
 */
export async function launchApp({ folders, env = {}, args = [] }: LaunchOptions): Promise<RunningApp> {
  const app = await _electron.launch({
    args: [`--user-data-dir=${folders.userData}`, projectFolder, ...args],
    env: appEnvironment({ GATEHOUSE_DATA_DIR: folders.dataDir, ...env }),
    cwd: folders.base,
    timeout: 30_000,
    // The pictures show the app's own themes, not one that the test runner pretends.
    colorScheme: null,
  });
  // Playwright forgets the process when it ends.
  const main = app.process();
  let output = '';
  main.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  main.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const complaints: string[] = [];
  const page = await app.firstWindow();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  // A page whose script has run has an element below its root.
  const drawn = page.locator('#root > *').first();
  await drawn.waitFor({ state: 'attached', timeout: 20_000 }).catch((error: unknown) => {
    main.kill('SIGKILL');
    throw new Error(`The page did not start. Console: ${complaints.join('\n')}\nOutput: ${output}`, { cause: error });
  });

  const state = (): Promise<AppState> => page.evaluate(() => window.gatehouse.app.state());
  return {
    app,
    page,
    complaints,
    output: () => output,
    state,
    until: (phase, notPid = 0) => page.evaluate(waitForPhase, { phase, notPid }) as Promise<never>,
    quit: () => quit(app, main, page),
  };
}

/** Runs in the page. */
function waitForPhase({ phase, notPid }: { phase: string; notPid: number }): Promise<AppState> {
  return new Promise((resolve) => {
    const check = (state: AppState): void => {
      if (state.phase !== phase || (state.phase === 'ready' && state.pid === notPid)) return;
      stop();
      resolve(state);
    };
    const stop = window.gatehouse.app.onState(check);
    void window.gatehouse.app.state().then(check);
  });
}

interface SpawnOptions {
  /** Chromium's own switches, before the app's folder. */
  readonly switches?: readonly string[];
  readonly args?: readonly string[];
}

/** Starts the app without the test runner inside it. What it says comes on stderr. */
export function spawnApp(
  folders: AppFolders,
  { switches = [], args = [] }: SpawnOptions = {},
): ChildProcessByStdio<null, null, Readable> {
  const electron = path.join(process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '', 'electron');
  const unsandboxed = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return spawn(electron, [...unsandboxed, ...switches, `--user-data-dir=${folders.userData}`, projectFolder, ...args], {
    env: appEnvironment({ GATEHOUSE_DATA_DIR: folders.dataDir }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Starts the app a second time, as a person or a link would; its exit code. */
export async function launchAgain(folders: AppFolders, ...args: string[]): Promise<number | null> {
  const second = spawnApp(folders, { args });
  second.stderr.resume();
  const [code] = (await once(second, 'exit')) as [number | null];
  return code;
}

/** The environment of an app under test: what the machine gives, without what would change the app, plus `changes`. */
export function appEnvironment(changes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    GATEHOUSE_HOST: undefined,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_ROOT_TOKEN: rootToken,
    ...changes,
  };
  const dropped = new Set(['ELECTRON_RUN_AS_NODE', 'GATEHOUSE_LOG_LEVEL', 'NODE_OPTIONS']);
  const kept = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || dropped.has(name) ? [] : [[name, value] as const],
  );
  return Object.fromEntries(kept);
}

async function quit(app: ElectronApplication, main: ChildProcess, page: Page): Promise<void> {
  if (main.exitCode !== null || main.signalCode !== null) return;
  const serverPid = await page
    .evaluate(async () => {
      const state = await window.gatehouse.app.state();
      return state.phase === 'ready' ? state.pid : null;
    })
    .catch(() => null);
  const exited = new Promise<void>((resolve) => main.once('exit', () => resolve()));
  const killer = setTimeout(() => main.kill('SIGKILL'), quitLimit);
  await app
    .evaluate(({ app: electronApp, dialog }) => {
      // What a test left unsaved is given up: the second button.
      dialog.showMessageBoxSync = () => 1;
      electronApp.quit();
    })
    .catch(() => undefined);
  await exited;
  clearTimeout(killer);
  if (main.signalCode === 'SIGKILL') throw new Error(`The app did not quit within ${quitLimit / 1_000} seconds.`);
  if (serverPid !== null) await processIsGone(serverPid);
}

/** Resolves when no process has this id, and throws if one still has after a while. */
export async function processIsGone(pid: number, limit = 10_000): Promise<void> {
  const until = Date.now() + limit;
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    if (Date.now() > until) throw new Error(`Process ${pid} is still there.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
