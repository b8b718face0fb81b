import { GatehouseError } from '../../contract/errors.ts';
import type { Actor } from '../change.ts';
import type { UserRecord } from '../records.ts';
import type { IssuedToken, Tokens } from './tokens.ts';
import type { Users } from '../users.ts';
import { AttemptLimiter } from './attempt-limiter.ts';
import { shorten } from '../../lib/printable.ts';

export interface PasswordLoginOptions {
  readonly users: Pick<Users, 'withPassword'>;
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
  readonly #ofAddress: AttemptLimiter;

  constructor(options: PasswordLoginOptions) {
    this.#options = options;
    this.#ofUser = new AttemptLimiter({ attempts: 10, window: quarterHour }, options.clock);
    this.#ofAddress = new AttemptLimiter({ attempts: 50, window: quarterHour }, options.clock);
  }

  /** @throws GatehouseError `unauthenticated`, or `rate_limited` after too many wrong ones, whether this one is right or not. */
  async check(username: string, password: string, address: string | null): Promise<UserRecord> {
    const from = address ?? 'unknown';
    const key = `${from} ${username.toLowerCase().slice(0, 255)}`;
    this.#ofUser.check(key);
    this.#ofAddress.check(from);
    // Counted before the check, so that parallel guesses are limited too.
    this.#ofUser.note(key);
    this.#ofAddress.note(from);
    const user = await this.#options.users.withPassword(username, password);
    if (!user) throw new GatehouseError('unauthenticated', wrongPasswordText);
    this.#ofUser.forgive(key);
    this.#ofAddress.forgive(from);
    return user;
  }

  /**
   * A new token for a user who has logged in.
   * @throws GatehouseError `account_blocked` if the user was blocked since.
   */
  async issue(
    user: Pick<UserRecord, 'id' | 'username' | 'state'>,
    client: string,
    address: string | null,
  ): Promise<IssuedToken> {
    if (user.state === 'blocked') throw new GatehouseError('account_blocked');
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
