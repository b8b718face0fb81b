import {
  closeSync,
  createReadStream,
  existsSync,
  fdatasync,
  open as openWithCallback,
  renameSync,
  rmSync,
  write,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { syncDescriptor, syncFolder } from '../../lib/durable.ts';
import type { FreshTarballs } from './fresh-tarballs.ts';
import { writeWhole } from '../../lib/write-whole.ts';
import { ContentHasher, digestsOf } from '../../registry/publish/content-hasher.ts';
import { joinChunks } from '../../lib/join-chunks.ts';
import type { TarballDigests, TarballWriter } from '../../registry/publish/tarball-port.ts';

/** Up to this size a tarball is held in memory until it is kept: one write, and no file for an upload that is refused. */
const heldInMemory = 256 * 1024;
/** Larger ones go to their file in blocks of about this size. */
const blockSize = 256 * 1024;
/** With the chunk that made one full. */
const largestBlock = 384 * 1024;
/** Blocks that may be on their way to the disk at the same time. */
const writesAtOnce = 4;
/** Bytes after which the disk is told to begin. */
const syncedAtOnce = 32 * 1024 * 1024;

/** What a writer needs to know of the store that it writes for. */
export interface WriterSurroundings {
  /** Where the bytes are until they are kept, if they need a file. */
  readonly temporary: string;
  /** Where a content belongs; makes its folder. */
  readonly targetOf: (sha512: string) => string;
  /** Where small contents may wait for their files. */
  readonly fresh: FreshTarballs | undefined;
  /** Whether `learn` will tell the digests. */
  readonly digestsFollow: boolean;
  /** Called once, when the writer has nothing more to do. */
  readonly onEnd: () => void;
}

/** A tarball on its way to the disk: small ones with the commit of their version, larger ones through a file of their own. */
export class DiskTarballWriter implements TarballWriter {
  readonly #store: WriterSurroundings;
  /** Of what is in memory no more. */
  #hasher: ContentHasher | undefined;
  #held: Buffer[] | undefined = [];
  #descriptor: number | undefined;
  #size = 0;
  #written = 0;
  #collected: Buffer[] = [];
  #collectedSize = 0;
  /** Writes under way, oldest first; a failure is told by the next call that waits for it. */
  readonly #writes: Promise<void>[] = [];
  /** Memory of blocks that were written. */
  readonly #spare: Buffer[] = [];
  #unsynced = 0;
  #syncing: Promise<void> | undefined;
  #digests: TarballDigests | undefined;
  #ended = false;

  constructor(store: WriterSurroundings) {
    this.#store = store;
  }

  get size(): number {
    return this.#size;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#size += chunk.length;
    if (this.#held) {
      this.#held.push(chunk);
      if (this.#size > heldInMemory) await this.#spill();
      return;
    }
    this.#hash(chunk);
    await this.#enqueue(chunk);
  }

  held(): Buffer | undefined {
    if (!this.#held) return undefined;
    const bytes = joinChunks(this.#held);
    this.#held = [bytes];
    return bytes;
  }

  async *written(): AsyncGenerator<Buffer> {
    if (this.#held) {
      yield* this.#held;
      return;
    }
    await this.#flush();
    await Promise.all(this.#writes);
    yield* createReadStream(this.#store.temporary, { highWaterMark: blockSize }) as AsyncIterable<Buffer>;
  }

  learn(digests: TarballDigests): void {
    this.#digests = digests;
  }

  digests(): TarballDigests {
    this.#digests ??= this.#hasher?.digests() ?? this.#digestsOfHeld();
    return this.#digests;
  }

  #digestsOfHeld(): TarballDigests {
    const bytes = this.held();
    if (!bytes) throw new Error('Nobody told the digests of this tarball.');
    return digestsOf(bytes);
  }

  #hash(chunk: Buffer): void {
    if (this.#store.digestsFollow) return;
    this.#hasher ??= new ContentHasher();
    this.#hasher.update(chunk);
  }

  async keep(): Promise<void> {
    await this.#spill();
    await this.#flush();
    await Promise.all(this.#writes);
    await this.#syncing;
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new Error('A tarball can be kept once, and not after it was discarded.');
    const target = this.#store.targetOf(this.digests().sha512);
    // A file that is there may be in use, so it is replaced only by one that is on disk; that heals a damaged one, too. A new
    // one is referred to by nobody until the commit, so it may be synced in its place, at the same time as its folder.
    if (existsSync(target)) await syncDescriptor(descriptor);
    renameSync(this.#store.temporary, target);
    this.#descriptor = undefined;
    try {
      await Promise.all([syncDescriptor(descriptor), syncFolder(dirname(target))]);
    } finally {
      closeSync(descriptor);
    }
  }

  async keepWithCommit(): Promise<() => void> {
    const { fresh } = this.#store;
    const { sha512 } = this.digests();
    const bytes = this.held();
    if (!bytes || !fresh?.takes(bytes.length)) {
      await this.keep();
      return () => undefined;
    }
    this.#held = undefined;
    // A file that is there already may be damaged: what waits is read in its place, and takes its place in the end.
    return () => fresh.put(sha512, bytes);
  }

  async discard(): Promise<void> {
    if (!this.#ended) this.#store.onEnd();
    this.#ended = true;
    this.#held = undefined;
    // The file must not be closed beneath a write, whatever became of that.
    await Promise.allSettled([...this.#writes, this.#syncing]);
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#store.temporary, { force: true });
  }

  /** Moves what is held in memory to the file. */
  async #spill(): Promise<void> {
    const held = this.held();
    if (!held) return;
    // Those that are known need not be worked out again.
    if (!this.#digests) this.#hash(held);
    this.#held = undefined;
    // Making a file may have to wait for the file system's journal, so it happens on another thread; writing a small one does not.
    const descriptor = await openFile(this.#store.temporary, 'wx', 0o644);
    this.#descriptor = descriptor;
    writeWhole(descriptor, held);
    this.#written = held.length;
  }

  /** Collects chunks and writes them block by block; one block is on its way to the disk while the next is collected. */
  async #enqueue(chunk: Buffer): Promise<void> {
    this.#collected.push(chunk);
    this.#collectedSize += chunk.length;
    if (this.#collectedSize >= blockSize) await this.#flush();
  }

  /** Starts to write what was collected; waits while too much is on its way already. */
  async #flush(): Promise<void> {
    const block = this.#joinCollected();
    this.#collected = [];
    this.#collectedSize = 0;
    while (this.#writes.length >= writesAtOnce) {
      await this.#writes[0];
      void this.#writes.shift();
    }
    if (block.length === 0) return;
    const descriptor = this.#descriptor;
    if (descriptor === undefined) throw new Error('A tarball takes no bytes after it was kept or discarded.');
    const write = this.#writeAt(descriptor, block, this.#written);
    write.catch(() => undefined);
    this.#writes.push(write);
    this.#written += block.length;
    this.#unsynced += block.length;
    if (this.#unsynced >= syncedAtOnce && !this.#syncing) this.#syncBehind(descriptor);
  }

  /** What was collected, in memory that an earlier block had. */
  #joinCollected(): Buffer {
    if (this.#collectedSize === 0 || this.#collectedSize > largestBlock) return joinChunks(this.#collected);
    const block = this.#spare.pop() ?? Buffer.allocUnsafeSlow(largestBlock);
    let filled = 0;
    for (const chunk of this.#collected) filled += chunk.copy(block, filled);
    return block.subarray(0, filled);
  }

  /** Has the disk begin with what is written, so that the last sync finds little left to do. */
  #syncBehind(descriptor: number): void {
    this.#unsynced = 0;
    // What it could not sync, the last one will tell of.
    this.#syncing = syncData(descriptor)
      .catch(() => undefined)
      .then(() => {
        this.#syncing = undefined;
      });
  }

  async #writeAt(descriptor: number, block: Buffer, at: number): Promise<void> {
    for (let offset = 0; offset < block.length;) {
      offset += await writeFile(descriptor, block, offset, block.length - offset, at + offset);
    }
    if (block.buffer.byteLength === largestBlock) this.#spare.push(Buffer.from(block.buffer));
  }
}

const syncData = promisify(fdatasync);
const openFile = promisify(openWithCallback);

function writeFile(descriptor: number, bytes: Buffer, offset: number, length: number, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, offset, length, at, (error, written) => (error ? reject(error) : resolve(written)));
  });
}
