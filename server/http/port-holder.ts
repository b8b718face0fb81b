import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** The program that listens on a TCP port of this machine, for a message; undefined where it can't be found. */
export function describePortHolder(port: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const inodes = listeningInodes(port);
    if (inodes.size === 0) return undefined;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      if (holdsAny(pid, inodes)) {
        return `"${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()}" (process ${pid})`;
      }
    }
  } catch {
    // The message does without.
  }
  return undefined;
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
