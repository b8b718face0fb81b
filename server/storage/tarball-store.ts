import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import type { ReadStream } from 'node:fs';
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TarballDigests, TarballStore, TarballWriter } from '../packages/tarball-port.ts';

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

  async create(): Promise<TarballWriter> {
    const file = join(this.#temporary, `${randomUUID()}.part`);
    const handle = await open(file, 'wx', 0o644);
    return new DiskTarballWriter(handle, file, (sha512) => this.#place(file, sha512));
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
      for (const rest of await readdir(join(this.#root, folder.name))) {
        if (isDigest(folder.name + rest)) yield folder.name + rest;
      }
    }
  }

  pathOf(sha512: string): string {
    return join(this.#root, sha512.slice(0, 2), sha512.slice(2));
  }

  async #place(file: string, sha512: string): Promise<void> {
    const target = this.pathOf(sha512);
    const folder = dirname(target);
    if (!this.#knownFolders.has(folder)) {
      await mkdir(folder, { recursive: true });
      await syncFolder(this.#root);
      this.#knownFolders.add(folder);
    }
    // An equal content that is there already is replaced by the same bytes, which also heals a damaged one.
    try {
      await rename(file, target);
    } catch (error) {
      if (!isMissing(error)) throw error;
      // Somebody took the folder away since it was made.
      await mkdir(folder, { recursive: true });
      await rename(file, target);
    }
    await syncFolder(folder);
  }
}

class DiskTarballWriter implements TarballWriter {
  readonly #handle: FileHandle;
  readonly #file: string;
  readonly #place: (sha512: string) => Promise<void>;
  readonly #sha512 = createHash('sha512');
  readonly #sha1 = createHash('sha1');
  #size = 0;
  #digests: TarballDigests | undefined;
  #closed = false;

  constructor(handle: FileHandle, file: string, place: (sha512: string) => Promise<void>) {
    this.#handle = handle;
    this.#file = file;
    this.#place = place;
  }

  get size(): number {
    return this.#size;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#sha512.update(chunk);
    this.#sha1.update(chunk);
    let offset = 0;
    while (offset < chunk.length) {
      const { bytesWritten } = await this.#handle.write(chunk, offset, chunk.length - offset, this.#size + offset);
      offset += bytesWritten;
    }
    this.#size += chunk.length;
  }

  digests(): TarballDigests {
    this.#digests ??= {
      sha512: this.#sha512.digest('hex'),
      sha1: this.#sha1.digest('hex'),
      size: this.#size,
    };
    return this.#digests;
  }

  readBack(): ReadStream {
    return createReadStream(this.#file);
  }

  async keep(): Promise<void> {
    await this.#handle.sync();
    await this.#close();
    await this.#place(this.digests().sha512);
  }

  async discard(): Promise<void> {
    try {
      await this.#close();
    } finally {
      await rm(this.#file, { force: true });
    }
  }

  async #close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#handle.close();
  }
}

/** Whether a name is that of a content: a SHA-512 in lower-case hex. */
export function isDigest(name: string): boolean {
  return /^[0-9a-f]{128}$/.test(name);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** A rename is durable only when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
