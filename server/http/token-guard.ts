import { createHash } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { GatehouseError } from '../contract/errors.ts';
import type { Directory } from '../accounts/directory.ts';
import type { Principal } from '../accounts/access/principal.ts';
import { AttemptLimiter } from '../accounts/login/attempt-limiter.ts';

const minute = 60_000;
/** Unknown tokens of one address within a minute before more of them are refused unseen. */
const attempts = { loopback: 300, elsewhere: 60 } as const;
const mostKnown = 2000;

/**
 * Authenticates tokens and slows down guessing. After too many unknown tokens from one address every further failure there gets the same
 * 429. From another machine a token that was never accepted here is then not even looked up; valid ones that were still work. On this
 * machine every valid token works, as all its programs share one address.
 */
export class TokenGuard {
  readonly #directory: Pick<Directory, 'authenticate'>;
  readonly #limiters: Record<keyof typeof attempts, AttemptLimiter>;
  readonly #known = new Set<string>();

  constructor(directory: Pick<Directory, 'authenticate'>, clock: () => number = Date.now) {
    this.#directory = directory;
    this.#limiters = {
      loopback: new AttemptLimiter({ attempts: attempts.loopback, window: minute }, clock),
      elsewhere: new AttemptLimiter({ attempts: attempts.elsewhere, window: minute }, clock),
    };
  }

  /**
   * Whose token this is.
   * @throws GatehouseError as the directory does, or `rate_limited`.
   */
  authenticate(token: string, address: string | null): Principal {
    const key = networkOf(address);
    const isLoopback = key === 'loopback';
    const limiter = this.#limiters[isLoopback ? 'loopback' : 'elsewhere'];
    const limit = limitOf(limiter, key);
    if (limit && !isLoopback && !this.#known.has(digest(token))) throw limit;
    try {
      const principal = this.#directory.authenticate(token);
      if (!isLoopback) this.#remember(digest(token));
      return principal;
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error;
      if (error.code === 'unauthenticated') limiter.note(key);
      throw limit ?? error;
    }
  }

  #remember(token: string): void {
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.add(token);
  }
}

function limitOf(limiter: AttemptLimiter, key: string): GatehouseError | undefined {
  try {
    limiter.check(key);
    return undefined;
  } catch (error) {
    if (error instanceof GatehouseError) return error;
    throw error;
  }
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}

/** What is counted as one guesser: an IPv4 address, the /64 network of an IPv6 address, or this machine. */
export function networkOf(address: string | null): string {
  const text = (address ?? '').replace(/%.*$/, '').toLowerCase();
  const v4 = /^::ffff:(?<v4>\d+\.\d+\.\d+\.\d+)$/.exec(text)?.groups?.['v4'] ?? text;
  if (isIPv4(v4)) return v4.startsWith('127.') ? 'loopback' : v4;
  if (!isIPv6(text)) return 'unknown';
  if (text === '::1') return 'loopback';
  const [head = '', tail] = text.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4).join(':');
}
