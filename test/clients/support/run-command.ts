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
  /** Takes part while the command runs; without it the command's input is empty. */
  readonly converse?: Conversation | undefined;
}

/** Called with all that was written so far whenever there is more; `type` sends a line to the command's input. */
export type Conversation = (output: string, type: (line: string) => void) => void;

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
      stdio: [options.converse ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      timeout: timeLimit,
      killSignal: 'SIGKILL',
    });
    const command = [file, ...args].join(' ');
    let stdout = '';
    let stderr = '';
    let output = '';
    const note = (text: string): void => {
      output += text;
      options.converse?.(output, (line) => child.stdin?.write(`${line}\n`));
    };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      note(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      note(text);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === null) reject(new Error(`${command} was ended by ${signal}. It wrote:\n${output}`));
      else resolve({ command, code, stdout, stderr, output });
    });
  });
}

/** A conversation that answers each of some prompts once, in their order. */
export function answering(...answers: readonly (readonly [prompt: RegExp, line: string])[]): Conversation {
  let next = 0;
  return (output, type) => {
    const answer = answers[next];
    if (!answer?.[0].test(output)) return;
    next += 1;
    type(answer[1]);
  };
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
