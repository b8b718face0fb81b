import { createHash, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { makePublishDocument } from '../../support/publish-document.ts';
import { rootToken } from '../../support/gatehouse-process.ts';

export interface LargePublish {
  /** The whole HTTP request. */
  readonly request: Buffer;
  /** SHA-512 of the tarball, in hex. */
  readonly digest: string;
}

/** A publish of a tarball with about that many bytes, as it goes over the wire. */
export async function makeLargePublish(name: string, version: string, bytes: number): Promise<LargePublish> {
  const archive = pack();
  const chunks: Buffer[] = [];
  archive.entry({ name: 'package/package.json' }, JSON.stringify({ name, version }));
  archive.entry({ name: 'package/data.bin' }, Buffer.alloc(bytes, randomBytes(64 * 1024)));
  archive.finalize();
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  const tarball = gzipSync(Buffer.concat(chunks), { level: 0 });
  const document = await makePublishDocument({ name, version, tarball });
  const body = Buffer.from(JSON.stringify(document));
  const head = [
    `PUT /api/v4/projects/1/packages/npm/${name} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${rootToken}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    '',
  ].join('\r\n');
  return {
    request: Buffer.concat([Buffer.from(head), body]),
    digest: createHash('sha512').update(tarball).digest('hex'),
  };
}

/** A raw connection: writes resolve when the bytes have left, the answer is all that came until the end. */
export class Wire {
  readonly #socket: Socket;
  readonly #chunks: Buffer[] = [];
  readonly closed: Promise<void>;

  static open(origin: string): Promise<Wire> {
    const { hostname, port } = new URL(origin);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Wire(socket)));
      socket.once('error', reject);
    });
  }

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    this.closed = new Promise((resolve) => socket.on('close', () => resolve()));
  }

  get received(): string {
    return Buffer.concat(this.#chunks).toString('latin1');
  }

  get isClosed(): boolean {
    return this.#socket.destroyed;
  }

  write(bytes: Buffer | string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  /** Resolves when `pattern` was received or the connection is closed. */
  async until(pattern: RegExp): Promise<string> {
    while (!pattern.test(this.received) && !this.#socket.destroyed) {
      await new Promise<void>((resolve) => {
        const proceed = (): void => {
          this.#socket.off('data', proceed);
          this.#socket.off('close', proceed);
          resolve();
        };
        this.#socket.on('data', proceed);
        this.#socket.on('close', proceed);
      });
    }
    return this.received;
  }

  /** Stops reading, so that the other side's writes get stuck. */
  pause(): void {
    this.#socket.pause();
  }

  /** Goes away without a word. */
  cut(): void {
    this.#socket.resetAndDestroy();
  }
}
