import { randomUUID } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, readFile, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { syncFolder, syncFolderNow } from '../../lib/durable.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import type { TarballFile, TarballStore, TarballWriter } from '../../registry/publish/tarball-store.ts';
import { DiskTarballWriter } from './tarball-writer.ts';

/** Bytes read at a time for a download. */
const readSize = 256 * 1024;

/**
 * Tarballs on disk, each under the SHA-512 of its content: `tarballs/ab/cdef…`. A file appears under its name only when it is whole, and
 * equal contents are stored once.
 */
export class DiskTarballStore implements TarballStore {
  readonly #root: string;
  readonly #temporary: string;
  /** Names of those of the 256 folders that were there before their parent was synced. */
  readonly #durableFolders = new Set<string>();

  constructor(root: string, temporary: string) {
    this.#root = root;
    this.#temporary = temporary;
  }

  /**
   * Makes the 256 folders that tarballs are spread over, so that no publish has to wait for one. Meant to run beside everything else:
   * a folder that is needed before is made there and then.
   */
  async prepare(): Promise<void> {
    if (!existsSync(join(this.#root, 'ff'))) {
      for (let number = 0; number < 256; number += 1) {
        await mkdir(join(this.#root, number.toString(16).padStart(2, '0')), { recursive: true, mode: 0o700 });
      }
    }
    // Synced also if they are there: a server that was killed may have made them and not got to this.
    const names = await readdir(this.#root);
    await syncFolder(this.#root);
    this.#noteDurable(names);
  }

  create(): TarballWriter {
    return new DiskTarballWriter({
      temporary: this.temporaryFile(),
      targetOf: (sha512) => this.targetOf(sha512),
    });
  }

  open(sha512: string, range?: { start: number; end: number }): Readable {
    return createReadStream(this.pathOf(sha512), { ...range, highWaterMark: readSize });
  }

  read(sha512: string): Promise<Buffer | undefined> {
    return unlessMissing(readFile(this.pathOf(sha512)));
  }

  async openFile(sha512: string): Promise<TarballFile | undefined> {
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
    return stat(this.pathOf(sha512)).then(
      ({ size }) => size,
      () => undefined,
    );
  }

  /** When the file of a content was written, in milliseconds since 1970; undefined if there is none. */
  writtenAt(sha512: string): number | undefined {
    return statSync(this.pathOf(sha512), { throwIfNoEntry: false })?.mtimeMs;
  }

  remove(sha512: string): void {
    // Synchronous, so that nothing can come between the decision to remove and the removal.
    rmSync(this.pathOf(sha512), { force: true });
  }

  async *list(): AsyncGenerator<string> {
    for (const folder of await readdir(this.#root, { withFileTypes: true })) {
      // Foreign files are for doctor to report.
      if (!folder.isDirectory() || folder.name.length !== 2) continue;
      for (const rest of await readdir(join(this.#root, folder.name))) {
        if (isDigest(folder.name + rest)) yield folder.name + rest;
      }
    }
  }

  pathOf(sha512: string): string {
    return join(this.#root, sha512.slice(0, 2), sha512.slice(2));
  }

  /** A name for a file on its way in; the folder is emptied at every start. */
  temporaryFile(): string {
    return join(this.#temporary, `${randomUUID()}.part`);
  }

  /** As `pathOf`; the folder is there and durable. */
  targetOf(sha512: string): string {
    const target = this.pathOf(sha512);
    if (!this.#durableFolders.has(sha512.slice(0, 2))) this.#makeDurable(dirname(target));
    return target;
  }

  /** A folder that is there may be one that `prepare` made a moment ago and has not synced. */
  #makeDurable(folder: string): void {
    // Not with Node's recursive `mkdir`, which says of a read-only file system that something is missing.
    makeFolders(folder);
    const names = readdirSync(this.#root);
    syncFolderNow(this.#root);
    this.#noteDurable(names);
  }

  #noteDurable(names: readonly string[]): void {
    for (const name of names) this.#durableFolders.add(name);
  }
}

/** Whether a name is that of a content: a SHA-512 in lower-case hex. */
export function isDigest(name: string): boolean {
  return /^[0-9a-f]{128}$/.test(name);
}

async function unlessMissing<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
