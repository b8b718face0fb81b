import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { leadsInside, lookupOutside } from './private-address.ts';
import { OutboundError } from './outbound-error.ts';

export interface OutboundRequest {
  readonly url: string;
  /** Base address of the registry that this is for: its token goes to this origin and to no other. */
  readonly base: string;
  readonly token: string | null;
  readonly method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly length: number; readonly open: () => AsyncIterable<Buffer> };
  /** Milliseconds until the head of the answer must be here. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Decompressed. Must be read or destroyed. Fails with an OutboundError. */
  readonly body: Readable;
}

const maximumRedirects = 5;
/** Milliseconds without a byte after which a body counts as cut. */
const stallTimeout = 30_000;

/**
 * The one door through which requests to other registries leave: http and https only, few redirects and none to another scheme or into
 * the private network, the token to its own origin alone, a deadline on everything, and nothing at all while the switch is on.
 */
export class Outbound {
  readonly #mayLeave: () => boolean;
  readonly #agents = agentsWithProxy();
  readonly #underWay = new Set<ClientRequest>();

  /** @param mayLeave whether requests may leave now; asked before each hop */
  constructor(mayLeave: () => boolean) {
    this.#mayLeave = mayLeave;
  }

  /** Sends a request and follows redirects of a read. @throws OutboundError when no answer came; any status is an answer. */
  async send(options: OutboundRequest): Promise<OutboundAnswer> {
    const reads = (options.method ?? 'GET') === 'GET' || options.method === 'HEAD';
    const seen = new Set<string>();
    let url = parse(options.url);
    for (let hop = 0; ; hop += 1) {
      if (!this.#mayLeave()) throw new OutboundError('offline', 'offline: no request leaves this machine');
      const answer = await this.#hop(url, options);
      if (![301, 302, 303, 307, 308].includes(answer.status)) return answer;
      answer.body.destroy();
      const { location } = answer.headers;
      if (!reads || location === undefined) {
        throw new OutboundError(
          'invalid',
          `${url.host} answers with a redirect (${answer.status}) where none can be followed`,
        );
      }
      const next = parse(URL.canParse(location, url.href) ? new URL(location, url).href : location);
      if (hop + 1 > maximumRedirects || seen.has(next.href)) {
        throw new OutboundError('invalid', `${url.host} redirects in a circle, or more than ${maximumRedirects} times`);
      }
      if (url.protocol === 'https:' && next.protocol === 'http:') {
        throw new OutboundError('invalid', `${url.host} redirects from https to http, which is refused`);
      }
      seen.add(next.href);
      url = next;
    }
  }

  /** Cuts every request under way: the switch was turned, or the server stops. */
  abortAll(): void {
    for (const request of this.#underWay)
      request.destroy(new OutboundError('offline', 'offline: the request was ended'));
  }

  close(): void {
    this.abortAll();
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  async #hop(url: URL, options: OutboundRequest): Promise<OutboundAnswer> {
    const base = parse(options.base);
    // A registry inside may point inside; one outside must not make this server fetch what only this server can reach.
    const mustStayOutside = url.origin !== base.origin && !(await leadsInside(base.hostname));
    if (mustStayOutside && (await leadsInside(url.hostname))) {
      throw new OutboundError(
        'invalid',
        `${base.host} points into the private network (${url.host}), which is refused`,
      );
    }
    const headers: Record<string, string> = {
      accept: '*/*',
      'accept-encoding': 'gzip, br, deflate',
      'user-agent': 'gatehouse',
      ...options.headers,
      ...(options.token !== null && url.origin === base.origin ? { authorization: `Bearer ${options.token}` } : {}),
      ...(options.body ? { 'content-length': String(options.body.length) } : {}),
    };
    const secure = url.protocol === 'https:';
    const settings: RequestOptions = {
      method: options.method ?? 'GET',
      headers,
      agent: secure ? this.#agents.https : this.#agents.http,
      ...(mustStayOutside ? { lookup: lookupOutside } : {}),
    };
    const request = secure ? httpsRequest(url, settings) : httpRequest(url, settings);
    this.#underWay.add(request);
    request.once('close', () => this.#underWay.delete(request));
    const incoming = await this.#exchange(request, url, options);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: decoded(incoming, url) };
  }

  #exchange(request: ClientRequest, url: URL, options: OutboundRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      let sent = options.body === undefined;
      const late = (): OutboundError =>
        new OutboundError('timeout', `${url.host} did not answer within ${options.timeout / 1000} s`);
      // While a body is on its way, its progress is the clock; the deadline is for the answer.
      const timer = setTimeout(() => {
        if (sent) request.destroy(late());
      }, options.timeout);
      const aborted = (): void => {
        request.destroy(new OutboundError('network', `the request to ${url.host} was given up`));
      };
      const settle = (): void => {
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', aborted);
      };
      options.signal?.addEventListener('abort', aborted);
      if (options.signal?.aborted === true) aborted();
      request.setTimeout(Math.max(stallTimeout, options.timeout), () => request.destroy(late()));
      request.on('error', (error) => {
        settle();
        reject(asOutbound(error, url));
      });
      request.on('response', (incoming) => {
        clearTimeout(timer);
        // An abort after the head must still cut the body.
        incoming.once('close', settle);
        resolve(incoming);
      });
      if (!options.body) request.end();
      else {
        void pump(options.body.open(), request).then(
          () => (sent = true),
          (error: unknown) => request.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      }
    });
  }
}

async function pump(source: AsyncIterable<Buffer>, request: ClientRequest): Promise<void> {
  for await (const chunk of source) {
    if (request.destroyed) return;
    if (!request.write(chunk)) {
      await new Promise<void>((resolve) => {
        const proceed = (): void => {
          request.off('drain', proceed);
          request.off('close', proceed);
          resolve();
        };
        request.on('drain', proceed);
        request.on('close', proceed);
      });
    }
  }
  request.end();
}

function decoded(incoming: IncomingMessage, url: URL): Readable {
  incoming.setTimeout(stallTimeout, () =>
    incoming.destroy(new OutboundError('timeout', `${url.host} stopped sending in the middle of an answer`)),
  );
  const decoder =
    incoming.headers['content-encoding'] === 'gzip' || incoming.headers['content-encoding'] === 'x-gzip'
      ? createGunzip()
      : incoming.headers['content-encoding'] === 'br'
        ? createBrotliDecompress()
        : incoming.headers['content-encoding'] === 'deflate'
          ? createInflate()
          : undefined;
  if (!decoder) return incoming;
  // The error reaches whoever reads the decoder.
  pipeline(incoming, decoder, () => undefined);
  return decoder;
}

/** Reads a body to its end. @throws OutboundError if it is cut or longer than `limit` bytes. */
export async function readAll(answer: OutboundAnswer, limit: number, host: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new OutboundError('invalid', `${host} sends a document of more than ${limit} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof OutboundError
      ? error
      : new OutboundError('network', `${host} cut its answer`, { cause: error });
  }
  return Buffer.concat(chunks);
}

/** Whatever went wrong with a connection, in words. */
export function asOutbound(error: unknown, url: URL): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const said: Readonly<Record<string, string>> = {
    ENOTFOUND: 'its name is not known; is there a network?',
    EAI_AGAIN: 'its name cannot be looked up; is there a network?',
    ECONNREFUSED: 'nothing listens there',
    ENETUNREACH: 'there is no network',
    EHOSTUNREACH: 'there is no way to it',
    ECONNRESET: 'the connection was cut',
    ETIMEDOUT: 'it does not answer',
    CERT_HAS_EXPIRED: 'its certificate has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS for a private authority',
    SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS for a private authority',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted; set NODE_EXTRA_CA_CERTS for a private authority',
  };
  const reason = said[code] ?? (error instanceof Error ? error.message : String(error));
  return new OutboundError('network', `${url.host} cannot be reached: ${reason}`, { cause: error });
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new OutboundError('invalid', `"${text.slice(0, 200)}" is no address that starts with http:// or https://`);
}

/** Connections are kept, and a company's proxy is used where the environment names one. */
function agentsWithProxy(): { http: HttpAgent; https: HttpsAgent } {
  const options = { keepAlive: true, maxSockets: 16, proxyEnv: process.env };
  return { http: new HttpAgent(options), https: new HttpsAgent(options) };
}
