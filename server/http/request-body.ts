import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { z } from 'zod';
import { confirmStanding } from '../accounts/access/standing.ts';
import { GatehouseError } from '../contract/errors.ts';
import { documentBudget } from '../lib/byte-budget.ts';
import { holderOf } from './request-log.ts';

/** Milliseconds without a byte after which an upload counts as stalled. */
export const stallTimeout = 30_000;

/** Milliseconds in which a small body must have arrived as a whole, however steadily it comes. */
export const smallBodyTime = 30_000;

/** Largest body of a call that takes a few fields as JSON. */
const largestFields = 64 * 1024;

/**
 * Bytes of a refused upload that are read and dropped. Most clients read an answer only once they have sent everything, so this is more
 * than the largest upload that is likely by mistake.
 */
const drainLimit = 1024 * 1024 * 1024;

/** A piece that is shorter takes more time than its bytes are worth, and so many of them in a row no client sends. */
const shortPiece = 64;
const mostShortPieces = 1000;

/** Requests whose client waits for "100 Continue" before it sends the body, with the function that sends it. */
const heldBack = new WeakMap<IncomingMessage, () => void>();

/**
 * Defers "100 Continue" (`Expect: 100-continue`) until the body is read, so that a client that is refused before sends nothing. The
 * connection ends with such an answer, as the body may still come (RFC 9110, 10.1.1).
 */
export function holdBack(req: IncomingMessage, res: ServerResponse): void {
  const { shouldKeepAlive } = res;
  res.shouldKeepAlive = false;
  heldBack.set(req, () => {
    res.shouldKeepAlive = shouldKeepAlive;
    res.writeContinue();
  });
}

/** Whether the client waits to be asked for the body. */
export function isHeldBack(req: IncomingMessage): boolean {
  return heldBack.has(req);
}

/** How much of a body is read, and for how long. */
export interface BodyLimits {
  /** Bytes, before and after decompression. */
  readonly size: number;
  /** What is answered to a larger one. */
  readonly complaint?: string;
  /** Milliseconds in which all of it must have arrived; without it, only a pause ends it. */
  readonly time?: number;
}

/**
 * The body of a request, piece by piece, decompressed if it came compressed. One that is announced as too large is not asked for. Once
 * it has arrived, whoever sent it must still be allowed to act. Leaving the loop early does not cut the connection; see `drain`.
 * @throws GatehouseError `payload_too_large`, `request_timeout`, `unsupported_media_type`, `invalid_request` (cut short, or not what its
 * encoding says), and as the decisions that the request rests on.
 */
export async function* readBody(req: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer> {
  const { size, complaint = `The body is larger than ${size} bytes.` } = limits;
  const tooLarge = () => new GatehouseError('payload_too_large', complaint);
  if (Number(req.headers['content-length'] ?? 0) > size) throw tooLarge();
  let left = size;
  for await (const chunk of readDecoded(req, limits.time)) {
    left -= chunk.length;
    if (left < 0) throw tooLarge();
    yield chunk;
  }
  confirmStanding();
}

async function* readDecoded(req: IncomingMessage, time: number | undefined): AsyncGenerator<Buffer> {
  const end = time === undefined ? Infinity : performance.now() + time;
  const decoder = decoderFor(req);
  if (!decoder) {
    yield* readRaw(req, end);
    return;
  }
  let failure: unknown;
  const feeding = (async () => {
    try {
      for await (const chunk of readRaw(req, end)) {
        // A decoder that gave up, or whose reader left, drains no more.
        if (decoder.destroyed) return;
        if (!decoder.write(chunk)) await nextOf(decoder, ['drain', 'close']);
      }
      decoder.end();
    } catch (error) {
      failure = error;
      decoder.destroy();
    }
  })();
  try {
    for await (const chunk of decoder) yield chunk as Buffer;
  } catch {
    if (failure instanceof GatehouseError) throw failure;
    throw new GatehouseError('invalid_request', 'The body is not what its Content-Encoding says.', {
      gitlabMessage: '400 Bad request',
    });
  } finally {
    // The feeding ends with the next chunk or with the request; nothing waits for it, as a client may be slow with either.
    decoder.destroy();
    void feeding;
  }
}

/**
 * Reads a small body and hands it to `parse` as a whole. What all requests hold of their bodies until then is limited together.
 * @throws GatehouseError `busy`, and as `readBody` and `parse` do.
 */
export async function readSmallBody<T>(
  req: IncomingMessage,
  limits: Pick<BodyLimits, 'size' | 'complaint'>,
  parse: (body: Buffer) => T | Promise<T>,
): Promise<T> {
  const held = documentBudget.hold(holderOf(req));
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of readBody(req, { ...limits, time: smallBodyTime })) {
      size += chunk.length;
      held.hold(size);
      chunks.push(chunk);
    }
    return await parse(Buffer.concat(chunks));
  } finally {
    held.release();
  }
}

/** A small body as JSON; undefined if it is empty. @throws GatehouseError `invalid_request`, and as `readSmallBody` does. */
export async function readJson(req: IncomingMessage): Promise<unknown> {
  return readSmallBody(req, { size: largestFields }, (body) => {
    if (body.length === 0) return undefined;
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
    } catch {
      throw new GatehouseError('invalid_request', 'Invalid json: the body cannot be parsed.', {
        gitlabMessage: 'Invalid json',
      });
    }
  });
}

/** The body as a JSON document of a known shape. @throws GatehouseError `invalid_request` with `complaint`, and as `readJson` does. */
export async function readDocument<T>(req: IncomingMessage, shape: z.ZodType<T>, complaint: string): Promise<T> {
  const parsed = shape.safeParse(await readJson(req));
  if (!parsed.success) throw new GatehouseError('invalid_request', complaint);
  return parsed.data;
}

/** Reads on what is left of a request that was answered early; past a limit, or once it stalls, the connection is cut. */
export function drain(req: IncomingMessage): void {
  if (req.readableEnded || req.destroyed || heldBack.has(req)) return;
  let left = drainLimit;
  const isShredded = pieceCounter();
  const timer = setTimeout(() => req.destroy(), stallTimeout);
  timer.unref();
  req.on('data', (chunk: Buffer) => {
    timer.refresh();
    left -= chunk.length;
    if (left < 0 || isShredded(chunk)) req.destroy();
  });
  req.on('close', () => clearTimeout(timer));
  req.on('error', () => clearTimeout(timer));
  req.resume();
}

/** @param end time of `performance.now()` at which the body must have ended */
async function* readRaw(req: IncomingMessage, end: number): AsyncGenerator<Buffer> {
  heldBack.get(req)?.();
  heldBack.delete(req);
  const isShredded = pieceCounter();
  for (;;) {
    const left = end - performance.now();
    if (left <= 0) throw new GatehouseError('request_timeout');
    const chunk = req.read() as Buffer | null;
    if (chunk !== null) {
      if (isShredded(chunk)) {
        throw new GatehouseError('invalid_request', 'The body comes in pieces of a few bytes. Send it in larger ones.');
      }
      yield chunk;
      continue;
    }
    if (req.readableEnded || (req.complete && req.readableLength === 0)) return;
    if (req.destroyed) throw new GatehouseError('invalid_request', 'The upload was cut short. Nothing was stored.');
    const pause = Math.min(stallTimeout, left);
    if (!(await nextOf(req, ['readable', 'end', 'close', 'error'], pause))) throw new GatehouseError('request_timeout');
  }
}

/**
 * Counts the pieces of a body: a chunk of one byte costs as much as one of a thousand, and is six bytes on the wire.
 * @returns whether there were too many short ones, asked for each piece.
 */
function pieceCounter(): (piece: Buffer) => boolean {
  let short = 0;
  return ({ length }) => {
    short = Math.max(0, short + 1 - length / shortPiece);
    return short > mostShortPieces;
  };
}

/** Whether one of some events happens on a stream, within `limit` milliseconds if there is a limit. */
function nextOf(stream: Readable, events: readonly string[], limit?: number): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (happened: boolean) => {
      clearTimeout(timer);
      for (const event of events) stream.off(event, proceed);
      resolve(happened);
    };
    const proceed = () => finish(true);
    const timer = limit === undefined ? undefined : setTimeout(() => finish(false), limit);
    for (const event of events) stream.on(event, proceed);
  });
}

function decoderFor(req: IncomingMessage): Transform | undefined {
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  switch (encoding) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      throw new GatehouseError(
        'unsupported_media_type',
        `The Content-Encoding "${encoding.slice(0, 40)}" is not supported. Use gzip, deflate, br or zstd.`,
      );
  }
}
