import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SelfTestStep } from '../../contract/connect.ts';
import { npmrcLines, yarnrcLines } from './settings-block.ts';

export interface SelfTestOptions {
  /** Address of the project's registry with its trailing slash. */
  readonly registry: string;
  /** A token that may publish and unpublish there. */
  readonly token: string;
  /** Called after each change of a step. */
  readonly onProgress: () => void;
  /** Where programs are searched; default: the PATH of this process. */
  readonly path?: string;
}

type State = SelfTestStep['state'];
type MutableStep = { -readonly [K in keyof SelfTestStep]: SelfTestStep[K] };

interface Plan {
  readonly client: 'npm' | 'pnpm' | 'yarn' | 'bun';
  readonly commands: readonly {
    readonly label: string;
    readonly args: readonly string[];
    readonly folder: 'package' | 'app';
  }[];
}

/** What the name of every test package begins with. */
export const selfTestPrefix = 'gatehouse-self-test-';

const stepTimeout = 60_000;
const outputLimit = 8000;

/**
 * Runs the package managers of this machine against the registry, each in its own folders and home: publish, view, install. The caller
 * unpublishes the test package, which has a unique name, afterwards.
 */
export class SelfTest {
  readonly packageName: string;
  readonly #options: SelfTestOptions;
  #steps: MutableStep[] = [];
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(options: SelfTestOptions) {
    this.#options = options;
    this.packageName = `${selfTestPrefix}${Date.now().toString(36)}`;
  }

  get steps(): readonly SelfTestStep[] {
    return this.#steps;
  }

  /** Resolves when every step has ended or the test was stopped. A client's failure is a result of its step. */
  async run(): Promise<void> {
    const root = await mkdtemp(join(tmpdir(), selfTestPrefix));
    try {
      await mkdir(join(root, 'home'));
      const plans = await this.#findClients(root);
      for (const [index, { plan, version }] of plans.entries()) {
        if (this.#stopped) return;
        await this.#prepare(root, plan, index);
        await this.#runPlan(root, plan, version);
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }

  /** Kills the running step with all that it started, and starts no other; `run` resolves soon. */
  stop(): void {
    this.#stopped = true;
    if (this.#child) killGroup(this.#child);
  }

  async #findClients(root: string): Promise<{ plan: Plan; version: string }[]> {
    const found: { plan: Plan; version: string }[] = [];
    for (const client of ['npm', 'pnpm', 'yarn', 'bun'] as const) {
      const { code, output } = await this.#spawn(client, ['--version'], root, root);
      if (this.#stopped) return [];
      if (code !== 0) continue;
      const version = output.trim().split('\n').at(-1) ?? '';
      found.push({ plan: planFor(client, version, this.packageName), version });
    }
    this.#steps = found.flatMap(({ plan, version }) =>
      plan.commands.map(({ label }) => ({
        client: plan.client,
        version,
        command: label,
        state: 'waiting' as State,
        duration: null,
        output: '',
      })),
    );
    this.#options.onProgress();
    return found;
  }

  /** Each client publishes a version of its own and installs it into an empty app. */
  async #prepare(root: string, plan: Plan, index: number): Promise<void> {
    const target = { registry: this.#options.registry, scope: null, token: this.#options.token };
    const npmrc = `${npmrcLines(target).join('\n')}\n`;
    const yarnrc = `${[...yarnrcLines(target), ...yarnSettings].join('\n')}\n`;
    for (const folder of ['package', 'app'] as const) {
      const path = join(root, plan.client, folder);
      await mkdir(path, { recursive: true });
      await writeFile(join(path, '.npmrc'), npmrc, { mode: 0o600 });
      await writeFile(join(path, '.yarnrc.yml'), yarnrc, { mode: 0o600 });
      await writeFile(join(path, 'yarn.lock'), '');
    }
    const manifest = {
      name: this.packageName,
      version: `1.0.${index}`,
      description: 'Made by a self-test',
      license: 'MIT',
    };
    await writeFile(join(root, plan.client, 'package', 'package.json'), JSON.stringify(manifest));
    await writeFile(
      join(root, plan.client, 'app', 'package.json'),
      JSON.stringify({ name: 'self-test-app', version: '1.0.0', private: true }),
    );
  }

  async #runPlan(root: string, plan: Plan, version: string): Promise<void> {
    for (const { label, args, folder } of plan.commands) {
      const step = this.#steps.find((candidate) => candidate.client === plan.client && candidate.command === label);
      if (!step || this.#stopped) return;
      step.state = 'running';
      this.#options.onProgress();
      const started = performance.now();
      const { code, output } = await this.#spawn(plan.client, args, join(root, plan.client, folder), root);
      step.duration = performance.now() - started;
      step.state = code === 0 ? 'passed' : 'failed';
      step.output = output.replaceAll(this.#options.token, '<token>').replaceAll(root, '…').slice(-outputLimit);
      step.version = version;
      this.#options.onProgress();
    }
  }

  #spawn(
    client: string,
    args: readonly string[],
    folder: string,
    root: string,
  ): Promise<{ code: number | null; output: string }> {
    return new Promise((resolve) => {
      const child = spawn(client, args, {
        cwd: folder,
        env: environment(root, this.#options.path),
        stdio: ['ignore', 'pipe', 'pipe'],
        // A group of its own, so that what it starts ends with it. Windows has none, and would open a console.
        detached: process.platform !== 'win32',
        shell: process.platform === 'win32',
      });
      this.#child = child;
      const limit = setTimeout(() => killGroup(child), stepTimeout);
      let output = '';
      const collect = (chunk: Buffer) => {
        output = (output + chunk.toString('utf8')).slice(-outputLimit * 2);
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      const end = (code: number | null, text: string): void => {
        clearTimeout(limit);
        this.#child = undefined;
        resolve({ code, output: text });
      };
      child.on('error', (error) => end(null, error.message));
      child.on('close', (code) => end(code, output));
    });
  }
}

function killGroup(child: ChildProcess): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function planFor(client: Plan['client'], version: string, name: string): Plan {
  const { publish, view, install } = commandsOf(client, version, name);
  return {
    client,
    commands: [
      { label: 'publish', folder: 'package', args: publish },
      { label: 'view', folder: 'app', args: view },
      { label: 'install', folder: 'app', args: install },
    ],
  };
}

function commandsOf(
  client: Plan['client'],
  version: string,
  name: string,
): Readonly<Record<'publish' | 'view' | 'install', readonly string[]>> {
  switch (client) {
    case 'npm':
      return {
        publish: ['publish', '--ignore-scripts'],
        view: ['view', name, 'version'],
        install: ['install', name, '--no-audit', '--no-fund', '--ignore-scripts'],
      };
    case 'pnpm':
      return {
        publish: ['publish', '--no-git-checks', '--ignore-scripts'],
        view: ['view', name, 'version'],
        install: ['add', name, '--ignore-scripts'],
      };
    case 'yarn':
      if (!version.startsWith('1.')) {
        return {
          publish: ['npm', 'publish'],
          view: ['npm', 'info', name, '--fields', 'version'],
          install: ['add', name],
        };
      }
      return {
        publish: ['publish', '--non-interactive', '--no-git-tag-version', '--ignore-scripts'],
        view: ['info', name, 'version'],
        install: ['add', name, '--non-interactive', '--ignore-scripts'],
      };
    case 'bun':
      return {
        publish: ['publish'],
        view: ['info', name, 'version'],
        install: ['add', name, '--ignore-scripts'],
      };
  }
}

const yarnSettings = ['enableTelemetry: false', 'enableGlobalCache: false', 'enableImmutableInstalls: false'];

/** Without the user's own settings, which would change the result. */
function environment(root: string, path = process.env['PATH'] ?? ''): NodeJS.ProcessEnv {
  const home = join(root, 'home');
  return {
    PATH: path,
    HOME: home,
    USERPROFILE: home,
    TMPDIR: root,
    XDG_CACHE_HOME: join(root, 'cache'),
    XDG_DATA_HOME: join(root, 'data'),
    NPM_CONFIG_USERCONFIG: join(home, '.npmrc'),
    NPM_CONFIG_CACHE: join(root, 'cache', 'npm'),
    NPM_CONFIG_UPDATE_NOTIFIER: 'false',
    NPM_CONFIG_FETCH_RETRIES: '0',
    CI: '1',
    ...(process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] ?? '' } : {}),
  };
}
