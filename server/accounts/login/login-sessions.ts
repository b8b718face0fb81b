import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { GatehouseError } from '../../contract/errors.ts';
import type { PendingLogin } from '../../contract/npm.ts';
import { networkOf, siteOf } from '../../lib/network-of.ts';
import { AttemptLimiter } from './attempt-limiter.ts';

/** A login in the browser, from the client's first call to its token. */
export interface LoginSession extends PendingLogin {
  /** Known only to the client, which gets the token for it. */
  readonly secret: string;
  /** Known only to the page: protects its form against other origins. */
  readonly formKey: string;
  /** `over` when the client has got the outcome. */
  readonly state: 'pending' | 'approved' | 'denied' | 'over';
  readonly userId: number | null;
  /** Where the client is, as it is counted. */
  readonly network: string;
}

const lifetime = 10 * 60_000;
/** Logins that one network may have waiting. Whoever starts more waits; nobody else does. */
const mostOfNetwork = 30;
/** And one site, whose networks are those of one customer. */
const mostOfSite = 100;
/** Logins in memory. Beyond, which takes many networks, the oldest one goes. */
const mostSessions = 1000;
/** Letters and digits that look different from each other. */
const codeAlphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

export interface LoginSessionsOptions {
  /** Called when a login is requested, and when it no longer waits for approval. */
  readonly announce: (change: 'requested' | 'settled') => void;
  readonly clock?: () => number;
}

/**
 * Logins in the browser that wait for approval. They are in memory only: after a restart the client starts another. Each yields one
 * token, within ten minutes.
 */
export class LoginSessions {
  readonly #announce: LoginSessionsOptions['announce'];
  readonly #clock: () => number;
  readonly #sessions = new Map<string, LoginSession>();
  readonly #starts: AttemptLimiter;
  readonly #startsOfSites: AttemptLimiter;
  #desktops = 0;

  constructor(options: LoginSessionsOptions) {
    this.#announce = options.announce;
    this.#clock = options.clock ?? Date.now;
    this.#starts = new AttemptLimiter({ attempts: mostOfNetwork, window: 60_000 }, this.#clock);
    this.#startsOfSites = new AttemptLimiter({ attempts: mostOfSite, window: 60_000 }, this.#clock);
  }

  /** Whether a desktop app is connected, whose window can approve logins. */
  get hasDesktop(): boolean {
    return this.#desktops > 0;
  }

  /** Notes a connected desktop app; call the returned function when it disconnects. */
  attachDesktop(): () => void {
    this.#desktops += 1;
    return () => {
      this.#desktops -= 1;
    };
  }

  /** @throws GatehouseError `rate_limited` for a network that starts too many, or has too many waiting. */
  start(client: string, address: string | null): LoginSession {
    const network = networkOf(address);
    const site = siteOf(network);
    this.#starts.check(network);
    this.#startsOfSites.check(site);
    this.#starts.note(network);
    this.#startsOfSites.note(site);
    this.#dropExpired();
    const waiting = [...this.#sessions.values()].filter(
      (one) => siteOf(one.network) === site && one.state === 'pending',
    );
    const ofNetwork = waiting.filter((one) => one.network === network);
    if (ofNetwork.length >= mostOfNetwork || waiting.length >= mostOfSite) {
      throw new GatehouseError('rate_limited', 'Too many logins wait already. Answer one, or try again in a minute.', {
        retryAfterSeconds: 60,
      });
    }
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size >= mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
    const createdAt = this.#clock();
    const session: LoginSession = {
      id: randomBytes(18).toString('base64url'),
      secret: randomBytes(32).toString('base64url'),
      formKey: randomBytes(18).toString('base64url'),
      code: newCode(),
      client,
      address,
      createdAt,
      expiresAt: createdAt + lifetime,
      state: 'pending',
      userId: null,
      network,
    };
    this.#sessions.set(session.id, session);
    this.#announce('requested');
    return session;
  }

  /** The session with this id in any state; undefined if there is none or it has expired. */
  find(id: string): LoginSession | undefined {
    this.#dropExpired();
    return this.#sessions.get(id);
  }

  /** Logins that wait for approval, oldest first, without their secrets. */
  pending(): PendingLogin[] {
    this.#dropExpired();
    return [...this.#sessions.values()]
      .filter(({ state }) => state === 'pending')
      .map(({ id, code, client, address, createdAt, expiresAt }) => ({
        id,
        code,
        client,
        address,
        createdAt,
        expiresAt,
      }));
  }

  /** @throws GatehouseError `not_found` if it no longer waits. */
  approve(id: string, userId: number): void {
    this.#settle(id, { state: 'approved', userId });
  }

  /** @throws GatehouseError `not_found` if it no longer waits. */
  deny(id: string): void {
    this.#settle(id, { state: 'denied', userId: null });
  }

  /**
   * The outcome for the client: still pending, or, once, the user whose token it gets. That ends the session.
   * @throws GatehouseError `forbidden` if it was denied, `not_found` for another secret than that of a session.
   */
  collect(id: string, secret: string): { state: 'pending' } | { state: 'approved'; userId: number } {
    const session = this.find(id);
    if (!session || !isSame(session.secret, secret)) throw sessionGone();
    if (session.state === 'over') throw sessionGone();
    if (session.state === 'pending') return { state: 'pending' };
    this.#sessions.set(id, { ...session, state: 'over' });
    if (session.state === 'denied' || session.userId === null) {
      throw new GatehouseError('forbidden', 'The login was denied. Run "npm login" again if that was a mistake.');
    }
    return { state: 'approved', userId: session.userId };
  }

  #settle(id: string, outcome: { state: 'approved' | 'denied'; userId: number | null }): void {
    const session = this.find(id);
    if (session?.state !== 'pending') throw sessionGone();
    this.#sessions.set(id, { ...session, ...outcome });
    this.#announce('settled');
  }

  #dropExpired(): void {
    const now = this.#clock();
    let dropped = false;
    for (const [id, session] of this.#sessions) {
      // The oldest come first.
      if (session.expiresAt > now) break;
      this.#sessions.delete(id);
      dropped ||= session.state === 'pending';
    }
    if (dropped) this.#announce('settled');
  }
}

/** Compares two secrets in constant time. */
export function isSame(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}

function newCode(): string {
  const letters = Array.from({ length: 6 }, () => codeAlphabet[randomInt(codeAlphabet.length)]);
  return `${letters.slice(0, 3).join('')}-${letters.slice(3).join('')}`;
}

function sessionGone(): GatehouseError {
  return new GatehouseError('not_found', 'This login is over or was never started. Run "npm login" again.');
}
