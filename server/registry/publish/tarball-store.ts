import type { Readable } from 'node:stream';

/** Digests in lower-case hex and the size in bytes of one tarball. */
export interface TarballDigests {
  readonly sha512: string;
  readonly sha1: string;
  readonly size: number;
}

/** A tarball on its way in. Until it is kept no reader can see it; `discard` ends it in any case. */
export interface TarballWriter {
  readonly size: number;
  /** Appends bytes; resolves when it can take more. */
  write(chunk: Buffer): Promise<void>;
  /** Of all that was written; nothing may be written afterwards. */
  digests(): TarballDigests;
  /** Resolves when the bytes are on disk under their digest. */
  keep(): Promise<void>;
  /** Deletes what was written; a tarball that was kept stays. */
  discard(): Promise<void>;
}

/** A tarball that is open for reading. */
export interface TarballFile {
  readonly size: number;
  /** Fills the start of `buffer` with at most `length` bytes from `position`; returns how many it got. */
  read(buffer: Buffer, length: number, position: number): Promise<number>;
  close(): Promise<void>;
}

/** Where tarballs live; keys are SHA-512 in lower-case hex. */
export interface TarballStore {
  create(): TarballWriter;
  /** Bytes of a kept tarball; `end` is inclusive. The stream fails with ENOENT if the file is gone. */
  open(sha512: string, range?: { start: number; end: number }): Readable;
  /** Opens a content for reading at any place; undefined if it is not there. The caller closes it. */
  openFile(sha512: string): Promise<TarballFile | undefined>;
  /** The whole content at once; undefined if it is not there. For small ones. */
  read(sha512: string): Promise<Buffer | undefined>;
  /** Size in bytes of the file that is there, or undefined. */
  sizeOf(sha512: string): Promise<number | undefined>;
  /** Deletes a content at once; does nothing if it is not there. */
  remove(sha512: string): void;
  list(): AsyncIterable<string>;
  /** The absolute path of the file of a content. */
  pathOf(sha512: string): string;
}
