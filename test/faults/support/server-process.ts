import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../server/cli/main.ts', import.meta.url));

export const rootToken = 'gatehouse-test-root-token-0123456789';

export interface ProcessOptions {
  readonly dataDir: string;
  /** Arguments for Node itself, before the program. */
  readonly node?: readonly string[];
  /** Command that runs Node in its place, with a `"$@"` for it: for limits that only a shell can set. */
  readonly shell?: string;
  readonly arguments?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** A server in a process of its own, as people run it, so that it can be killed, limited and measured. */
export class ServerProcess {
  readonly origin: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;

  /** Resolves when it serves. @throws Error with what it said if it ends before that. */
  static async start(options: ProcessOptions): Promise<ServerProcess> {
    const { child, ended } = launch(options, ['serve', '--port', '0', '--json', ...(options.arguments ?? [])]);
    const line = await Promise.race([firstLine(child), ended]);
    if (typeof line !== 'string') {
      throw new Error(`The server ended with ${line.code ?? line.signal} before it served: ${line.stderr}`);
    }
    return new ServerProcess(JSON.parse(line) as { origin: string; pid: number }, child, ended);
  }

  private constructor({ origin, pid }: { origin: string; pid: number }, child: ChildProcess, ended: Promise<Ended>) {
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

  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** As a power cut has it, as far as this process is concerned. */
  async kill(): Promise<void> {
    if (!this.hasEnded) this.signal('SIGKILL');
    await this.#ended;
  }

  async stop(): Promise<Ended> {
    if (!this.hasEnded) this.signal('SIGTERM');
    return this.#ended;
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

/** Runs a command of the program to its end. */
export async function runCommand(
  dataDir: string,
  command: readonly string[],
): Promise<Ended & { readonly stdout: string }> {
  const { child, ended } = launch({ dataDir }, command);
  let stdout = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  return { ...(await ended), stdout };
}

function launch(options: ProcessOptions, command: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const node = [process.execPath, ...(options.node ?? []), program, ...command, '--data-dir', options.dataDir];
  const [file = '', ...args] = options.shell === undefined ? node : ['sh', '-c', options.shell, 'sh', ...node];
  const child = spawn(file, args, {
    env: { PATH: process.env['PATH'] ?? '', HOME: options.dataDir, GATEHOUSE_ROOT_TOKEN: rootToken },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    // A server that logs without end must not fill the memory of the test.
    if (stderr.length < 200_000) stderr += chunk.toString();
  });
  const ended = (async (): Promise<Ended> => {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return { code, signal, stderr };
  })();
  return { child, ended };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const end = text.indexOf('\n');
      if (end !== -1) resolve(text.slice(0, end));
    });
  });
}
