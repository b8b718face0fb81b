import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GatehouseError } from '../contract/errors.ts';
import { TokenRefused } from '../accounts/login/authenticator.ts';
import type { LoggedRequest } from '../services.ts';
import type { Principal } from '../accounts/access/principal.ts';
import { printable } from '../contract/printable.ts';
import { networkOf } from '../lib/network-of.ts';
import { ownText, startOf } from '../lib/own-copy.ts';
import { wholePathOf } from './respond.ts';

/** How a request was answered; times and the duration in milliseconds. */
interface AnsweredRequest extends Pick<LoggedRequest, 'at' | 'duration' | 'status' | 'bytes'> {
  readonly principal: Principal | undefined;
}

const announceEvery = 500;
/** Thousands of longer paths and names would fill the memory. */
const longestText = 500;

/** The last requests, in memory. */
export class RequestLog {
  readonly #capacity: number;
  readonly #entries: (LoggedRequest | undefined)[];
  #count = 0;
  /** Requests by the first digit of their status. */
  readonly statusClasses = new Map<number, number>([1, 2, 3, 4, 5].map((kind) => [kind, 0]));
  readonly #onArrival: (newest: number) => void;
  readonly #addressOf: (req: IncomingMessage) => string | null;
  #announcing = false;

  /**
   * @param onArrival called after new requests, at most twice a second
   * @param addressOf the address of the client, which behind a proxy is not that of the connection
   */
  constructor(
    onArrival: (newest: number) => void,
    addressOf: (req: IncomingMessage) => string | null,
    capacity = 5000,
  ) {
    this.#onArrival = onArrival;
    this.#addressOf = addressOf;
    this.#capacity = capacity;
    this.#entries = Array.from({ length: capacity });
  }

  /** Records a request when its answer is done or its connection closed. */
  follow(req: IncomingMessage, res: ServerResponse): void {
    addresses.set(req, this.#addressOf(req));
    const at = Date.now();
    const started = performance.now();
    res.once('close', () => {
      const bytes = Number(res.getHeader('content-length') ?? 0);
      const status = res.writableFinished ? res.statusCode : 499;
      this.record(req, { at, duration: performance.now() - started, status, bytes, principal: principals.get(req) });
    });
  }

  /** Newest first, at most `limit`, of those before the id `before`. */
  list({ limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number }): LoggedRequest[] {
    const found: LoggedRequest[] = [];
    const newest = Math.min(this.#count, before - 1);
    for (let id = newest; id > Math.max(0, this.#count - this.#capacity) && found.length < limit; id -= 1) {
      const entry = this.#entries[id % this.#capacity];
      if (entry) found.push(entry);
    }
    return found;
  }

  /** Id of the newest request; grows by one with each. */
  get newest(): number {
    return this.#count;
  }

  /** Records a request that was answered. */
  record(req: IncomingMessage, { at, duration, status, bytes, principal }: AnsweredRequest): void {
    this.#count += 1;
    const kind = Math.floor(status / 100);
    this.statusClasses.set(kind, (this.statusClasses.get(kind) ?? 0) + 1);
    if (!this.#announcing) {
      this.#announcing = true;
      setTimeout(() => {
        this.#announcing = false;
        this.#onArrival(this.#count);
      }, announceEvery).unref();
    }
    const { user, token } = principal?.kind === 'user' ? principal : { user: undefined, token: refused.get(req) };
    this.#entries[this.#count % this.#capacity] = {
      id: this.#count,
      at,
      method: req.method ?? 'GET',
      path: startOf(withoutSecrets(wholePathOf(req)), longestText),
      status,
      duration,
      bytes,
      client: startOf(req.headers['user-agent'] ?? '', longestText),
      username: user?.username ?? null,
      userId: user?.id ?? null,
      token: token ? { name: token.name, hint: token.hint } : null,
      // Once a connection is closed, it has none.
      address: startOf(addresses.get(req) ?? this.#addressOf(req) ?? '', longestText) || null,
      version: versions.get(req) ?? null,
      error: errors.get(req) ?? null,
    };
  }
}

/** A path as it may be shown: `npm logout` and `npm token revoke` put the token itself into it. */
export function withoutSecrets(path: string): string {
  const decoded = decodedPath(path);
  // Any character may come encoded, so it is looked for as the router reads it.
  return tokenInPath.test(decoded) ? ownText(decoded.replace(tokenInPath, '$1…')) : path;
}

const tokenInPath = /(\/-\/(?:user|npm\/v1\/tokens)\/token\/).+/is;

/** With the escapes of ASCII decoded one by one: a broken one elsewhere in the path hides none of them. */
function decodedPath(path: string): string {
  return path.replaceAll(/%[0-7][0-9a-f]/gi, (escape) => decodeURIComponent(escape));
}

const principals = new WeakMap<IncomingMessage, Principal>();
const errors = new WeakMap<IncomingMessage, string>();
const refused = new WeakMap<IncomingMessage, TokenRefused['token']>();
const versions = new WeakMap<IncomingMessage, string>();
const addresses = new WeakMap<IncomingMessage, string | null>();

/** Notes who a request came from, for the log of it. */
export function noteCaller(req: IncomingMessage, principal: Principal): void {
  principals.set(req, principal);
}

/** Notes why a request is refused, and which token it sent if that is why, for the log of it. */
export function noteRefusal(req: IncomingMessage, error: GatehouseError): void {
  errors.set(req, startOf(printable(withoutSecrets(error.message)), longestText));
  if (error instanceof TokenRefused) refused.set(req, error.token);
}

/** Notes which version a request published, which its path does not say, for the log of it. */
export function noteVersion(req: IncomingMessage, version: string): void {
  versions.set(req, ownText(version));
}

/** Who counts for what a request holds: its user, or the network that it comes from. Registries of one process have users of their own. */
export function holderOf(req: IncomingMessage): string {
  const principal = principals.get(req);
  const holder = principal?.kind === 'user' ? `user ${principal.user.id}` : networkOf(addresses.get(req) ?? null);
  return `${req.socket.localPort} ${holder}`;
}
