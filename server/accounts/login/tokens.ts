import { GatehouseError } from '../../contract/errors.ts';
import { dateOf, dayLength } from '../../lib/calendar.ts';
import type { Actor, Change } from '../change.ts';
import type { Directory } from '../directory.ts';
import { refusePastDay } from '../expiry.ts';
import { displayNameComplaints, invalidFields, refuseComplaints } from '../naming.ts';
import type { TokenScope } from '../access/principal.ts';
import type { TokenRecord } from '../records.ts';
import { hintOf, newTokenSecret, sha256Of } from './token-secret.ts';

export interface NewTokenInput {
  readonly userId: number;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly TokenScope[];
  readonly expiresOn: string | null;
}

/** A token with its secret, which exists in clear text only here. */
export interface IssuedToken {
  readonly token: TokenRecord;
  readonly secret: string;
}

/** Tokens of one user that can work at a time: lists of them come whole. */
const mostActive = 1000;
/** Tokens of one user that are revoked or have expired and are still listed, of which the oldest go first. */
const mostEnded = 1000;

const rotatedLifetime = 7 * dayLength;
/** As in GitLab: a token that leaks must not be made to last for ever with itself. */
const longestLifetime = 365 * dayLength;

/** Personal access tokens. */
export class Tokens {
  readonly #directory: Directory;

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  /** Oldest first; of one user, or of all. */
  list(userId?: number): TokenRecord[] {
    return this.#directory.store.tokens.list(userId);
  }

  find(id: number): TokenRecord | undefined {
    return this.#directory.store.tokens.find(id);
  }

  /** The token with this secret, whatever its state. */
  findBySecret(secret: string): TokenRecord | undefined {
    return this.#directory.store.tokens.findBySha256(sha256Of(secret));
  }

  /** Whether a token works now, and if not, why. */
  stateOf(token: TokenRecord): 'active' | 'expired' | 'revoked' {
    if (token.revokedAt !== null) return 'revoked';
    return token.expiresOn !== null && token.expiresOn <= dateOf(this.#directory.now()) ? 'expired' : 'active';
  }

  /** @throws GatehouseError `user_not_found`, or `invalid_request` with complaints by field. */
  create(actor: Actor, input: NewTokenInput): Promise<IssuedToken> {
    return this.#directory.write((change) => this.#issue(change, actor, input, 'token.created'));
  }

  /**
   * Revokes a token and creates another with the same user, name and scopes. It expires on `expiresOn`, else in a week if the old one had
   * an expiry, else never.
   * @param atMost a day that the new one may not outlive, for a caller whose own token ends
   * @throws GatehouseError `not_found`, or `invalid_request` if the token is revoked or expired already, or for a day that is more than a
   * year ahead and after the old one's last.
   */
  rotate(actor: Actor, id: number, expiresOn: string | null, atMost: string | null = null): Promise<IssuedToken> {
    return this.#directory.write((change) => {
      const old = this.#existing(id);
      const state = this.stateOf(old);
      if (state !== 'active') {
        const text = `token already ${state}`;
        throw new GatehouseError('invalid_request', `The token is ${state} already. Make a new one.`, {
          gitlabMessage: `400 Bad request - ${text}`,
        });
      }
      const latest = dateOf(change.now + longestLifetime);
      if (expiresOn !== null && expiresOn > latest && expiresOn > (old.expiresOn ?? latest)) {
        throw invalidFields({ expires_at: [`must not be after ${latest}`] });
      }
      if (expiresOn !== null && atMost !== null && expiresOn > atMost) {
        throw invalidFields({ expires_at: [`must not be after ${atMost}, when the token that you use expires`] });
      }
      this.#revoke(change, actor, old);
      const week = old.expiresOn === null ? null : dateOf(change.now + rotatedLifetime);
      const byDefault = week === null || (atMost !== null && atMost < week) ? atMost : week;
      return this.#issue(change, actor, { ...old, expiresOn: expiresOn ?? byDefault }, 'token.rotated');
    });
  }

  /**
   * Revokes a token at once; a revoked one stays as it is.
   * @throws GatehouseError `not_found`.
   */
  revoke(actor: Actor, id: number): Promise<void> {
    return this.#directory.write((change) => {
      const token = this.#existing(id);
      if (token.revokedAt === null) this.#revoke(change, actor, token);
    });
  }

  #issue(change: Change, actor: Actor, input: NewTokenInput, action: string): IssuedToken {
    const { store } = this.#directory;
    const user = store.users.find(input.userId);
    if (!user) throw new GatehouseError('user_not_found');
    // Blocked since the login, while this waited: it would work once the user is unblocked.
    if (user.state === 'blocked' && actor.userId === user.id && actor.origin === 'http')
      throw new GatehouseError('account_blocked');
    refuseComplaints({ name: displayNameComplaints(input.name) });
    refusePastDay(change, input.expiresOn);
    if (this.list(user.id).filter((token) => this.stateOf(token) === 'active').length >= mostActive) {
      const text = `@${user.username} has ${mostActive} tokens, which is the most a user can have. Revoke some that are not used any more.`;
      throw new GatehouseError('invalid_request', text);
    }
    const secret = newTokenSecret();
    const id = store.tokens.insert({
      userId: input.userId,
      name: input.name,
      description: input.description,
      scopes: [...new Set(input.scopes)],
      sha256: sha256Of(secret),
      hint: hintOf(secret),
      createdAt: change.now,
      expiresOn: input.expiresOn,
    });
    store.tokens.deleteEnded(input.userId, dateOf(change.now), mostEnded);
    const token = this.#existing(id);
    this.#note(change, actor, action, token, { after: this.#summary(token) });
    return { token, secret };
  }

  #revoke(change: Change, actor: Actor, token: TokenRecord): void {
    this.#directory.store.tokens.revoke(token.id, change.now);
    this.#note(change, actor, 'token.revoked', token, { before: this.#summary(token) });
  }

  #existing(id: number): TokenRecord {
    const token = this.find(id);
    if (!token) throw new GatehouseError('not_found', 'There is no such token.');
    return token;
  }

  #summary(token: TokenRecord) {
    const user = this.#directory.store.users.find(token.userId)?.username;
    return { user, scopes: token.scopes, expires_on: token.expiresOn };
  }

  #note(
    change: Change,
    actor: Actor,
    action: string,
    token: TokenRecord,
    states: { readonly before?: unknown; readonly after?: unknown },
  ): void {
    change.record({ actor, action, target: { type: 'token', id: token.id, name: token.name }, ...states });
    change.emit('directory.changed', { subject: 'token' });
  }
}
