import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The program that listens on a TCP port of this machine, for a message; undefined where it can't be found. */
export function describePortHolder(port: number): string | undefined {
  try {
    const found = findHolder(port);
    return found && `"${found.name}" (process ${found.pid})`;
  } catch {
    // The message does without.
    return undefined;
  }
}

interface Holder {
  readonly pid: string;
  readonly name: string;
}

function findHolder(port: number): Holder | undefined {
  if (process.platform === 'linux') return findInProc(port);
  if (process.platform === 'darwin') {
    return holderFromLsof(run('lsof', '-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'));
  }
  if (process.platform !== 'win32') return undefined;
  const pid = pidFromNetstat(run('netstat', '-ano', '-p', 'TCP'), port);
  return pid === undefined
    ? undefined
    : holderFromTasklist(run('tasklist', '/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'));
}

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', timeout: 3_000, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Of `lsof -Fpc`: a line `p` with the id and a line `c` with the command. */
export function holderFromLsof(output: string): Holder | undefined {
  const [, pid, name] = /^p(\d+)\nc(.+)$/m.exec(output) ?? [];
  return pid === undefined || name === undefined ? undefined : { pid, name };
}

/** Of `netstat -ano`: protocol, own address, other address, state, process id. */
export function pidFromNetstat(output: string, port: number): string | undefined {
  for (const line of output.split('\n')) {
    const [protocol, own = '', other = '', , pid] = line.trim().split(/\s+/);
    // The state is translated; a socket that listens has no other end.
    if (protocol === 'TCP' && own.endsWith(`:${port}`) && /^(0\.0\.0\.0|\[::\]):0$/.test(other)) return pid;
  }
  return undefined;
}

/** Of `tasklist /FO CSV /NH`: `"node.exe","1234",…`. */
export function holderFromTasklist(output: string): Holder | undefined {
  const [, name, pid] = /^"([^"]+)","(\d+)"/m.exec(output) ?? [];
  return pid === undefined || name === undefined ? undefined : { pid, name };
}

function findInProc(port: number): Holder | undefined {
  const inodes = listeningInodes(port);
  if (inodes.size === 0) return undefined;
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holdsAny(name, inodes));
  return pid === undefined ? undefined : { pid, name: nameOf(pid) };
}

/** As in a process list: `comm` is the name of a thread, which in Node says nothing of the program. */
function nameOf(pid: string): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return programName(words) || readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}

/** "node server.js" of `/usr/bin/node --flag /srv/app/server.js 80`, "nginx" of `nginx: master process`. */
export function programName([program = '', ...args]: readonly string[]): string {
  const name = basename(program.split(': ')[0] ?? '');
  const script = args.find((word) => !word.startsWith('-'));
  const isInterpreter = /^(node|bun|deno|python[\d.]*|ruby|php|perl)$/.test(name);
  return isInterpreter && script !== undefined && script !== '' ? `${name} ${basename(script)}` : name;
}

function listeningInodes(port: number): Set<string> {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const isListening = fields[3] === '0A';
      if (isListening && fields[1]?.endsWith(`:${wanted}`) && fields[9] !== undefined) inodes.add(fields[9]);
    }
  }
  return inodes;
}

function holdsAny(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      const target = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`));
      return target?.[1] !== undefined && inodes.has(target[1]);
    });
  } catch {
    // Another user's process, or one that ended meanwhile.
    return false;
  }
}
