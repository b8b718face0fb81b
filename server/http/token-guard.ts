import { createHash } from 'node:crypto';
import { GatehouseError } from '../contract/errors.ts';
import type { Directory } from '../accounts/directory.ts';
import type { Principal } from '../accounts/access/principal.ts';
import { AttemptLimiter } from '../accounts/login/attempt-limiter.ts';
import { networkOf } from '../lib/network-of.ts';

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
    return this.lookUp(token, address, () => this.#directory.authenticate(token));
  }

  /**
   * What `find` has for a secret, wherever it stands in the request.
   * @param find throws `unauthenticated` or `not_found` for a secret that is not known, which counts as a guess
   * @throws GatehouseError as `find` does, or `rate_limited`.
   */
  lookUp<T>(secret: string, address: string | null, find: () => T): T {
    const key = networkOf(address);
    const isLoopback = key === 'loopback';
    const limiter = this.#limiters[isLoopback ? 'loopback' : 'elsewhere'];
    const limit = limitOf(limiter, key);
    if (limit && !isLoopback && !this.#known.has(digest(secret))) throw limit;
    try {
      const found = find();
      if (!isLoopback) this.#remember(digest(secret));
      return found;
    } catch (error) {
      if (!(error instanceof GatehouseError)) throw error;
      if (error.code === 'unauthenticated' || error.code === 'not_found') limiter.note(key);
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
