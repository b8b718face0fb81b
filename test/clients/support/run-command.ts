import { spawn } from 'node:child_process';

export interface CommandResult {
  readonly command: string;
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, as a person at a terminal sees them. */
  readonly output: string;
}

export interface CommandOptions {
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** What is typed: written to the command's input, which then ends. */
  readonly input?: string;
  /** Called with all that was written so far, whenever there is more. */
  readonly onOutput?: (output: string) => void;
}

/** Milliseconds after which a command counts as hung and is killed. */
const timeLimit = 120_000;

/** Runs a command to its end. A failure of the command is a result; only one that can't be started or hangs rejects. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      timeout: timeLimit,
      killSignal: 'SIGKILL',
    });
    const command = [file, ...args].join(' ');
    let stdout = '';
    let stderr = '';
    let output = '';
    const note = (text: string): void => {
      output += text;
      options.onOutput?.(output);
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      note(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      note(text);
    });
    child.stdin?.end(options.input);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === null) reject(new Error(`${command} was ended by ${signal}. It wrote:\n${output}`));
      else resolve({ command, code, stdout, stderr, output });
    });
  });
}

/** The result itself if the command succeeded. @throws Error with what it wrote. */
export function succeeded(result: CommandResult): CommandResult {
  if (result.code === 0) return result;
  throw new Error(`${result.command} failed with ${result.code}:\n${result.output}`);
}

/** The result itself if the command refused. @throws Error with what it wrote. */
export function refused(result: CommandResult): CommandResult {
  if (result.code !== 0) return result;
  throw new Error(`${result.command} should have failed, but wrote:\n${result.output}`);
}
