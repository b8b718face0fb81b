import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  fsync,
  mkdirSync,
  open as openWithCallback,
  renameSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs';
import type { ReadStream } from 'node:fs';
import { mkdir, open, readFile, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { syncFolder, syncFolderNow } from './durable.ts';
import type { TarballDigests, TarballFile, TarballStore, TarballWriter } from '../packages/tarball-port.ts';

/** Bytes read at a time for a download: large enough that turns of the event loop do not count. */
const readSize = 256 * 1024;

/**
 * Tarballs on disk, each under the SHA-512 of its content: `tarballs/ab/cdef…`. A file appears under its name only when it is
 * whole and on disk, so a reader never meets half of one, and equal contents are kept once.
 */
export class DiskTarballStore implements TarballStore {
  readonly #root: string;
  readonly #temporary: string;
  readonly #knownFolders = new Set<string>();

  constructor(root: string, temporary: string) {
    this.#root = root;
    this.#temporary = temporary;
  }

  /**
   * Makes the 256 folders that tarballs are spread over, so that no publish has to wait for one. Meant to run beside everything else:
   * a folder that is needed before is made there and then.
   */
  async prepare(): Promise<void> {
    if (existsSync(join(this.#root, 'ff'))) return;
    for (let number = 0; number < 256; number += 1) {
      await mkdir(join(this.#root, number.toString(16).padStart(2, '0')), { recursive: true });
    }
    await syncFolder(this.#root);
  }

  create(): TarballWriter {
    return new DiskTarballWriter(join(this.#temporary, `${randomUUID()}.part`), (sha512) => this.#targetOf(sha512));
  }

  open(sha512: string, range?: { start: number; end: number }): ReadStream {
    return createReadStream(this.pathOf(sha512), { ...range, highWaterMark: readSize });
  }

  async read(sha512: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.pathOf(sha512));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async openFile(sha512: string): Promise<TarballFile | undefined> {
    let handle: FileHandle;
    try {
      handle = await open(this.pathOf(sha512), 'r');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    const { size } = await handle.stat();
    return {
      size,
      read: async (buffer, length, position) => (await handle.read(buffer, 0, length, position)).bytesRead,
      close: () => handle.close(),
    };
  }

  async sizeOf(sha512: string): Promise<number | undefined> {
    try {
      return (await stat(this.pathOf(sha512))).size;
    } catch {
      return undefined;
    }
  }

  remove(sha512: string): void {
    // Synchronous, so that nothing can come between the decision to remove and the removal.
    rmSync(this.pathOf(sha512), { force: true });
  }

  async *list(): AsyncGenerator<string> {
    for (const folder of await readdir(this.#root, { withFileTypes: true })) {
      // What somebody else put here is for doctor to tell of.
      if (!folder.isDirectory() || folder.name.length !== 2) continue;
      // Every start does this 256 times; `join` walks through each character, and would grow hot enough to be compiled anew.
      for (const rest of await readdir(`${this.#root}/${folder.name}`)) {
        if (isDigest(folder.name + rest)) yield folder.name + rest;
      }
    }
  }

  pathOf(sha512: string): string {
    return join(this.#root, sha512.slice(0, 2), sha512.slice(2));
  }

  /** Where a content belongs; its folder is there and durable. */
  #targetOf(sha512: string): string {
    const target = this.pathOf(sha512);
    const folder = dirname(target);
    if (!this.#knownFolders.has(folder)) {
      if (mkdirSync(folder, { recursive: true }) !== undefined) syncFolderNow(this.#root);
      this.#knownFolders.add(folder);
    }
    return target;
  }
}

/** Up to this size a tarball is held in memory until it is kept: one write, and no file for an upload that is refused. */
const heldInMemory = 256 * 1024;
/** Larger ones go to their file in blocks of about this size. */
const blockSize = 256 * 1024;

class DiskTarballWriter implements TarballWriter {
  readonly #file: string;
  readonly #targetOf: (sha512: string) => string;
  readonly #sha512 = createHash('sha512');
  readonly #sha1 = createHash('sha1');
  #held: Buffer[] | undefined = [];
  #descriptor: number | undefined;
  #size = 0;
  #written = 0;
  #collected: Buffer[] = [];
  #collectedSize = 0;
  #writing: Promise<void> = Promise.resolve();
  #digests: TarballDigests | undefined;

  constructor(file: string, targetOf: (sha512: string) => string) {
    this.#file = file;
    this.#targetOf = targetOf;
  }

  get size(): number {
    return this.#size;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#sha512.update(chunk);
    this.#sha1.update(chunk);
    this.#size += chunk.length;
    if (this.#held) {
      this.#held.push(chunk);
      if (this.#size > heldInMemory) await this.#spill();
    } else await this.#enqueue(chunk);
  }

  digests(): TarballDigests {
    this.#digests ??= { sha512: this.#sha512.digest('hex'), sha1: this.#sha1.digest('hex'), size: this.#size };
    return this.#digests;
  }

  async keep(): Promise<void> {
    await this.#spill();
    await this.#flush();
    await this.#writing;
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new Error('A tarball can be kept once, and not after it was discarded.');
    const target = this.#targetOf(this.digests().sha512);
    // A file that is there may be in use, so it is replaced only by one that is on disk; that heals a damaged one, too. A new
    // one is referred to by nobody until the commit, so it may be synced in its place, at the same time as its folder.
    if (existsSync(target)) await fsyncFile(descriptor);
    renameSync(this.#file, target);
    this.#descriptor = undefined;
    try {
      await Promise.all([fsyncFile(descriptor), syncFolder(dirname(target))]);
    } finally {
      closeSync(descriptor);
    }
  }

  async discard(): Promise<void> {
    this.#held = undefined;
    // The file must not be closed beneath a write, whatever became of that.
    await this.#writing.catch(() => undefined);
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#file, { force: true });
  }

  /** Moves what is held in memory to the file. */
  async #spill(): Promise<void> {
    if (!this.#held) return;
    const held = Buffer.concat(this.#held);
    this.#held = undefined;
    // Making a file may have to wait for the file system's journal, so it happens on another thread; writing a small one does not.
    const descriptor = await openFile(this.#file, 'wx', 0o644);
    this.#descriptor = descriptor;
    for (let offset = 0; offset < held.length;) offset += writeSync(descriptor, held, offset);
    this.#written = held.length;
  }

  /** Collects chunks and writes them block by block; one block is on its way to the disk while the next is collected. */
  async #enqueue(chunk: Buffer): Promise<void> {
    this.#collected.push(chunk);
    this.#collectedSize += chunk.length;
    if (this.#collectedSize >= blockSize) await this.#flush();
  }

  /** Starts to write what was collected, once the block before it is written. */
  async #flush(): Promise<void> {
    const block = Buffer.concat(this.#collected);
    this.#collected = [];
    this.#collectedSize = 0;
    await this.#writing;
    if (block.length === 0) return;
    this.#writing = this.#append(block);
    // A failure is told by the next call that waits for it.
    this.#writing.catch(() => undefined);
  }

  async #append(chunk: Buffer): Promise<void> {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new Error('A tarball takes no bytes after it was kept or discarded.');
    for (let offset = 0; offset < chunk.length;) {
      offset += await writeFile(descriptor, chunk, offset, chunk.length - offset, this.#written + offset);
    }
    this.#written += chunk.length;
  }
}

const fsyncFile = promisify(fsync);
const openFile = promisify(openWithCallback);

function writeFile(descriptor: number, bytes: Buffer, offset: number, length: number, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, offset, length, at, (error, written) => (error ? reject(error) : resolve(written)));
  });
}

/** Whether a name is that of a content: a SHA-512 in lower-case hex. */
export function isDigest(name: string): boolean {
  return /^[0-9a-f]{128}$/.test(name);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
