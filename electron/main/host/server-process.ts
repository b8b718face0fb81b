import { fork } from 'node:child_process';
import { utilityProcess } from 'electron';
import type { MessageToServer } from '../../../server/contract/link.ts';
import type { LaunchPlan } from './launch-plan.ts';

/**
 * A server child and the control link to it, the same over a utility process and a forked Node. Listeners are called in the order of
 * arrival; `onExit` fires exactly once, also when the child could not be started.
 */
export interface ServerProcess {
  /** Sends a message; drops it if the child is gone, which `onExit` reports. */
  send(message: MessageToServer): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Text that the child wrote, in pieces of any length. */
  onOutput(listener: (text: string, stream: 'stdout' | 'stderr') => void): void;
  /** `code` is null when a signal ended the child or it never started. */
  onExit(listener: (code: number | null) => void): void;
  /** Kills the child without asking it to stop. */
  kill(): void;
}

/** Starts the server in a utility process of Electron, linked by `process.parentPort`. */
export function startUtilityProcess({ entry, args, env }: LaunchPlan): ServerProcess {
  const options = { env: { ...env }, execArgv: [], stdio: 'pipe' as const, serviceName: 'Gatehouse registry' };
  const child = utilityProcess.fork(entry, [...args], options);
  let gone = false;
  child.on('exit', () => (gone = true));
  return {
    send: (message) => {
      if (!gone) child.postMessage(message);
    },
    onMessage: (listener) => child.on('message', listener),
    onOutput: (listener) => {
      child.stdout?.on('data', (chunk: Buffer) => listener(chunk.toString(), 'stdout'));
      child.stderr?.on('data', (chunk: Buffer) => listener(chunk.toString(), 'stderr'));
    },
    onExit: (listener) => child.on('exit', listener),
    kill: () => {
      if (child.pid === undefined) return;
      // `UtilityProcess.kill` sends SIGTERM, which a server that hangs ignores.
      if (process.platform === 'win32') child.kill();
      else process.kill(child.pid, 'SIGKILL');
    },
  };
}

/** Starts the server on another Node (`GATEHOUSE_NODE`), linked by `process.send`. */
export function startNode({ entry, args, env }: LaunchPlan, nodePath: string): ServerProcess {
  const child = fork(entry, [...args], {
    execPath: nodePath,
    execArgv: [],
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // The binary form differs between versions of V8, and this Node's is not Electron's.
    serialization: 'json',
  });
  const exited = new Promise<number | null>((resolve) => {
    // `exit` may come before the last output, `close` does not. Without a child there may be only `error`.
    child.on('close', resolve);
    child.on('error', () => {
      if (child.pid === undefined) resolve(null);
    });
  });
  return {
    send: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => child.on('message', listener),
    onOutput: (listener) => {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => listener(text, 'stdout'));
      child.stderr?.setEncoding('utf8').on('data', (text: string) => listener(text, 'stderr'));
    },
    onExit: (listener) => void exited.then(listener),
    kill: () => child.kill('SIGKILL'),
  };
}

const maximumLines = 200;
const maximumLineLength = 2_000;

/** The last lines of a stream of text that arrives in pieces. */
export class LogTail {
  #lines: string[] = [];
  #unfinished = '';

  add(text: string): void {
    const pieces = (this.#unfinished + text).split(/\r?\n/);
    this.#unfinished = (pieces.pop() ?? '').slice(0, maximumLineLength);
    const lines = pieces.map((line) => line.slice(0, maximumLineLength));
    this.#lines = [...this.#lines, ...lines].slice(-maximumLines);
  }

  /** Oldest first, the unfinished line last. */
  lines(): string[] {
    return this.#unfinished === '' ? [...this.#lines] : [...this.#lines, this.#unfinished];
  }
}
