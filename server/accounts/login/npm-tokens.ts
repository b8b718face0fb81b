import { createHash } from 'node:crypto';
import { z } from 'zod';
import { GatehouseError } from '../../contract/errors.ts';
import { dateOf, dayLength } from '../../lib/calendar.ts';
import type { TokenScope } from '../access/principal.ts';
import type { TokenRecord } from '../records.ts';

/** What `npm token create` sends, in the dialects of npm 6 to 12. */
export const newTokenDocument = z.object({
  name: z.string().max(255).nullish(),
  description: z.string().max(255).nullish(),
  password: z.string().max(1000).nullish(),
  readonly: z.boolean().nullish(),
  cidr_whitelist: z.array(z.string()).nullish(),
  expires: z.union([z.number(), z.string()]).nullish(),
  packages: z.array(z.string()).nullish(),
  packages_all: z.boolean().nullish(),
  scopes: z.array(z.string()).nullish(),
  orgs: z.array(z.string()).nullish(),
  packages_and_scopes_permission: z.string().nullish(),
  orgs_permission: z.string().nullish(),
});
export type NewTokenDocument = z.infer<typeof newTokenDocument>;

const longestLife = 3650;

/**
 * Scopes of a token that npm requests. A restriction that is not supported is refused, never ignored.
 * @throws GatehouseError `invalid_request` saying what to do instead.
 */
export function scopesFor(document: NewTokenDocument): TokenScope[] {
  if (isGiven(document.cidr_whitelist)) {
    throw refusal('Tokens cannot be tied to IP addresses here. Leave --cidr out.');
  }
  if (isGiven(document.packages) || isGiven(document.scopes) || isGiven(document.orgs)) {
    throw refusal(
      'A token can access everything that its user can. To limit it, create a user who is a member of only those projects, and leave --packages, --scopes and --orgs out.',
    );
  }
  const permission =
    document.packages_and_scopes_permission ?? (document.readonly === true ? 'read-only' : 'read-write');
  switch (permission) {
    case 'read-only':
      return ['read_api'];
    case 'read-write':
      return ['api'];
    case 'no-access':
      return ['read_user'];
    default:
      throw refusal(
        `There are no tokens with the permission "${permission.slice(0, 60)}" here. Choose read-only or read-write, or make a user with a role that fits.`,
      );
  }
}

/**
 * The expiry of a token that npm requests: `expires` is in days.
 * @param atMost a day that it may not outlive, for a caller whose own token ends
 * @throws GatehouseError `invalid_request`.
 */
export function expiryFor(document: NewTokenDocument, now: number, atMost: string | null): string | null {
  const { expires } = document;
  if (expires === null || expires === undefined || expires === '' || expires === 0) return atMost;
  const days = Number(expires);
  if (!Number.isInteger(days) || days < 1 || days > longestLife) {
    throw refusal(
      `expires is "${String(expires).slice(0, 40)}", but must be a number of days from 1 to ${longestLife}.`,
    );
  }
  const day = dateOf(now + days * dayLength);
  return atMost !== null && atMost < day ? atMost : day;
}

/** The key by which npm names a token; it is not derived from the secret. */
export function keyOfToken({ id, createdAt, hint }: TokenRecord): string {
  return createHash('sha256').update(`token ${id} ${createdAt} ${hint}`).digest('hex');
}

/** Whether a token can only read. */
export function isReadOnly({ scopes }: Pick<TokenRecord, 'scopes'>): boolean {
  return !scopes.some((scope) => scope === 'api' || scope === 'write_package_registry');
}

function isGiven(list: readonly string[] | null | undefined): boolean {
  return list !== null && list !== undefined && list.length > 0;
}

function refusal(text: string): GatehouseError {
  return new GatehouseError('invalid_request', text);
}
