import { closeSync, existsSync, fstatSync, openSync, readFileSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from '../../support/run-command.ts';
import { installPackages } from '../../support/system-packages.ts';

/** Bytes of a file that were written and not synced yet. */
interface DirtyRange {
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

type Ignored = 'no syncs' | 'syncs of files' | 'syncs of folders';

const calls = [
  'openat,mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir',
  'write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync',
].join(',');

/** Makes sure that strace is there. @throws Error that says how to install it. */
export async function requireTracer(): Promise<void> {
  if ((await runCommand('strace', ['--version'], { timeLimit: 30_000 })).code === 0) return;
  await installPackages(['strace'], 'What a crash of the machine loses is found with strace, which is missing.');
}

/**
 * What the processes of one run wrote into a data folder and had not synced when they ended: what a crash of the machine may take. A file
 * keeps the bytes that were synced, a folder the names; a name that was removed and not synced may come back, which is not tried.
 */
export class LostWrites {
  readonly #root: string;
  readonly #ignored: Ignored;
  readonly #known: Set<string>;
  readonly #ranges = new Map<string, DirtyRange[]>();
  /** When each name was made whose folder was not synced since. */
  readonly #names = new Map<string, number>();
  #at = 0;

  /**
   * For `ProcessOptions.shell`.
   * @param file gets the calls
   * @param before a command of the shell that is traced as well, and ends before the program starts
   */
  static tracing(file: string, before = ':'): string {
    const quoted = before.replaceAll("'", `'\\''`);
    return `exec strace -f --seccomp-bpf -y -s 0 -e trace=${calls} -o '${file}' sh -c '${quoted}; exec "$@"' sh "$@"`;
  }

  /** To be made before the run. @param ignored which syncs count as if they had not happened, to see that they matter */
  constructor(root: string, ignored: Ignored = 'no syncs') {
    this.#root = root;
    this.#ignored = ignored;
    this.#known = new Set(readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name)));
  }

  /**
   * Takes away what was not synced, or each part of it as `isLost` decides.
   * @param trace the calls of the run
   * @returns how many ranges and names are lost
   */
  drop(trace: string, isLost: () => boolean = () => true): number {
    this.#read(readFileSync(trace, 'utf8'));
    let lost = 0;
    for (const [file, ranges] of this.#ranges) {
      const chosen = ranges.filter(isLost);
      if (chosen.length === 0 || !existsSync(file)) continue;
      lost += chosen.length;
      const descriptor = openSync(file, 'r+');
      const { size } = fstatSync(descriptor);
      for (const { start, end } of chosen) {
        const length = Math.min(end, size) - start;
        if (length > 0) writeSync(descriptor, Buffer.alloc(length), 0, length, start);
      }
      closeSync(descriptor);
    }
    // Memory that processes share; a new process makes it again.
    for (const name of this.#known) if (name.endsWith('/gatehouse.db-shm')) rmSync(name, { force: true });
    for (const name of this.#names.keys()) {
      if (!existsSync(name) || !isLost()) continue;
      lost += 1;
      rmSync(name, { recursive: true });
    }
    return lost;
  }

  #read(trace: string): void {
    const unfinished = new Map<string, { text: string; at: number }>();
    for (const line of trace.split('\n')) {
      this.#at += 1;
      const [, pid = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
      if (resumed) {
        const begun = unfinished.get(pid);
        unfinished.delete(pid);
        if (begun) this.#note(begun.text + (resumed[1] ?? ''), begun.at);
      } else if (rest.endsWith('<unfinished ...>')) {
        unfinished.set(pid, { text: rest.replace(/ ?<unfinished \.\.\.>$/, ''), at: this.#at });
      } else this.#note(rest, this.#at);
    }
    // A call that the end of the process interrupted: what it writes may be there.
    for (const { text, at } of unfinished.values()) if (!/^f(?:data)?sync/.test(text)) this.#note(`${text}) = 0`, at);
  }

  /** @param at when the call began */
  #note(text: string, at: number): void {
    const [, call = '', args = '', result = ''] = /^(\w+)\((.*)\)\s+= (\S+)/.exec(text) ?? [];
    if (call === '' || result.startsWith('-1')) return;
    const path = /^\d+<([^>]*)>/.exec(args)?.[1] ?? '';
    const names = [...args.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name).filter((name) => this.#isInside(name));
    const [from = '', to = ''] = names;
    if (/^f(?:data)?sync$/.test(call)) this.#sync(path, at);
    else if (call.includes('write')) this.#write(call, path, args, at);
    else if (call.startsWith('rename')) this.#rename(from, to, at);
    else if (call === 'unlink' || call === 'unlinkat' || call === 'rmdir') this.#forget(from);
    else if (call.startsWith('mkdir') || args.includes('O_CREAT')) this.#make(from, at);
  }

  #isInside(path: string): boolean {
    return path.startsWith(`${this.#root}/`);
  }

  #make(path: string, at: number): void {
    if (path === '' || this.#known.has(path)) return;
    this.#known.add(path);
    this.#names.set(path, at);
  }

  #rename(from: string, to: string, at: number): void {
    const ranges = this.#ranges.get(from) ?? [];
    this.#forget(from);
    this.#ranges.set(to, ranges);
    this.#make(to, at);
  }

  #forget(path: string): void {
    this.#known.delete(path);
    this.#ranges.delete(path);
    this.#names.delete(path);
  }

  #write(call: string, path: string, args: string, at: number): void {
    if (!this.#isInside(path)) return;
    const [length, offset] = /(\d+), (\d+)$/.exec(args)?.slice(1).map(Number) ?? [];
    const isPlaced = call === 'pwrite64' && length !== undefined && offset !== undefined;
    const range = isPlaced ? { at, start: offset, end: offset + length } : { at, start: 0, end: Infinity };
    this.#ranges.set(path, [...(this.#ranges.get(path) ?? []), range]);
  }

  /** Covers what was written before the sync began. */
  #sync(path: string, at: number): void {
    const ranges = this.#ranges.get(path);
    if (ranges && this.#ignored !== 'syncs of files')
      this.#ranges.set(
        path,
        ranges.filter((range) => range.at > at),
      );
    if (this.#ignored === 'syncs of folders') return;
    for (const [name, madeAt] of this.#names) {
      if (dirname(name) === path && madeAt < at) this.#names.delete(name);
    }
  }
}
