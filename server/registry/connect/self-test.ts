import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SelfTestStep } from '../../contract/connect.ts';
import { npmrcLines } from './npmrc-block.ts';

export interface SelfTestOptions {
  /** Address of the project's registry with its trailing slash. */
  readonly registry: string;
  /** A token that may publish and unpublish there. */
  readonly token: string;
  /** Told of each step that got on. */
  readonly onProgress: () => void;
  /** Where programs are looked for; the PATH of this process unless a test says otherwise. */
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

const stepTimeout = 60_000;
const keptOutput = 8000;

/**
 * Runs the package managers that this machine has against the registry, each in folders and with a home of its own: publish, look up,
 * install. The test package has a name that nobody uses and is the caller's to unpublish afterwards.
 */
export class SelfTest {
  readonly packageName: string;
  readonly #options: SelfTestOptions;
  #steps: MutableStep[] = [];
  #child: ChildProcess | undefined;
  #stopped = false;

  constructor(options: SelfTestOptions) {
    this.#options = options;
    this.packageName = `gatehouse-self-test-${Date.now().toString(36)}`;
  }

  get steps(): readonly SelfTestStep[] {
    return this.#steps;
  }

  /** Resolves when every step ended or the test was stopped. Never rejects for a client's failure: that is what it shows. */
  async run(): Promise<void> {
    const root = await mkdtemp(join(tmpdir(), 'gatehouse-self-test-'));
    try {
      await mkdir(join(root, 'home'));
      const plans = await this.#findClients(root);
      for (const [index, { plan, version }] of plans.entries()) {
        await this.#prepare(root, plan, index);
        await this.#runPlan(root, plan, version);
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }

  /** Ends the step that runs and starts no other. */
  stop(): void {
    this.#stopped = true;
    this.#child?.kill('SIGKILL');
  }

  async #findClients(root: string): Promise<{ plan: Plan; version: string }[]> {
    const found: { plan: Plan; version: string }[] = [];
    for (const client of ['npm', 'pnpm', 'yarn', 'bun'] as const) {
      const { code, output } = await this.#spawn(client, ['--version'], root, root);
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
    const npmrc = `${npmrcLines({ registry: this.#options.registry, scope: null, token: this.#options.token }).join('\n')}\n`;
    for (const folder of ['package', 'app'] as const) {
      const path = join(root, plan.client, folder);
      await mkdir(path, { recursive: true });
      await writeFile(join(path, '.npmrc'), npmrc, { mode: 0o600 });
      await writeFile(join(path, '.yarnrc.yml'), yarnSettings(this.#options.registry, this.#options.token), {
        mode: 0o600,
      });
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
      step.output = output.replaceAll(this.#options.token, '<token>').replaceAll(root, '…').slice(-keptOutput);
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
        timeout: stepTimeout,
        killSignal: 'SIGKILL',
        shell: process.platform === 'win32',
      });
      this.#child = child;
      let output = '';
      const collect = (chunk: Buffer) => {
        output = (output + chunk.toString('utf8')).slice(-keptOutput * 2);
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      child.on('error', (error) => resolve({ code: null, output: error.message }));
      child.on('close', (code) => resolve({ code, output }));
    });
  }
}

function planFor(client: Plan['client'], version: string, name: string): Plan {
  const publish = { label: 'publish', folder: 'package' } as const;
  const view = { label: 'view', folder: 'app' } as const;
  const install = { label: 'install', folder: 'app' } as const;
  switch (client) {
    case 'npm':
      return {
        client,
        commands: [
          { ...publish, args: ['publish', '--ignore-scripts'] },
          { ...view, args: ['view', name, 'version'] },
          { ...install, args: ['install', name, '--no-audit', '--no-fund', '--ignore-scripts'] },
        ],
      };
    case 'pnpm':
      return {
        client,
        commands: [
          { ...publish, args: ['publish', '--no-git-checks', '--ignore-scripts'] },
          { ...view, args: ['view', name, 'version'] },
          { ...install, args: ['add', name, '--ignore-scripts'] },
        ],
      };
    case 'yarn':
      return version.startsWith('1.')
        ? {
            client,
            commands: [
              { ...publish, args: ['publish', '--non-interactive', '--no-git-tag-version', '--ignore-scripts'] },
              { ...view, args: ['info', name, 'version'] },
              { ...install, args: ['add', name, '--non-interactive', '--ignore-scripts'] },
            ],
          }
        : {
            client,
            commands: [
              { ...publish, args: ['npm', 'publish'] },
              { ...view, args: ['npm', 'info', name, '--fields', 'version'] },
              { ...install, args: ['add', name] },
            ],
          };
    case 'bun':
      return {
        client,
        commands: [
          { ...publish, args: ['publish'] },
          { ...view, args: ['info', name, 'version'] },
          { ...install, args: ['add', name, '--ignore-scripts'] },
        ],
      };
  }
}

function yarnSettings(registry: string, token: string): string {
  return [
    `npmRegistryServer: "${registry}"`,
    `npmAuthToken: "${token}"`,
    'npmAlwaysAuth: true',
    'npmMinimalAgeGate: 0',
    'enableTelemetry: false',
    'enableGlobalCache: false',
    'enableImmutableInstalls: false',
    `unsafeHttpWhitelist: ["${new URL(registry).hostname}"]`,
    '',
  ].join('\n');
}

/** Nothing of the person's own settings, so that the test shows the registry and not a forgotten line somewhere. */
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
