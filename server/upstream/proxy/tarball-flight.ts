import type { Readable } from 'node:stream';

/** Bytes of a tarball under way that are held in memory for those who read along. */
const window = 8 * 1024 * 1024;

/**
 * A tarball on its way from another registry to the disk, with any number of clients reading along. Each reads at its own pace; one that
 * falls behind the window, or comes late, goes on from the disk once the tarball is there. The last piece is handed out only after the
 * whole was verified, so that no client ever holds a complete tarball with wrong bytes.
 */
export class TarballFlight {
  /** As the upstream announces it; null if it does not. */
  readonly size: number | null;
  /** Settles when the tarball is kept, or with what went wrong. */
  readonly kept: Promise<string>;
  readonly #openKept: (sha512: string, start: number) => Readable;
  #chunks: Buffer[] = [];
  /** Offset of the first chunk in memory. */
  #start = 0;
  #received = 0;
  #ended = false;
  #waiting: (() => void)[] = [];

  /**
   * @param run feeds the bytes and resolves with the content's digest when they are verified and on disk
   * @param openKept bytes of a kept content from an offset on
   */
  constructor(
    size: number | null,
    run: (take: (chunk: Buffer) => void) => Promise<string>,
    openKept: (sha512: string, start: number) => Readable,
  ) {
    this.size = size;
    this.#openKept = openKept;
    this.kept = run((chunk) => this.#take(chunk)).finally(() => {
      this.#ended = true;
      this.#wake();
    });
    // Whoever reads hears of a failure there.
    this.kept.catch(() => undefined);
  }

  /** The bytes from the start. Fails with what went wrong, before the last of them. */
  async *read(): AsyncGenerator<Buffer> {
    let offset = 0;
    for (;;) {
      const next = this.#chunkAt(offset);
      if (next && (this.#ended ? await this.#isKept() : offset + next.length < this.#received)) {
        offset += next.length;
        yield next;
      } else if (this.#ended) {
        const sha512 = await this.kept;
        if (offset === this.#received) return;
        yield* this.#openKept(sha512, offset) as AsyncIterable<Buffer>;
        return;
      } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async #isKept(): Promise<boolean> {
    await this.kept;
    return true;
  }

  /** The chunk that begins at an offset, if it is in memory; readers only ever stand at the beginning of one. */
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
