import { closeSync, existsSync, open as openWithCallback, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { syncDescriptor, syncFolder } from '../../lib/durable.ts';
import { joinChunks } from '../../lib/join-chunks.ts';
import { ContentHasher, digestsOf } from '../../registry/publish/content-hasher.ts';
import type { TarballDigests, TarballWriter } from '../../registry/publish/tarball-store.ts';

const openFile = promisify(openWithCallback);

/** Up to this size a tarball is held in memory until it is kept: one write, and no file for an upload that is refused. */
const heldInMemory = 256 * 1024;
/** Larger ones go to their file in blocks of about this size. */
const blockSize = 256 * 1024;
/** Bytes after which they are synced, so that neither the last sync nor the commit of another publish has much to wait for. */
const syncSize = 16 * 1024 * 1024;

/** What a writer needs to know of the store that it writes for. */
export interface WriterPaths {
  /** Where the bytes are until they are kept, if they need a file. */
  readonly temporary: string;
  /** Where a content belongs; its folder is there. */
  readonly targetOf: (sha512: string) => string;
}

/** A tarball on its way to the disk: a small one is written as a whole once it is kept, a larger one while it arrives. */
export class DiskTarballWriter implements TarballWriter {
  readonly #paths: WriterPaths;
  #held: Buffer[] | undefined = [];
  #size = 0;
  #digests: TarballDigests | undefined;
  /** Of what is in memory no more. */
  #hasher: ContentHasher | undefined;
  #handle: FileHandle | undefined;
  #block: Buffer[] = [];
  #blockLength = 0;
  #unsynced = 0;
  /** The block on its way to the disk while the next one is collected. */
  #writing: Promise<void> = Promise.resolve();

  constructor(paths: WriterPaths) {
    this.#paths = paths;
  }

  get size(): number {
    return this.#size;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#size += chunk.length;
    if (this.#held) {
      this.#held.push(chunk);
      if (this.#size > heldInMemory) await this.#spill(this.#held);
      return;
    }
    await this.#append(chunk);
  }

  digests(): TarballDigests {
    this.#digests ??= this.#held ? digestsOf(this.#join(this.#held)) : this.#hasher?.digests();
    if (!this.#digests) throw new Error('This tarball was discarded.');
    return this.#digests;
  }

  async keep(): Promise<void> {
    const target = this.#paths.targetOf(this.digests().sha512);
    if (this.#held) {
      const bytes = this.#join(this.#held);
      this.#held = undefined;
      await keepBytes(bytes, this.#paths.temporary, target);
      return;
    }
    await this.#flush();
    await this.#writing;
    const handle = this.#handle;
    if (!handle) throw new Error('A tarball can be kept once, and not after it was discarded.');
    await putInPlace(handle.fd, this.#paths.temporary, target);
    this.#handle = undefined;
    await handle.close();
  }

  async discard(): Promise<void> {
    this.#held = undefined;
    this.#block = [];
    // The file must not be closed beneath a write.
    await this.#writing.catch(() => undefined);
    const handle = this.#handle;
    if (!handle) return;
    this.#handle = undefined;
    await handle.close();
    rmSync(this.#paths.temporary, { force: true });
  }

  #join(held: Buffer[]): Buffer {
    const bytes = joinChunks(held);
    this.#held = [bytes];
    return bytes;
  }

  /** Moves what is held in memory to a file. */
  async #spill(held: readonly Buffer[]): Promise<void> {
    this.#held = undefined;
    this.#hasher = new ContentHasher();
    this.#handle = await open(this.#paths.temporary, 'wx', 0o600);
    for (const chunk of held) await this.#append(chunk);
  }

  async #append(chunk: Buffer): Promise<void> {
    this.#hasher?.update(chunk);
    this.#block.push(chunk);
    this.#blockLength += chunk.length;
    if (this.#blockLength >= blockSize) await this.#flush();
  }

  /** Starts to write the block that was collected, once the one before is written. */
  async #flush(): Promise<void> {
    const block = this.#block;
    const length = this.#blockLength;
    this.#block = [];
    this.#blockLength = 0;
    await this.#writing;
    const handle = this.#handle;
    if (!handle) throw new Error('A tarball takes no bytes after it was kept or discarded.');
    this.#writing = this.#writeBlock(handle, block, length);
    // Reported by the next call that waits for it.
    this.#writing.catch(() => undefined);
  }

  async #writeBlock(handle: FileHandle, block: readonly Buffer[], length: number): Promise<void> {
    const { bytesWritten } = await handle.writev(block);
    if (bytesWritten < length) await handle.appendFile(joinChunks(block).subarray(bytesWritten));
    this.#unsynced += length;
    if (this.#unsynced < syncSize) return;
    this.#unsynced = 0;
    await handle.datasync();
  }
}

/**
 * Writes a whole content to its place; resolves when it is on disk there.
 * @param temporary where the bytes are until the file is whole, if there is a file in that place
 */
export async function keepBytes(bytes: Buffer, temporary: string, target: string): Promise<void> {
  // Nothing refers to a new file before the commit, so it is made in its place: no second name to make, sync and remove.
  const inPlace = await createFile(target);
  if (inPlace !== undefined) return writeAndSync(inPlace, bytes, () => syncFolder(dirname(target)));
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    await writeAndSync(descriptor, bytes);
    renameSync(temporary, target);
    await syncFolder(dirname(target));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Makes a file; undefined if there is one. On another thread: a file system may look for a free inode for milliseconds. */
async function createFile(file: string): Promise<number | undefined> {
  try {
    return await openFile(file, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

/** Synchronous writing, as a small file is in the page cache sooner than another thread is awake; only the syncs wait for the disk. */
async function writeAndSync(descriptor: number, bytes: Buffer, alongside?: () => Promise<void>): Promise<void> {
  try {
    writeWhole(descriptor, bytes);
    await Promise.all([syncDescriptor(descriptor), alongside?.()]);
  } finally {
    closeSync(descriptor);
  }
}

async function putInPlace(descriptor: number, temporary: string, target: string): Promise<void> {
  // A file that is there may be in use, so only one that is on disk replaces it. It is replaced in any case: nothing says that it is whole.
  if (existsSync(target)) await syncDescriptor(descriptor);
  renameSync(temporary, target);
  // Nothing refers to a new file before the commit, so it can be synced in its place, together with its folder.
  await Promise.all([syncDescriptor(descriptor), syncFolder(dirname(target))]);
}

/** Writes all of `bytes` where the file stands: one call may take less than it is given. */
function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length;) offset += writeSync(descriptor, bytes, offset);
}
