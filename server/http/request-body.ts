import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { z } from 'zod';
import { GatehouseError } from '../contract/errors.ts';

/** Milliseconds without a byte after which an upload counts as stalled (api/npm.md, "Settled"). */
export const stallTimeout = 30_000;

/**
 * Bytes of a refused upload that are read and dropped. Most clients read an answer only once they have sent everything, so this is more
 * than the largest upload that is likely by mistake.
 */
const drainLimit = 1024 * 1024 * 1024;

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

/**
 * The body of a request, piece by piece, decompressed if it came compressed. Leaving the loop early does not cut the connection;
 * see `drain`.
 * @throws GatehouseError `request_timeout`, `unsupported_media_type`, `invalid_request` (cut short, or not what its encoding says).
 */
export async function* readBody(req: IncomingMessage, stall = stallTimeout): AsyncGenerator<Buffer> {
  const decoder = decoderFor(req);
  if (!decoder) {
    yield* readRaw(req, stall);
    return;
  }
  let failure: unknown;
  const feeding = (async () => {
    try {
      for await (const chunk of readRaw(req, stall)) {
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

/** The whole body, at most `limit` bytes. @throws GatehouseError `payload_too_large` with `complaint`, and as `readBody` does. */
export async function readWholeBody(
  req: IncomingMessage,
  limit: number,
  complaint = `The body is larger than ${limit} bytes.`,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of readBody(req)) {
    size += chunk.length;
    if (size > limit) throw new GatehouseError('payload_too_large', complaint);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The whole body as JSON; undefined if it is empty. For small documents only. */
export async function readJson(req: IncomingMessage, limit = 1024 * 1024): Promise<unknown> {
  const body = await readWholeBody(req, limit);
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new GatehouseError('invalid_request', 'Invalid json: the body cannot be parsed.', {
      gitlabMessage: 'Invalid json',
    });
  }
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
  const timer = setTimeout(() => req.destroy(), stallTimeout);
  timer.unref();
  req.on('data', (chunk: Buffer) => {
    timer.refresh();
    left -= chunk.length;
    if (left < 0) req.destroy();
  });
  req.on('close', () => clearTimeout(timer));
  req.on('error', () => clearTimeout(timer));
  req.resume();
}

async function* readRaw(req: IncomingMessage, stall: number): AsyncGenerator<Buffer> {
  heldBack.get(req)?.();
  heldBack.delete(req);
  for (;;) {
    const chunk = req.read() as Buffer | null;
    if (chunk !== null) {
      yield chunk;
      continue;
    }
    if (req.readableEnded || (req.complete && req.readableLength === 0)) return;
    if (req.destroyed) throw new GatehouseError('invalid_request', 'The upload was cut short. Nothing was stored.');
    if (!(await nextOf(req, ['readable', 'end', 'close', 'error'], stall))) throw new GatehouseError('request_timeout');
  }
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
