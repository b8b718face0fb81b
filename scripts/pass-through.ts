import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { whenOrphaned } from './orphaned.ts';

/**
 * Runs a program in the place of this one: its terminal is ours, the signals that we get go to it, and its end is ours. Resolves to the exit
 * code, 128 plus the signal's number if a signal ended it.
 */
export async function passThrough(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env });
  const forward = (signal: NodeJS.Signals): void => {
    // Ctrl-C in a terminal reaches the whole group; sent on, it would count as a second, impatient one.
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
