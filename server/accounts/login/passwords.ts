import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { GatehouseError } from '../../contract/errors.ts';
import { Slots } from '../../lib/slots.ts';

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

interface StoredHash {
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly key: Buffer;
}

const cost: Cost = { N: 16_384, r: 8, p: 1 };
const keyLength = 32;
/** Bytes of memory that one hash may take; one that needs more, from a damaged database, matches no password. */
const mostMemory = 128 * 1024 * 1024;

/** Hashes at a time. They run on Node's four threads for files, where downloads need the others. */
const slots = new Slots(2);
const mostWaiting = 32;

/**
 * A salted scrypt hash of a password, with its parameters.
 * @throws GatehouseError `rate_limited` if too many passwords wait to be hashed.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/**
 * Whether a password is the one behind a hash of `hashPassword`, by the parameters in the hash. Takes as long for a user without a
 * password as for others.
 * @throws as `hashPassword`.
 */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const stored = parseHash(hash);
  const key = await derive(password, stored?.salt ?? Buffer.alloc(16), stored?.cost ?? cost);
  return stored !== undefined && timingSafeEqual(stored.key, key);
}

/** Whether a hash was made with other parameters than those of today. */
export function isOutdated(hash: string): boolean {
  const stored = parseHash(hash)?.cost;
  return stored?.N !== cost.N || stored.r !== cost.r || stored.p !== cost.p;
}

function parseHash(hash: string | null): StoredHash | undefined {
  const [scheme, n, r, p, salt = '', key = ''] = hash?.split('$') ?? [];
  const stored: StoredHash = {
    cost: { N: Number(n), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
  return scheme === 'scrypt' && stored.key.length === keyLength && isPossible(stored.cost) ? stored : undefined;
}

function isPossible({ N, r, p }: Cost): boolean {
  const isPowerOfTwo = Number.isInteger(Math.log2(N)) && N > 1;
  return (
    isPowerOfTwo && [r, p].every((value) => Number.isInteger(value) && value > 0) && 128 * r * (N + p) <= mostMemory
  );
}

async function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  if (slots.waiting >= mostWaiting) {
    const text = 'Too many passwords are being checked at the moment. Try again in a few seconds.';
    throw new GatehouseError('rate_limited', text, { retryAfterSeconds: 5 });
  }
  const options = { N, r, p, maxmem: 2 * mostMemory };
  return slots.run(
    () =>
      new Promise((resolve, reject) =>
        scrypt(password.normalize('NFKC'), salt, keyLength, options, (error, key) =>
          error ? reject(error) : resolve(key),
        ),
      ),
  );
}
