import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

const cost = { N: 16_384, r: 8, p: 1 };
const keyLength = 32;

/** A salted scrypt hash of a password, with its parameters. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** Whether a password is the one behind a hash of `hashPassword`. Takes as long for a user without a password as for others. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const [, , , , salt = '', expected = ''] = hash?.split('$') ?? [];
  const key = await derive(password, Buffer.from(salt, 'base64'));
  const wanted = Buffer.from(expected, 'base64');
  return wanted.length === key.length && timingSafeEqual(wanted, key);
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyLength, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
