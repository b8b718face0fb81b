import { closeSync, existsSync, fdatasyncSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncFolder } from '../../../lib/durable.ts';

/** Bytes in front of what an entry holds: mark, length, number, checksum, token. */
export const headerSize = 32;
const mark = 0x67_68_63_6c;
const tokenSize = 16;
const places = { mark: 0, length: 4, number: 8, checksum: 12, token: 16 } as const;

/** Size of the file, which never changes: what is written in place needs no note in the file system. */
export const logSize = 8 * 1024 * 1024;
/** Entries begin at blocks of their own, so that writing one can't harm what is on disk already. */
const blockSize = 4096;

/**
 * The file of a commit log: entries one behind the other from its beginning, each on disk when `append` returns. An entry counts if it carries the
 * token that the database knows, the number that is due, and a checksum that fits; so the rest of an earlier round, an entry that was cut
 * off, and the log of another state of the database are all nothing.
 */
export class LogFile {
  readonly #file: string;
  #descriptor: number | undefined;
  #token = Buffer.alloc(tokenSize);
  #position = 0;
  #number = 0;

  constructor(file: string) {
    this.#file = file;
  }

  get isOpen(): boolean {
    return this.#descriptor !== undefined;
  }

  /** Makes the file at its full size. Resolves when it is on disk and can be written to; leaves nothing behind if it fails. */
  async make(): Promise<void> {
    try {
      await writeFile(this.#file, Buffer.alloc(logSize), { mode: 0o600, flush: true });
      await syncFolder(dirname(this.#file));
      this.#descriptor = openSync(this.#file, 'r+');
    } catch (error) {
      this.remove();
      throw error;
    }
  }

  /** Begins anew at the front; `token` is 32 hexadecimal digits that the database has on disk. */
  restart(token: string): void {
    this.#token = Buffer.from(token, 'hex');
    this.#position = 0;
    this.#number = 0;
  }

  /** Whether an entry of so many bytes, header and all, still has room. */
  fits(size: number): boolean {
    return this.#position + toBlocks(size) <= logSize;
  }

  /**
   * Writes an entry and returns when it is on disk.
   * @param entry bytes with room for the header in front; it is filled in here
   */
  append(entry: Buffer): void {
    if (this.#descriptor === undefined) throw new Error('The commit log is not open.');
    entry.writeUInt32LE(mark, places.mark);
    entry.writeUInt32LE(entry.length - headerSize, places.length);
    entry.writeUInt32LE(this.#number, places.number);
    this.#token.copy(entry, places.token);
    entry.writeUInt32LE(checksumOf(entry), places.checksum);
    let written = 0;
    while (written < entry.length) {
      written += writeSync(this.#descriptor, entry, written, entry.length - written, this.#position + written);
    }
    fdatasyncSync(this.#descriptor);
    this.#position += toBlocks(entry.length);
    this.#number += 1;
  }

  /** Takes the mark from an entry that could not be appended, as far as that is possible: it may be there in spite of it. */
  spoilNext(): void {
    try {
      if (this.#descriptor !== undefined)
        writeSync(this.#descriptor, Buffer.alloc(headerSize), 0, headerSize, this.#position);
    } catch {
      // A commit will see to it.
    }
  }

  /** What the entries hold that were appended since `restart`. @throws Error if one of them cannot be read */
  *entries(): Generator<Buffer> {
    if (this.#descriptor === undefined) return;
    let count = 0;
    for (const entry of entriesIn(this.#descriptor, this.#token)) {
      // One whose `append` failed may be there in spite of it.
      if (count === this.#number) return;
      count += 1;
      yield entry;
    }
    if (count < this.#number) throw new Error('The commit log cannot be read back.');
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Takes the file away, when nothing in it counts any more. */
  remove(): void {
    this.close();
    rmSync(this.#file, { force: true });
  }
}

/** What the entries of a log file hold that carry this token; none if there is no such file. */
export function* readEntries(file: string, token: string): Generator<Buffer> {
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r');
  try {
    yield* entriesIn(descriptor, Buffer.from(token, 'hex'));
  } finally {
    closeSync(descriptor);
  }
}

function* entriesIn(descriptor: number, token: Buffer): Generator<Buffer> {
  const { size } = fstatSync(descriptor);
  let position = 0;
  for (let number = 0; position + headerSize <= size; number += 1) {
    const header = readAt(descriptor, position, headerSize);
    const length = header.readUInt32LE(places.length);
    const isOurs =
      header.readUInt32LE(places.mark) === mark &&
      header.readUInt32LE(places.number) === number &&
      token.equals(header.subarray(places.token, places.token + tokenSize)) &&
      position + headerSize + length <= size;
    if (!isOurs) return;
    const entry = readAt(descriptor, position, headerSize + length);
    if (entry.length < headerSize + length || checksumOf(entry) !== header.readUInt32LE(places.checksum)) return;
    yield entry.subarray(headerSize);
    position += toBlocks(entry.length);
  }
}

function readAt(descriptor: number, position: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let read = 0;
  while (read < size) {
    const got = readSync(descriptor, bytes, read, size - read, position + read);
    if (got === 0) break;
    read += got;
  }
  return bytes.subarray(0, read);
}

/** Over everything but the checksum itself. */
function checksumOf(entry: Buffer): number {
  const front = crc32(entry.subarray(0, places.checksum));
  return crc32(entry.subarray(places.token), front);
}

function toBlocks(size: number): number {
  return Math.ceil(size / blockSize) * blockSize;
}
