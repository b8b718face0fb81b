import { spawn, type ChildProcess } from 'node:child_process';
import { request } from 'undici';

/** A server in a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  /** Without a trailing slash. */
  readonly origin: string;
  /** Milliseconds from the spawn to the first good answer. */
  readonly startMs: number;
  /** Ends it, with SIGKILL where SIGTERM does not help, and resolves when it is gone. */
  stop(): Promise<void>;
}

export interface ServerCommand {
  /** Arguments of this Node. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly port: number;
  /** A path that answers 200 as soon as the server works. */
  readonly readyPath: string;
}

/** Children that must not outlive this process. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const startDeadline = 60_000;
const stopDeadline = 15_000;

/** Starts a server and waits until it answers: in the same way for each, so that starts can be compared. */
export async function startServer({ args, cwd, env, port, readyPath }: ServerCommand): Promise<ServerProcess> {
  const origin = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...plainEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve())).then(() => {
    hasEnded = true;
    running.delete(child);
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-8_000)));
  }
  while (!(await answers(origin + readyPath))) {
    if (hasEnded || performance.now() - begun > startDeadline) {
      child.kill('SIGKILL');
      throw new Error(`${args.join(' ')} did not start: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const startMs = performance.now() - begun;
  const stop = async (): Promise<void> => {
    const kill = setTimeout(() => child.kill('SIGKILL'), stopDeadline);
    child.kill('SIGTERM');
    await ended;
    clearTimeout(kill);
  };
  return { pid: child.pid ?? 0, origin, startMs, stop };
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

/** What npm and Gatehouse would take for their own settings, and what changes how Node runs. */
const leftOut = /^(?:npm_|gatehouse_|node_)/i;
/** What a machine needs to reach its own registry. */
const leadsToRegistry =
  /^(?:node_extra_ca_certs|npm_config_(?:registry|cafile|ca|strict_ssl|https?_proxy|proxy|noproxy))$/i;

/** The environment for children, without what npm scripts and this project's settings put there. */
export function plainEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || (leftOut.test(name) && !leadsToRegistry.test(name)) ? [] : [[name, value]],
    ),
  );
}
