import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'undici';

/** A server that is measured: a child process and where it listens. */
export interface ServerProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Without a trailing slash. */
  readonly origin: string;
  /** Milliseconds from the spawn to the first good answer. */
  readonly startMs: number;
  /** Asks it to end, kills it if it does not, and resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly port: number;
  /** A path that answers 200 as soon as the server works. */
  readonly readyPath: string;
  /** With a channel for messages. */
  readonly ipc?: boolean;
}

/** Those that must not outlive this process, however it ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const startDeadline = 60_000;
const stopDeadline = 15_000;

/** Starts a server and waits until it answers; every server is waited for in the same way, so starts can be compared. */
export async function startServer(command: ServerCommand): Promise<ServerProcess> {
  const origin = `http://127.0.0.1:${command.port}`;
  const begun = performance.now();
  const child = spawn(command.command, command.args, {
    cwd: command.cwd,
    env: command.env ?? plainEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe', ...(command.ipc ? (['ipc'] as const) : [])],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-8000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  while (!(await answers(origin + command.readyPath))) {
    if (failure || child.exitCode !== null || child.signalCode !== null || performance.now() - begun > startDeadline) {
      child.kill('SIGKILL');
      throw new Error(`${command.args.join(' ')} did not start: ${failure?.message ?? output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const startMs = performance.now() - begun;
  return { child, pid: child.pid ?? 0, origin, startMs, stop: () => stopChild(child) };
}

async function answers(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url);
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}

function stopChild(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const kill = setTimeout(() => child.kill('SIGKILL'), stopDeadline);
    child.once('exit', () => {
      clearTimeout(kill);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

/** What npm and Gatehouse would take for their own settings, and what changes how Node runs. */
const leftOut = /^(?:npm_|gatehouse_|node_)/i;
/** What a machine needs to reach its registry at all: whose certificates it trusts, and through whom it goes. */
const leadsToRegistry =
  /^(?:node_extra_ca_certs|npm_config_(?:registry|cafile|ca|strict_ssl|https?_proxy|proxy|noproxy))$/i;

/** The environment for children, without what npm scripts and this project's own settings put there. */
export function plainEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || (leftOut.test(name) && !leadsToRegistry.test(name)) ? [] : [[name, value]],
    ),
  );
}

/** Resident memory of a process in bytes, now and at its highest since `forgetPeak`; zeros where the system does not tell. */
export function memoryOf(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0);
    return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
  } catch {
    return { now: 0, peak: 0 };
  }
}

/** Lets the peak of `memoryOf` begin anew (Linux). */
export function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Elsewhere the peak stays that of the whole life, which is only stricter.
  }
}

/** Seconds of processor time that a process has used. */
export function processorSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // utime and stime are the 14th and 15th field, in ticks of which Linux has 100 a second.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}
