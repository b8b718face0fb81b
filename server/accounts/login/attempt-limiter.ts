import { GatehouseError } from '../../contract/errors.ts';
import { ownText } from '../../lib/own-copy.ts';

export interface AttemptLimits {
  /** Attempts that may fail within the window before more are refused. */
  readonly attempts: number;
  /** Milliseconds. */
  readonly window: number;
}

const mostKeys = 10_000;

/**
 * Counts attempts by key (a network, or a user) and refuses more after too many, whether they are right or not.
 */
export class AttemptLimiter {
  readonly #limits: AttemptLimits;
  readonly #clock: () => number;
  readonly #counts = new Map<string, { count: number; endsAt: number }>();

  constructor(limits: AttemptLimits, clock: () => number = Date.now) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** @throws GatehouseError `rate_limited` with the seconds to wait, if there were too many attempts with any of these keys. */
  check(...keys: readonly string[]): void {
    const now = this.#clock();
    for (const key of keys) {
      const known = this.#counts.get(key);
      if (!known || known.endsAt <= now || known.count < this.#limits.attempts) continue;
      const seconds = Math.ceil((known.endsAt - now) / 1000);
      throw new GatehouseError('rate_limited', `Too many attempts. Wait ${seconds} seconds and try again.`, {
        retryAfterSeconds: seconds,
      });
    }
  }

  /** Counts one attempt for each key. */
  note(...keys: readonly string[]): void {
    const now = this.#clock();
    for (const key of keys) {
      const known = this.#counts.get(key);
      if (known && known.endsAt > now) known.count += 1;
      else this.#counts.set(ownText(key), { count: 1, endsAt: now + this.#limits.window });
    }
    if (this.#counts.size > mostKeys) this.#forgetOld(now);
  }

  /** Takes one attempt back for each key: it was right. */
  forgive(...keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.#counts.get(key);
      if (known && known.count > 0) known.count -= 1;
    }
  }

  #forgetOld(now: number): void {
    for (const [key, { endsAt }] of this.#counts) if (endsAt <= now) this.#counts.delete(key);
    // Those with the fewest attempts, so that many keys of one's own do not end the limit of another.
    const weakest = [...this.#counts].toSorted(([, a], [, b]) => a.count - b.count);
    for (const [key] of weakest.slice(0, Math.max(0, weakest.length - mostKeys * 0.9))) this.#counts.delete(key);
  }
}
