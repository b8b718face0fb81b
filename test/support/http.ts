import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As it came over the wire, still encoded. */
  readonly bytes: Buffer;
  readonly text: string;
  /** The body as JSON. Throws, with the body in the message, if it is none. */
  json<T = Record<string, unknown>>(): T;
}

export interface RequestOptions {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON with its content type; text and bytes as they are. */
  readonly body?: unknown;
}

/**
 * One request with the path exactly as given: no normalisation, no header that the test did not ask for but Host and Content-Length.
 * An undefined token makes an anonymous request.
 */
export function send(origin: string, method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const { bytes, type } = encode(options.body);
  const headers: Record<string, string> = {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: hostname, port, method, path, headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => resolve(answerOf(incoming.statusCode ?? 0, incoming.headers, Buffer.concat(chunks))));
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function encode(body: unknown): { bytes: Buffer | undefined; type: string | undefined } {
  if (body === undefined) return { bytes: undefined, type: undefined };
  if (Buffer.isBuffer(body)) return { bytes: body, type: undefined };
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: undefined };
  return { bytes: Buffer.from(JSON.stringify(body)), type: 'application/json' };
}

function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const text = bytes.toString('utf8');
  return {
    status,
    headers,
    bytes,
    text,
    json<T>() {
      try {
        return JSON.parse(text) as T;
      } catch {
        throw new Error(`The answer (${status}) is not JSON: ${text.slice(0, 500)}`);
      }
    },
  };
}
