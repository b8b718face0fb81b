import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * Runs a program in place of this one: with its terminal and its signals. Resolves with the exit code, which is 128 plus the signal's number
 * after a signal.
 */
export async function runInPlace(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env });
  const forward = (signal: NodeJS.Signals): void => {
    // Ctrl-C in a terminal reaches the whole process group; forwarded, it would count as a second one.
    if (signal === 'SIGINT' && process.stdin.isTTY) return;
    child.kill(signal);
  };
  whenOrphaned(() => child.kill('SIGTERM'));
  process.on('SIGINT', forward);
  process.on('SIGTERM', forward);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  } finally {
    process.off('SIGINT', forward);
    process.off('SIGTERM', forward);
  }
}

/**
 * Calls back when the parent of this process is gone. npm runs scripts in a shell and ends only that shell, so a server would stay behind
 * with its port. Does nothing outside of npm, where a daemon may lose its parent on purpose.
 */
export function whenOrphaned(callback: () => void, environment: NodeJS.ProcessEnv = process.env): void {
  if (environment['npm_lifecycle_event'] === undefined || process.platform === 'win32') return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, 250);
  timer.unref();
}
