import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../server/cli/main.ts', import.meta.url));

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `gatehouse` with these arguments in a process of its own, with `input` on its standard input. */
export function gatehouse(
  args: readonly string[],
  options: { readonly dataDir?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<CommandResult> {
  const { dataDir, env, input = '' } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? '',
        ...(dataDir === undefined ? {} : { GATEHOUSE_DATA_DIR: dataDir }),
        ...env,
      },
      timeout: 60_000,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

export interface ServeProcess {
  readonly origin: string;
  readonly child: ChildProcess;
  /** SIGTERM, then waits for its end. */
  stop(): Promise<void>;
  /** SIGKILL, as a crash would end it. */
  kill(): Promise<void>;
}

/** Starts a server of its own process and waits until it answers. */
export async function serve(dataDir: string, rootToken: string): Promise<ServeProcess> {
  const child = spawn(process.execPath, [entry, 'serve', '--port', '0', '--json'], {
    env: { ...process.env, GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_ROOT_TOKEN: rootToken },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it answered.`)));
  });
  const { port } = JSON.parse(line) as { port: number };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return { origin: `http://127.0.0.1:${port}`, child, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
