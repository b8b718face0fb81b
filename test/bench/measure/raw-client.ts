import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** What is kept of an answer; the body is counted and thrown away, but for the first bytes of a failure. */
export interface RawAnswer {
  readonly status: number;
  readonly bodyBytes: number;
  /** Start of the head, and of the body as far as it came with it: for messages when something is wrong. */
  readonly excerpt: string;
}

type BodyKind = 'none' | 'length' | 'chunked';

const headEnd = Buffer.from('\r\n\r\n');
const readSize = 256 * 1024;
/** One for all connections: each read is over before the next begins, and warm memory is what keeps the generator cheap. */
const sharedBuffer = Buffer.allocUnsafeSlow(readSize);

/**
 * A keep-alive connection with one request under way at a time. It understands as much of HTTP as counting takes, so that a
 * core that generates load can outrun a core that serves it.
 */
export class RawConnection {
  readonly #socket: Socket;
  readonly #opened: Promise<void>;
  #settle: { resolve: (answer: RawAnswer) => void; reject: (error: Error) => void } | undefined;
  #head: Buffer | undefined;
  #inBody = false;
  #kind: BodyKind = 'none';
  #remaining = 0;
  #chunkLine = '';
  #chunkState: 'size' | 'data' | 'trailer' = 'size';
  #status = 0;
  #bodyBytes = 0;
  #excerpt = '';

  constructor(host: string, port: number) {
    // On Windows a read may be queued with its buffer before the one before it was handled.
    const buffer = process.platform === 'win32' ? Buffer.allocUnsafeSlow(readSize) : sharedBuffer;
    this.#socket = connect({
      host,
      port,
      noDelay: true,
      onread: {
        buffer,
        callback: (size) => {
          this.#take(buffer, size);
          return true;
        },
      },
    });
    this.#opened = new Promise((resolve, reject) => {
      this.#socket.once('connect', resolve);
      this.#socket.once('error', reject);
    });
    this.#opened.catch(() => undefined);
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('The server closed the connection.')));
  }

  opened(): Promise<void> {
    return this.#opened;
  }

  /** Sends one request and resolves when its answer is complete. */
  request(...parts: readonly Buffer[]): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      for (const part of parts) this.#socket.write(part);
    });
  }

  /** Sends a head and a body that is made as it goes; resolves when the answer is complete. */
  async upload(head: Buffer, body: AsyncIterable<Buffer>): Promise<RawAnswer> {
    const answer = new Promise<RawAnswer>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    answer.catch(() => undefined);
    this.#socket.write(head);
    for await (const chunk of body) {
      if (this.#settle === undefined) break;
      if (!this.#socket.write(chunk)) await this.#drained();
    }
    return answer;
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#socket.off('drain', done);
        this.#socket.off('close', done);
        resolve();
      };
      this.#socket.on('drain', done);
      this.#socket.on('close', done);
    });
  }

  #take(buffer: Buffer, size: number): void {
    let offset = 0;
    if (!this.#inBody) {
      const head = this.#head ? Buffer.concat([this.#head, buffer.subarray(0, size)]) : buffer.subarray(0, size);
      const end = head.indexOf(headEnd);
      if (end < 0) {
        this.#head = Buffer.from(head);
        return;
      }
      const before = this.#head?.length ?? 0;
      this.#head = undefined;
      this.#begin(head, end);
      offset = end + headEnd.length - before;
    }
    if (this.#kind === 'chunked') this.#takeChunks(buffer, offset, size);
    else {
      this.#remaining -= size - offset;
      this.#bodyBytes += size - offset;
      if (this.#remaining <= 0) this.#complete();
    }
  }

  #begin(head: Buffer, end: number): void {
    const text = head.toString('latin1', 0, end).toLowerCase();
    this.#status = Number(text.slice(9, 12));
    this.#excerpt = this.#status >= 400 ? head.toString('latin1', 0, Math.min(head.length, end + 400)) : '';
    this.#bodyBytes = 0;
    this.#inBody = true;
    this.#remaining = 0;
    this.#kind = 'none';
    if (this.#status === 304 || this.#status === 204) return;
    const length = text.indexOf('\r\ncontent-length:');
    if (length >= 0) {
      this.#kind = 'length';
      this.#remaining = Number.parseInt(text.slice(length + 17), 10);
    } else if (text.includes('\r\ntransfer-encoding: chunked')) {
      this.#kind = 'chunked';
      this.#chunkState = 'size';
      this.#chunkLine = '';
    }
  }

  #takeChunks(buffer: Buffer, start: number, size: number): void {
    let offset = start;
    while (offset < size && this.#inBody) {
      if (this.#chunkState === 'data') {
        const taken = Math.min(this.#remaining, size - offset);
        this.#remaining -= taken;
        offset += taken;
        if (this.#remaining === 0) this.#chunkState = 'size';
        continue;
      }
      const newline = buffer.indexOf(10, offset);
      const lineEnd = newline < 0 || newline >= size ? size : newline + 1;
      this.#chunkLine += buffer.toString('latin1', offset, lineEnd);
      offset = lineEnd;
      if (this.#chunkLine.endsWith('\n')) this.#endChunkLine();
    }
  }

  #endChunkLine(): void {
    const line = this.#chunkLine.trim();
    this.#chunkLine = '';
    if (this.#chunkState === 'trailer') {
      if (line === '') this.#complete();
      return;
    }
    const length = Number.parseInt(line, 16);
    if (length === 0) this.#chunkState = 'trailer';
    else {
      this.#bodyBytes += length;
      // With the line break behind the data.
      this.#remaining = length + 2;
      this.#chunkState = 'data';
    }
  }

  #complete(): void {
    this.#inBody = false;
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.resolve({ status: this.#status, bodyBytes: this.#bodyBytes, excerpt: this.#excerpt });
  }

  #fail(error: Error): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.reject(error);
  }
}

/** The bytes of a request's head. */
export function requestHead(
  method: string,
  address: URL,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const lines = Object.entries({ host: address.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
}
