import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { mkdir, open, readFile, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { syncDescriptor, syncFolder, syncFolderNow } from '../../lib/durable.ts';
import type { FreshTarball, FreshTarballs } from './fresh-tarballs.ts';
import { DiskTarballWriter } from './tarball-writer.ts';
import { writeWhole } from '../../lib/write-whole.ts';
import type { TarballFile, TarballStore, TarballWriter } from '../../registry/publish/tarball-port.ts';

/** Bytes read at a time for a download: large enough that turns of the event loop do not count. */
const readSize = 256 * 1024;
/** Files that are made in one turn of the event loop. */
const placedAtOnce = 8;

/**
 * Tarballs on disk, each under the SHA-512 of its content: `tarballs/ab/cdef…`. A file appears under its name only when it is
 * whole, so a reader never meets half of one, and equal contents are kept once. Small ones come by way of the database
 * (`FreshTarballs`) and are read there until their files are on disk.
 */
export class DiskTarballStore implements TarballStore {
  readonly #root: string;
  readonly #temporary: string;
  readonly #fresh: FreshTarballs | undefined;
  readonly #knownFolders = new Set<string>();
  #uploads = 0;

  /** @param fresh where small contents wait for their files; without it each gets its file at once */
  constructor(root: string, temporary: string, fresh?: FreshTarballs) {
    this.#root = root;
    this.#temporary = temporary;
    this.#fresh = fresh;
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

  /** How many tarballs are on their way in. */
  get uploads(): number {
    return this.#uploads;
  }

  create(digestsFollow = false): TarballWriter {
    this.#uploads += 1;
    return new DiskTarballWriter({
      temporary: join(this.#temporary, `${randomUUID()}.part`),
      targetOf: (sha512) => this.#targetOf(sha512),
      fresh: this.#fresh,
      digestsFollow,
      onEnd: () => {
        this.#uploads -= 1;
      },
    });
  }

  open(sha512: string, range?: { start: number; end: number }): Readable {
    const fresh = this.#fresh?.read(sha512);
    if (!fresh) return createReadStream(this.pathOf(sha512), { ...range, highWaterMark: readSize });
    return Readable.from([range ? fresh.subarray(range.start, range.end + 1) : fresh], { objectMode: false });
  }

  async read(sha512: string): Promise<Buffer | undefined> {
    return this.#fresh?.read(sha512) ?? unlessMissing(readFile(this.pathOf(sha512)));
  }

  async openFile(sha512: string): Promise<TarballFile | undefined> {
    const fresh = this.#fresh?.read(sha512);
    if (fresh) return openBuffer(fresh);
    const handle = await unlessMissing<FileHandle>(open(this.pathOf(sha512), 'r'));
    if (!handle) return undefined;
    const { size } = await handle.stat();
    return {
      size,
      read: async (buffer, length, position) => (await handle.read(buffer, 0, length, position)).bytesRead,
      close: () => handle.close(),
    };
  }

  async sizeOf(sha512: string): Promise<number | undefined> {
    const fresh = this.#fresh?.read(sha512);
    if (fresh) return fresh.length;
    return stat(this.pathOf(sha512)).then(
      ({ size }) => size,
      () => undefined,
    );
  }

  /** Whether the content waits for its file. */
  waits(sha512: string): boolean {
    return this.#fresh?.read(sha512) !== undefined;
  }

  /**
   * Puts contents into their files; resolves when files and folders are on disk. For contents that wait and that nobody takes away
   * meanwhile: until they wait no more, what is in their files counts for nothing.
   */
  async placeAll(contents: readonly FreshTarball[]): Promise<void> {
    const folders = new Set<string>();
    for (let first = 0; first < contents.length; first += placedAtOnce) {
      // No turn of the event loop between the making of a file and its name, so that a kill leaves no half ones; then all syncs at once.
      const descriptors: number[] = [];
      try {
        for (const { sha512, bytes } of contents.slice(first, first + placedAtOnce)) {
          const target = this.#targetOf(sha512);
          descriptors.push(this.#place(bytes, target));
          folders.add(dirname(target));
        }
        await Promise.all(descriptors.map(syncDescriptor));
      } finally {
        for (const descriptor of descriptors) closeSync(descriptor);
      }
    }
    await Promise.all([...folders].map(syncFolder));
  }

  /** Answers the descriptor of the file, which is not on disk yet. */
  #place(bytes: Buffer, target: string): number {
    const temporary = join(this.#temporary, `${randomUUID()}.part`);
    const descriptor = openSync(temporary, 'wx', 0o644);
    try {
      writeWhole(descriptor, bytes);
      renameSync(temporary, target);
      return descriptor;
    } catch (error) {
      closeSync(descriptor);
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  /** Whether the content has its file. */
  hasFile(sha512: string): boolean {
    return existsSync(this.pathOf(sha512));
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

/** Whether a name is that of a content: a SHA-512 in lower-case hex. */
export function isDigest(name: string): boolean {
  return /^[0-9a-f]{128}$/.test(name);
}

/** A content in memory, as if it were a file. */
function openBuffer(bytes: Buffer): TarballFile {
  return {
    size: bytes.length,
    read: (buffer, length, position) => Promise.resolve(bytes.copy(buffer, 0, position, position + length)),
    close: () => Promise.resolve(),
  };
}

async function unlessMissing<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
