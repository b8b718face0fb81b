import type { Readable } from 'node:stream';

/** Bytes of a download that ended that stay in memory for its readers. */
const keptAfterwards = 2 * 1024 * 1024;
/** Bytes of one download under way that stay in memory for its readers. */
const window = 8 * 1024 * 1024;

/**
 * A tarball on its way from another registry to the disk, with any number of clients reading along. Each reads at its own pace; one that
 * falls behind the window, or starts late, continues from the disk once the tarball is stored. The last chunk is withheld until the
 * whole is verified, so that no client ever has a complete tarball with wrong bytes.
 */
export class TarballDownload {
  /** Content-Length of the upstream's response, if it has one. */
  readonly size: number | null;
  /** The SHA-512 of the stored tarball; rejects if the download fails. */
  readonly stored: Promise<string>;
  readonly #openStored: (sha512: string, start: number) => Readable;
  #chunks: Buffer[] = [];
  /** Offset of the first chunk in memory. */
  #start = 0;
  #received = 0;
  #ended = false;
  #waiting: (() => void)[] = [];

  /**
   * @param run passes the bytes to `take` and resolves with the SHA-512 once they are verified and on disk
   * @param openStored bytes of a stored tarball from an offset on
   */
  constructor(
    size: number | null,
    run: (take: (chunk: Buffer) => void) => Promise<string>,
    openStored: (sha512: string, start: number) => Readable,
  ) {
    this.size = size;
    this.#openStored = openStored;
    this.stored = run((chunk) => this.#take(chunk)).finally(() => {
      this.#ended = true;
      // Readers that are behind continue from the disk: a slow client must not hold a whole window for hours.
      if (this.#received > keptAfterwards) [this.#chunks, this.#start] = [[], this.#received];
      this.#wake();
    });
    // Readers get the failure themselves.
    this.stored.catch(() => undefined);
  }

  /** The bytes from the start; fails before the last of them if the download does. */
  async *read(): AsyncGenerator<Buffer> {
    let offset = 0;
    for (;;) {
      const next = this.#chunkAt(offset);
      const sha512 = this.#ended ? await this.stored : undefined;
      if (next && (sha512 !== undefined || offset + next.length < this.#received)) {
        offset += next.length;
        yield next;
      } else if (sha512 !== undefined) {
        if (offset < this.#received) yield* this.#openStored(sha512, offset) as AsyncIterable<Buffer>;
        return;
      } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** The chunk that begins at an offset, if it is in memory; readers are always at the start of a chunk. */
  #chunkAt(offset: number): Buffer | undefined {
    if (offset < this.#start) return undefined;
    let at = this.#start;
    for (const chunk of this.#chunks) {
      if (at === offset) return chunk;
      at += chunk.length;
    }
    return undefined;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    while (this.#received - this.#start > window && this.#chunks.length > 1) {
      this.#start += this.#chunks.shift()?.length ?? 0;
    }
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const proceed of waiting) proceed();
  }
}
