import { randomBytes, scryptSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts';

function hashWith(password: string, N: number, r: number, p: number): string {
  const salt = randomBytes(16);
  const key = scryptSync(password, salt, 32, { N, r, p });
  return ['scrypt', N, r, p, salt.toString('base64'), key.toString('base64')].join('$');
}

test('a password is checked with the parameters that its hash was made with', async () => {
  const old = hashWith('correct horse', 1024, 8, 2);
  expect(await verifyPassword('correct horse', old)).toBe(true);
  expect(await verifyPassword('wrong horse', old)).toBe(false);
  expect(isOutdated(old)).toBe(true);
  const today = await hashPassword('correct horse');
  expect(await verifyPassword('correct horse', today)).toBe(true);
  expect(isOutdated(today)).toBe(false);
});

test.each([
  null,
  '',
  'scrypt',
  'scrypt$0$8$1$AAAA$AAAA',
  `scrypt$1073741824$8$1$AAAA$${Buffer.alloc(32).toString('base64')}`,
  `scrypt$16384$8$1000000000$AAAA$${Buffer.alloc(32).toString('base64')}`,
  `scrypt$16383$8$1$AAAA$${Buffer.alloc(32).toString('base64')}`,
  `scrypt$x$y$z$AAAA$${Buffer.alloc(32).toString('base64')}`,
])('%j is the hash of no password', async (hash) => {
  expect(await verifyPassword('', hash)).toBe(false);
});

test('of a flood of checks two run at a time, a few wait, and the rest is refused at once with the time to wait', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 400 }, () => verifyPassword('x', null)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(400 - 34);
  expect(refused[0]?.reason).toMatchObject({ code: 'rate_limited', details: { retryAfterSeconds: 5 } });
  expect(await verifyPassword('x', await hashPassword('x'))).toBe(true);
});
