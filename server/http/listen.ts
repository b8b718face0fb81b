import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback } from '../contract/loopback.ts';
import { ownText } from '../lib/own-copy.ts';
import { beginInTurn } from '../lib/turns.ts';
import type { Registry, RunningServer } from '../services.ts';
import { StartupError } from '../lib/startup-error.ts';
import { namesTwoHosts } from './caller.ts';
import type { AppOptions } from './api-options.ts';
import { Front } from './front.ts';
import { describePortHolder } from './port-holder.ts';
import { holdBack } from './request-body.ts';
import { sendJson } from './respond.ts';

// An import of a module would read all it exports, for which Node loads its WebSocket and fetch: 25 ms of each start.
const { createServer } = process.getBuiltinModule('node:http');

export interface ListenOptions extends Omit<AppOptions, 'isReady' | 'requests' | 'ready'> {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly timeouts?: Partial<Timeouts>;
}

/** How long a connection may do nothing, in milliseconds. */
export interface Timeouts {
  /** Until the headers of a request are whole. */
  readonly headers: number;
  /** Between two bytes in either direction while a request is under way: longer than an upload may stall, which has its own answer. */
  readonly idle: number;
  /** Between two requests. */
  readonly keepAlive: number;
}

const defaultTimeouts: Timeouts = { headers: 20_000, idle: 120_000, keepAlive: 65_000 };

/**
 * Starts to serve.
 * @throws StartupError `portTaken` with the process that has the port where it can be found, `hostUnavailable`.
 */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  let isReady = true;
  const frontOf = (registry: Registry): Front => new Front({ ...options, registry, isReady: () => isReady });
  let front = frontOf(options.registry);
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const server = createServer(
    {
      // Uploads have their own clock (request-body.ts); a slow one is not a stalled one.
      requestTimeout: 0,
      headersTimeout: timeouts.headers,
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: Math.min(5000, timeouts.headers),
      maxHeaderSize: 32 * 1024,
    },
    (req, res) => {
      if (namesTwoHosts(req)) {
        sendJson(res, 400, { error: 'A request names one host.' }, { Connection: 'close' });
        return;
      }
      takeAddressApart(req);
      joinSlashes(req);
      if (front.ready.answer(req, res)) return;
      const { socket } = req;
      const begin = (): void => {
        if (!socket.destroyed) front.answer(req, res);
      };
      // No client sends that many requests without waiting for answers.
      if (!beginInTurn(socket, begin)) socket.destroy();
    },
  );
  // A client may close its side after the request and still read; Node would drop a slow answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    holdBack(req, res);
    server.emit('request', req, res);
  });
  // A client that neither reads nor writes holds a descriptor for nothing; without a listener Node closes it.
  server.setTimeout(timeouts.idle);
  server.on('clientError', answerClientError);
  await bind(server, options.host, options.port);
  const { port } = server.address() as AddressInfo;
  const shown = isLoopback(options.host) || isWildcard(options.host) ? 'localhost' : options.host;
  return {
    host: options.host,
    port,
    origin: originOf(shown, port),
    get origins() {
      const hosts = [shown, ...(isWildcard(options.host) ? outerAddresses(options.host) : [])];
      return hosts.map((host) => originOf(host, port));
    },
    get requests() {
      return front.requests;
    },
    async replaceRegistry(registry) {
      const former = front;
      front = frontOf(registry);
      await former.idle();
    },
    async stop(grace) {
      isReady = false;
      await drainServer(server, grace);
    },
  };
}

function originOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The addresses of this computer in its networks, now, each once. Link-local IPv6 addresses need a zone, which URLs cannot name. */
function outerAddresses(host: string): string[] {
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(
      ({ internal, family, address }) =>
        !internal && (family === 'IPv4' || (host === '::' && !/^fe[89ab]/i.test(address))),
    );
  return [...new Set(outer.map(({ address }) => address))];
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(startErrorFor(error, host, port)));
    server.listen({ host, port, backlog: 1024 }, resolve);
  });
}

function startErrorFor(error: NodeJS.ErrnoException, host: string, port: number): StartupError {
  const cause = { cause: error };
  if (error.code === 'EADDRINUSE') {
    const holder = describePortHolder(port);
    const text = `Port ${port} is taken${holder === undefined ? '' : ` by ${holder}`}.`;
    const advice =
      'Stop that program, or choose another port with --port; the port stands in .npmrc files and lockfiles, so it is never changed silently.';
    return new StartupError('portTaken', text, { ...cause, advice });
  }
  if (error.code === 'EACCES') {
    const text = `Port ${port} needs more rights than this user has.`;
    return new StartupError('portTaken', text, { ...cause, advice: 'Choose one above 1023 with --port.' });
  }
  const text = `Cannot listen on ${host}:${port} (${error.message}).`;
  return new StartupError('hostUnavailable', text, { ...cause, advice: 'Choose another --host.' });
}

async function drainServer(server: Server, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections fall idle one by one as their requests end.
  const idle = setInterval(() => server.closeIdleConnections(), 25);
  const cut = setTimeout(() => server.closeAllConnections(), grace);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}

/** A request may name a whole address in its first line, as proxies get it; its host counts then (RFC 9112, 3.2.2). */
function takeAddressApart(req: IncomingMessage): void {
  if (req.url?.startsWith('/')) return;
  const address = /^https?:\/\/(?<host>[^/?#]*)(?<path>[^#]*)$/i.exec(req.url ?? '')?.groups;
  if (!address) return;
  const { host = '', path = '' } = address;
  req.headers.host = host;
  req.url = ownText(path.startsWith('/') ? path : `/${path}`);
}

/** Repeated slashes count as one: a registry address with a slash too many is common. */
function joinSlashes(req: IncomingMessage): void {
  if (!req.url?.includes('//')) return;
  const [path = '', ...query] = req.url.split('?');
  if (path.includes('//')) req.url = [path.replace(/\/{2,}/g, '/'), ...query].join('?');
}

function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long.']
        : ['400 Bad Request', 'This is not a valid HTTP request.'];
  const body = JSON.stringify({ error: text });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
