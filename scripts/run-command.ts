import { spawn } from 'node:child_process';

export interface CommandResult {
  /** The exit code, or null when the command was killed (by a signal or by the time limit). */
  readonly code: number | null;
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the command is killed. */
  readonly timeLimit: number;
}

/** Runs a command quietly to its end. Never rejects: a command that cannot be started has code null and says why in `output`. */
export async function runCommand(
  command: string,
  commandArguments: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, commandArguments, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeLimit,
      killSignal: 'SIGKILL',
      shell: process.platform === 'win32',
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => resolve({ code: null, output: `${output}${error.message}` }));
    child.on('close', (code) => resolve({ code, output }));
  });
}
