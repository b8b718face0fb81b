import type { Readable } from 'node:stream';

/** Digests in lower-case hex and the size in bytes of one tarball. */
export interface TarballDigests {
  readonly sha512: string;
  readonly sha1: string;
  readonly size: number;
}

/** A tarball on its way in. Until it is kept nobody else can see it; `discard` ends it in any case. */
export interface TarballWriter {
  readonly size: number;
  /** Appends bytes; resolves when it can take more. */
  write(chunk: Buffer): Promise<void>;
  /** All that was written, while it is in memory as a whole: a small tarball that is neither kept nor discarded. */
  held(): Buffer | undefined;
  /** Reads back all that was written. */
  written(): AsyncIterable<Buffer>;
  /** Takes the digests of what was written from somebody who worked them out already. */
  learn(digests: TarballDigests): void;
  /** Of all that was written; nothing may be written afterwards. */
  digests(): TarballDigests;
  /** Resolves when the bytes are on disk under their digest. */
  keep(): Promise<void>;
  /**
   * As `keep`, for bytes that a unit of work is about to refer to: what it answers must be called inside that unit, and adds to the
   * commit what has no file of its own yet.
   */
  keepWithCommit(): Promise<() => void>;
  /** Leaves nothing behind; does nothing to what was kept. */
  discard(): Promise<void>;
}

/** A tarball that is open for reading. */
export interface TarballFile {
  readonly size: number;
  /** Fills the start of `buffer` with at most `length` bytes from `position`; answers how many it got. */
  read(buffer: Buffer, length: number, position: number): Promise<number>;
  close(): Promise<void>;
}

/** Where tarballs live; keys are SHA-512 in lower-case hex. */
export interface TarballStore {
  /** How many tarballs are on their way in. */
  readonly uploads: number;
  /** @param digestsFollow whether somebody else works out the digests, and tells them by `learn` */
  create(digestsFollow?: boolean): TarballWriter;
  /** Bytes of a kept tarball; `end` is inclusive. The stream fails with ENOENT if the file is gone. */
  open(sha512: string, range?: { start: number; end: number }): Readable;
  /** Opens a content for reading at any place; undefined if it is not there. Whoever opens it closes it. */
  openFile(sha512: string): Promise<TarballFile | undefined>;
  /** The whole content at once; undefined if it is not there. For small ones. */
  read(sha512: string): Promise<Buffer | undefined>;
  /** Size in bytes of the file that is there, or undefined. */
  sizeOf(sha512: string): Promise<number | undefined>;
  /** Takes a content away at once; does nothing if it is not there. */
  remove(sha512: string): void;
  list(): AsyncIterable<string>;
}
