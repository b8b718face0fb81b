import { GatehouseError } from '../../contract/errors.ts';
import type { Actor } from '../change.ts';
import type { UserRecord } from '../records.ts';
import type { IssuedToken, Tokens } from './tokens.ts';
import type { Users } from '../users.ts';
import { networkOf } from '../../lib/network-of.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { shorten } from '../../lib/printable.ts';

export interface PasswordLoginOptions {
  readonly users: Pick<Users, 'findByLogin' | 'hasPassword'>;
  readonly tokens: Pick<Tokens, 'create'>;
  readonly clock?: () => number;
}

const quarterHour = 15 * 60_000;

/** The same text for a wrong name and a wrong password, so that it does not say whether the user exists. */
export const wrongPasswordText =
  'The user name or the password is not right. A password is set with "gatehouse user password NAME" on the machine of the registry.';

/** Login with username and password, for `npm login` and for changes of tokens. */
export class PasswordLogin {
  readonly #options: PasswordLoginOptions;
  readonly #ofUser: AttemptLimiter;
  /** Beside those of users, so that made-up names push no user out of memory. */
  readonly #ofUnknown: AttemptLimiter;
  readonly #ofNetwork: AttemptLimiter;

  constructor(options: PasswordLoginOptions) {
    this.#options = options;
    this.#ofUser = new AttemptLimiter({ attempts: 10, window: quarterHour }, options.clock);
    this.#ofUnknown = new AttemptLimiter({ attempts: 10, window: quarterHour }, options.clock);
    this.#ofNetwork = new AttemptLimiter({ attempts: 50, window: quarterHour }, options.clock);
  }

  /**
   * The user with this name or e-mail address, which count as the same user.
   * @throws GatehouseError `unauthenticated`, or `rate_limited` after too many wrong passwords for the user or from the network, whether
   * this one is right or not, and while too many are being checked.
   */
  async check(login: string, password: string, address: string | null): Promise<UserRecord> {
    const { users } = this.#options;
    const user = users.findByLogin(login);
    const network = networkOf(address);
    const [limiter, key] = user
      ? [this.#ofUser, String(user.id)]
      : [this.#ofUnknown, login.toLowerCase().slice(0, 255)];
    limiter.check(key);
    this.#ofNetwork.check(network);
    // Counted before the check, so that parallel guesses are limited too.
    limiter.note(key);
    this.#ofNetwork.note(network);
    let isRight = true;
    try {
      isRight = await users.hasPassword(user?.id, password);
    } finally {
      // Nothing was guessed either where the check did not take place.
      if (isRight) {
        limiter.forgive(key);
        this.#ofNetwork.forgive(network);
      }
    }
    if (!user || !isRight) throw new GatehouseError('unauthenticated', wrongPasswordText);
    return user;
  }

  /**
   * A new token for a user who has logged in.
   * @throws GatehouseError `account_blocked` if the user was blocked since.
   */
  async issue(user: Pick<UserRecord, 'id' | 'username'>, client: string, address: string | null): Promise<IssuedToken> {
    const actor: Actor = { userId: user.id, username: user.username, origin: 'http', address };
    return this.#options.tokens.create(actor, {
      userId: user.id,
      name: 'npm login',
      description: shorten(client, 200),
      scopes: ['api'],
      expiresOn: null,
    });
  }
}
