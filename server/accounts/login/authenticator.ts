import { type ErrorCode, GatehouseError } from '../../contract/errors.ts';
import { dateOf, dayLength } from '../../lib/calendar.ts';
import type { UnitOfWork } from '../change.ts';
import type { DirectoryStore } from '../directory-store.ts';
import type { Principal } from '../access/principal.ts';
import { sha256Of } from './token-secret.ts';

type SignedIn = Extract<Principal, { kind: 'user' }>;

/** The refusal of a token that is known. Only the log of requests may say which it is: its sender has no rights. */
export class TokenRefused extends GatehouseError {
  readonly token: { readonly name: string; readonly hint: string };

  constructor(code: ErrorCode, token: TokenRefused['token']) {
    super(code);
    this.token = token;
  }
}

const cacheSize = 2000;
/** `${NAME}`, which npm sends as it stands where the variable is not set. */
const unsetVariable = /^\$\{\w{1,100}\}$/;
/** GitLab notes the use of a token every ten minutes; here it is more precise. */
const usePrecisionMilliseconds = 60_000;

/**
 * Turns tokens into principals. Accepted tokens are cached until the directory changes or the day ends; refused ones are looked up each
 * time. The time of last use is written lazily, at most once a minute for each token.
 */
export class Authenticator {
  readonly #store: DirectoryStore;
  readonly #unit: UnitOfWork;
  readonly #clock: () => number;
  #accepted = new Map<string, SignedIn>();
  #generation = -1;
  #day = -1;
  readonly #uses = new Map<number, { at: number; noted: number }>();
  readonly #toWrite = new Map<number, number>();

  constructor(store: DirectoryStore, unit: UnitOfWork, clock: () => number) {
    this.#store = store;
    this.#unit = unit;
    this.#clock = clock;
  }

  /**
   * The owner of a token, as of `generation` of the directory.
   * @throws GatehouseError `unauthenticated`, `token_expired`, `token_revoked` or `account_blocked`.
   */
  authenticate(secret: string, generation: number): SignedIn {
    const now = this.#clock();
    const day = Math.floor(now / dayLength);
    if (generation !== this.#generation || day !== this.#day) {
      this.#accepted = new Map();
      this.#generation = generation;
      this.#day = day;
    }
    const digest = sha256Of(secret);
    const key = digest.toString('latin1');
    let principal = this.#accepted.get(key);
    if (!principal) {
      principal = this.#lookUp(secret, digest, now);
      if (this.#accepted.size >= cacheSize) this.#accepted.clear();
      this.#accepted.set(key, principal);
    }
    if (principal.token) this.noteUse(principal.token.id, now);
    return principal;
  }

  #lookUp(secret: string, digest: Buffer, now: number): SignedIn {
    const token = this.#store.tokens.findBySha256(digest);
    const user = token && this.#store.users.find(token.userId);
    if (!token || !user) {
      throw new GatehouseError(
        'unauthenticated',
        unsetVariable.test(secret)
          ? `${secret} is not set: the client sent that text itself as the token. Set the variable, such as with "export" in this terminal, and try again.`
          : 'The token that was sent is not known here. Log in again, or make a new token.',
      );
    }
    if (token.revokedAt !== null) throw new TokenRefused('token_revoked', token);
    if (token.expiresOn !== null && token.expiresOn <= dateOf(now)) throw new TokenRefused('token_expired', token);
    if (user.state === 'blocked') throw new TokenRefused('account_blocked', token);
    const { id, name, hint, scopes } = token;
    return { kind: 'user', user, token: { id, name, hint, scopes } };
  }

  /** When a token was used last, as far as that is known before it is written. */
  lastUse(tokenId: number): number | undefined {
    return this.#uses.get(tokenId)?.at;
  }

  /** Notes that a token was used at `now`; written lazily. */
  noteUse(tokenId: number, now: number): void {
    const use = this.#uses.get(tokenId);
    if (use) use.at = now;
    if (use && now - use.noted < usePrecisionMilliseconds) return;
    this.#uses.set(tokenId, { at: now, noted: now });
    const first = this.#toWrite.size === 0;
    this.#toWrite.set(tokenId, now);
    if (!first) return;
    this.#unit
      .write(() => {
        const uses = [...this.#toWrite];
        this.#toWrite.clear();
        for (const [id, at] of uses) this.#store.tokens.touch(id, at);
      })
      // A failed write (a full disk) must not fail the request.
      .catch(() => this.#toWrite.clear());
  }
}
