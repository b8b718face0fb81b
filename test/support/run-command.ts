import { spawn } from 'node:child_process';

export interface CommandResult {
  /** The exit code; null when a signal or the time limit ended the command. */
  readonly code: number | null;
  /** What it wrote to both streams. */
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Milliseconds after which the command is killed. */
  readonly timeLimit: number;
}

/** Runs a command to its end. Never rejects: a command that cannot be started has code null and says why in `output`. */
export async function runCommand(
  command: string,
  args: readonly string[],
  { cwd, env, timeLimit }: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeLimit,
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

/** As `runCommand`, but throws an Error with the end of the output where the command fails. */
export async function runOrThrow(command: string, args: readonly string[], options: CommandOptions): Promise<string> {
  const { code, output } = await runCommand(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${output.trim().slice(-4_000)}`);
  return output;
}
