import { expect, test } from 'vitest';
import { GatehouseError } from '../../contract/errors.ts';
import type { UserRecord } from '../records.ts';
import { PasswordLogin } from './password-login.ts';

const ann = { id: 7, username: 'ann', email: 'ann@example.test', state: 'active' } as UserRecord;

function loginWith() {
  let isBusy = false;
  const checked: (number | undefined)[] = [];
  const login = new PasswordLogin({
    users: {
      findByLogin: (name) => (['ann', 'ann@example.test'].includes(name.toLowerCase()) ? ann : undefined),
      hasPassword: (id, password) => {
        if (isBusy) return Promise.reject(new GatehouseError('rate_limited'));
        checked.push(id);
        return Promise.resolve(id === ann.id && password === 'right');
      },
    },
    tokens: { create: () => Promise.reject(new Error('not used')) },
    clock: () => 0,
  });
  const outcome = (name: string, password: string, address: string) =>
    login.check(name, password, address).then(
      () => 'accepted',
      (error: unknown) => (error instanceof GatehouseError ? error.code : 'other'),
    );
  return { checked, outcome, setBusy: (busy: boolean) => (isBusy = busy) };
}

test('a user is one account by name and by e-mail address, in letters of either case, from wherever', async () => {
  const { outcome } = loginWith();
  const names = ['ann', 'ANN', 'ann@example.test', 'Ann@Example.Test'];
  for (let count = 0; count < 10; count += 1) {
    expect(await outcome(names[count % 4] ?? '', 'wrong', `192.0.2.${count}`)).toBe('unauthenticated');
  }
  for (const name of names) expect(await outcome(name, 'right', '198.51.100.1')).toBe('rate_limited');
});

test('a name that is nobody’s is limited as a user is', async () => {
  const { outcome } = loginWith();
  for (let count = 0; count < 10; count += 1) {
    expect(await outcome(count % 2 ? 'bob' : 'BOB', 'wrong', `192.0.2.${count}`)).toBe('unauthenticated');
  }
  expect(await outcome('Bob', 'wrong', '198.51.100.1')).toBe('rate_limited');
});

test.each([
  ['this machine', (count: number) => (count % 3 === 0 ? '::1' : `127.0.${count}.1`)],
  ['a network of IPv6', (count: number) => `2001:db8:1:2::${count.toString(16)}`],
  ['an IPv4 address in both forms', (count: number) => (count % 2 ? '192.0.2.1' : '::ffff:192.0.2.1')],
])('%s guesses fifty times at all users together', async (_, addressOf) => {
  const { checked, outcome } = loginWith();
  for (let count = 0; count < 60; count += 1) await outcome(`user${count}`, 'wrong', addressOf(count));
  expect(checked).toHaveLength(50);
  expect(await outcome('ann', 'right', addressOf(99))).toBe('rate_limited');
  expect(await outcome('ann', 'right', '198.51.100.1')).toBe('accepted');
});

test('made-up names from many networks do not make the guesses at a user forgotten', async () => {
  const { outcome } = loginWith();
  for (let count = 0; count < 10; count += 1) await outcome('ann', 'wrong', `192.0.2.${count}`);
  for (let count = 0; count < 11_000; count += 1) {
    await outcome(`user${count}`, 'wrong', `10.${count >> 8}.${count & 255}.1`);
  }
  expect(await outcome('ann', 'right', '198.51.100.1')).toBe('rate_limited');
});

test('a check that could not take place is no guess', async () => {
  const { outcome, setBusy } = loginWith();
  setBusy(true);
  for (let count = 0; count < 60; count += 1) expect(await outcome('ann', 'right', '192.0.2.1')).toBe('rate_limited');
  setBusy(false);
  expect(await outcome('ann', 'right', '192.0.2.1')).toBe('accepted');
});
