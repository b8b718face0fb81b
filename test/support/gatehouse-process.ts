import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../server/cli/main.ts', import.meta.url));

export const rootToken = 'gatehouse-test-root-token-0123456789';

/** Milliseconds after which a command counts as hung and is killed. */
const commandLimit = 120_000;
/** Milliseconds that a server gets to end after SIGTERM. */
const stopLimit = 60_000;

export interface ProcessOptions {
  readonly dataDir?: string;
  /** Added to an environment of nothing but PATH, HOME and the data folder. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input of a command. */
  readonly input?: string;
  /** Command that runs Node in its place, with a `"$@"` for it: for limits and users that only a shell can set. */
  readonly shell?: string;
}

export interface ServerOptions extends ProcessOptions {
  readonly dataDir: string;
  /** Arguments for Node itself, before the program. */
  readonly node?: readonly string[];
  /** The root token of a new data folder. */
  readonly rootToken?: string;
}

export interface ProcessResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of `gatehouse` to its end, in a process of its own. */
export function gatehouse(args: readonly string[], options: ProcessOptions = {}): Promise<ProcessResult> {
  const { child, ended } = launch(inShell([process.execPath, entry, ...args], options.shell), options);
  child.stdin?.end(options.input ?? '');
  const limit = setTimeout(() => child.kill('SIGKILL'), commandLimit);
  return ended.finally(() => clearTimeout(limit));
}

/** A server in a process of its own, as people run it, so that it can be killed, limited and measured. */
export class GatehouseProcess {
  /** With the address of IPv4, which needs no lookup. */
  readonly origin: string;
  /** As the server announces it. */
  readonly announcedOrigin: string;
  readonly pid: number;
  readonly #ended: Promise<ProcessResult>;
  readonly #child: ChildProcess;

  /** Resolves when it serves. @throws Error with its errors if it ends before that. */
  static async start(options: ServerOptions): Promise<GatehouseProcess> {
    const node = [process.execPath, ...(options.node ?? []), entry, 'serve', '--port', '0', '--json'];
    const env = { GATEHOUSE_ROOT_TOKEN: options.rootToken ?? rootToken, ...options.env };
    const { child, ended } = launch(inShell(node, options.shell), { ...options, env });
    child.stdin?.end();
    const line = await Promise.race([
      new Promise<string>((resolve) => {
        if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve);
      }),
      ended,
    ]);
    if (typeof line !== 'string') {
      throw new Error(`The server ended with ${line.code ?? line.signal} before it served: ${line.stderr}`);
    }
    return new GatehouseProcess(JSON.parse(line) as { origin: string; pid: number }, child, ended);
  }

  private constructor(
    { origin, pid }: { origin: string; pid: number },
    child: ChildProcess,
    ended: Promise<ProcessResult>,
  ) {
    this.announcedOrigin = origin;
    this.origin = origin.replace('localhost', '127.0.0.1');
    this.pid = pid;
    this.#child = child;
    this.#ended = ended;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Sends a signal to the server itself. */
  signal(name: NodeJS.Signals): void {
    process.kill(this.pid, name);
  }

  ended(): Promise<ProcessResult> {
    return this.#ended;
  }

  /** Ends it with SIGKILL, as a crash would. */
  async kill(): Promise<void> {
    if (!this.hasEnded) this.signal('SIGKILL');
    await this.#ended;
  }

  /** Ends it with SIGTERM, as a person would. */
  async stop(): Promise<ProcessResult> {
    if (!this.hasEnded) this.signal('SIGTERM');
    const limit = setTimeout(() => void this.kill(), stopLimit);
    return this.#ended.finally(() => clearTimeout(limit));
  }

  /** Resident memory in bytes. Linux only. */
  memory(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  }

  /** Open descriptors. Linux only. */
  descriptors(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }
}

function inShell(command: readonly string[], shell: string | undefined): readonly string[] {
  return shell === undefined ? command : ['sh', '-c', shell, 'sh', ...command];
}

function launch(
  [file = '', ...args]: readonly string[],
  { dataDir, env }: ProcessOptions,
): { child: ChildProcess; ended: Promise<ProcessResult> } {
  const folder: Record<string, string> = dataDir === undefined ? {} : { GATEHOUSE_DATA_DIR: dataDir };
  const child = spawn(file, args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: dataDir ?? process.env['HOME'] ?? '', ...folder, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdin.on('error', () => undefined);
  // A server that logs without end must not fill the memory of the test.
  child.stdout.on('data', (chunk: Buffer) => (stdout = (stdout + chunk.toString()).slice(0, 2_000_000)));
  child.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(0, 2_000_000)));
  const ended = (async (): Promise<ProcessResult> => {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return { code, signal, stdout, stderr };
  })();
  return { child, ended };
}
