import { pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { isInside, leadsInside, lookupInside, lookupPublic, privateNetworkError } from './private-address.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';

export interface OutboundRequest {
  readonly url: string;
  /** Base address of the registry that this is for: its token goes to this origin and to no other. */
  readonly base: string;
  readonly token: string | null;
  readonly method?: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly length: number; readonly open: () => AsyncIterable<Buffer> };
  /** Milliseconds until the head of the response must be here: of a request without a body from its start, else from its end. */
  readonly timeout: number;
}

export interface OutboundResponse {
  readonly status: number;
  /** The first value where a header came several times. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Decompressed. Must be read or destroyed. */
  readonly body: Readable;
}

const maximumRedirects = 5;
/** For requests with a body; the others have a deadline for the whole. */
const connectTimeout = 10_000;
/** Milliseconds without a byte after which a body counts as cut. */
const stallTimeout = 30_000;

/**
 * The one door through which requests to other registries leave: http and https only, few redirects and none to another scheme or into
 * the private network, the token to its own origin only, a deadline on everything, and nothing at all while offline.
 */
export class Outbound {
  readonly #isAllowed: () => boolean;
  /** Loaded with the first request: many servers never make one. */
  #client: ReturnType<typeof loadClient> | undefined;
  #aborter = new AbortController();

  /** @param isAllowed whether requests may leave now; called before each hop */
  constructor(isAllowed: () => boolean) {
    this.#isAllowed = isAllowed;
  }

  /** Sends a request; a read follows redirects. @throws OutboundError when no response came; any status is a response. */
  async send(request: OutboundRequest): Promise<OutboundResponse> {
    const { method = 'GET', body, token, timeout } = request;
    const url = parseAddress(request.url);
    const base = parseAddress(request.base);
    const isRead = method === 'GET' || method === 'HEAD';
    const { agent, insideAgent, publicAgent, redirect } = await (this.#client ??= loadClient());
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new OutboundError('timeout', slowText(url.host, timeout))), timeout);
    if (body) clearTimeout(timer);
    try {
      // A registry inside may point inside; a public one must not make this server fetch what only this server can reach, not
      // even under its own name.
      const dispatcher = (await isInside(base.hostname)) ? agent : publicAgent;
      const isPublicOnly = dispatcher === publicAgent;
      const response = await dispatcher
        .compose(checkEachHop({ base, isPublicOnly, insideAgent, isAllowed: this.#isAllowed }), redirect)
        .request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers: {
            accept: '*/*',
            'accept-encoding': 'gzip, br, deflate',
            'user-agent': 'gatehouse',
            ...request.headers,
            ...(token !== null && url.origin === base.origin ? { authorization: `Bearer ${token}` } : {}),
            ...(body ? { 'content-length': String(body.length) } : {}),
          },
          body: body ? Readable.from(body.open()) : null,
          headersTimeout: timeout,
          bodyTimeout: stallTimeout,
          // A signal of its own for each request, which takes its listeners along when it ends.
          signal: AbortSignal.any([this.#aborter.signal, deadline.signal]),
          ...(isRead ? {} : { maxRedirections: 0 }),
        });
      const { statusCode: status } = response;
      // A body that is destroyed unread fails with no reader to notice.
      response.body.on('error', () => undefined);
      if (status >= 300 && status < 400 && status !== 304) {
        response.body.destroy();
        throw new OutboundError('invalid', `${url.host} answers with a redirect (${status}) that cannot be followed`);
      }
      const headers = Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
      );
      return { status, headers, body: decompressed(response.body, headers['content-encoding']) };
    } catch (error) {
      throw toOutboundError(error, url.host);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Cuts every request under way: the offline switch was turned on, or the server stops. */
  abortAll(): void {
    this.#aborter.abort(new OutboundError('offline', 'offline: the request was ended'));
    this.#aborter = new AbortController();
  }

  close(): void {
    this.abortAll();
    void this.#client?.then(({ agent, insideAgent, publicAgent }) =>
      Promise.all([agent.destroy(), insideAgent.destroy(), publicAgent.destroy()]),
    );
  }
}

function slowText(host: string, milliseconds: number): string {
  return `${host} did not answer within ${milliseconds / 1000} seconds`;
}

/** Three agents, of which one connects to private and one to public addresses only; all use the proxy that the environment names, if any. */
async function loadClient() {
  const { EnvHttpProxyAgent, interceptors } = await import('undici');
  const options = { connections: 16, allowH2: false };
  return {
    agent: new EnvHttpProxyAgent({ ...options, connect: { timeout: connectTimeout } }),
    insideAgent: new EnvHttpProxyAgent({ ...options, connect: { timeout: connectTimeout, lookup: lookupInside } }),
    publicAgent: new EnvHttpProxyAgent({ ...options, connect: { timeout: connectTimeout, lookup: lookupPublic } }),
    redirect: interceptors.redirect({ maxRedirections: maximumRedirects, throwOnMaxRedirect: true }),
  };
}

/** Checks the address of the request and of each redirect. */
function checkEachHop(rules: {
  readonly base: URL;
  readonly isPublicOnly: boolean;
  readonly insideAgent: Dispatcher;
  readonly isAllowed: () => boolean;
}): Dispatcher.DispatcherComposeInterceptor {
  const { base, isPublicOnly, insideAgent, isAllowed } = rules;
  let previous: URL | undefined;
  const check = async (url: URL): Promise<void> => {
    if (!isAllowed()) throw new OutboundError('offline', 'offline: no request leaves this machine');
    if (previous?.protocol === 'https:' && url.protocol === 'http:') {
      throw new OutboundError('invalid', `${previous.host} redirects from https to http, which is refused`);
    }
    // The look-up of the connection decides about names; this is for addresses, and for names behind a proxy.
    if (isPublicOnly && (await leadsInside(url.hostname))) {
      if (url.origin === base.origin) throw privateNetworkError(base.host);
      throw new OutboundError(
        'invalid',
        `${base.host} points into the private network (${url.host}), which is refused`,
      );
    }
    previous = url;
  };
  return (dispatch) => (options, handler) => {
    const url = new URL(String(options.origin));
    // What may point inside must be inside: a name that was so for the check only would lead anywhere.
    const isBaseInside = !isPublicOnly && url.origin === base.origin;
    void check(url)
      .then(() => (isBaseInside ? insideAgent.dispatch(options, handler) : dispatch(options, handler)))
      .catch((error: unknown) => failBeforeStart(handler, error));
    return true;
  };
}

/** Reports an error to a request that has no connection, and so no controller, yet. */
function failBeforeStart(handler: Dispatcher.DispatchHandler, error: unknown): void {
  const report = handler.onResponseError?.bind(handler) as ((controller: null, error: unknown) => void) | undefined;
  report?.(null, error);
}

/** Reads a body to its end. @throws OutboundError if it is cut or longer than `limit` bytes. */
export async function readAll({ body }: OutboundResponse, limit: number, host: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw new OutboundError('invalid', `${host} sends a document of more than ${limit} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw toOutboundError(error, host);
  }
  return Buffer.concat(chunks);
}

function decompressed(body: Readable, encoding: string | undefined): Readable {
  const decoder =
    encoding === 'gzip' || encoding === 'x-gzip'
      ? createGunzip()
      : encoding === 'br'
        ? createBrotliDecompress()
        : encoding === 'deflate'
          ? createInflate()
          : undefined;
  // An error reaches the reader through the decoder.
  return decoder ? pipeline(body, decoder, () => undefined) : body;
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new OutboundError('invalid', `"${text.slice(0, 200)}" is no address that starts with http:// or https://`);
}
