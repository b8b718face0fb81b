import { expect, test } from 'vitest';
import { LoginSessions } from './login-sessions.ts';

function sessions() {
  const heard: string[] = [];
  const time = { now: 1000 };
  const logins = new LoginSessions({ announce: (change) => heard.push(change), clock: () => time.now });
  return { logins, heard, time };
}

test('a login waits, is approved, and gives its token once', () => {
  const { logins, heard } = sessions();
  const { id, secret } = logins.start('npm/12', '127.0.0.1');
  expect(logins.pending()).toMatchObject([{ id, client: 'npm/12' }]);
  expect(logins.collect(id, secret)).toEqual({ state: 'pending' });
  logins.approve(id, 7);
  expect(logins.pending()).toEqual([]);
  expect(logins.collect(id, secret)).toEqual({ state: 'approved', userId: 7 });
  expect(() => logins.collect(id, secret)).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(heard).toEqual(['requested', 'settled']);
});

test('who knows the page but not the secret gets nothing, and takes nothing away', () => {
  const { logins } = sessions();
  const { id, secret } = logins.start('npm/12', null);
  logins.approve(id, 7);
  expect(() => logins.collect(id, 'guess')).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(logins.collect(id, secret)).toMatchObject({ userId: 7 });
});

test('what is denied is told once, and can not be approved afterwards', () => {
  const { logins } = sessions();
  const { id, secret } = logins.start('npm/12', null);
  logins.deny(id);
  expect(() => logins.approve(id, 7)).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(() => logins.collect(id, secret)).toThrow(expect.objectContaining({ code: 'forbidden' }));
});

test('a login ends after ten minutes, approved or not', () => {
  const { logins, time, heard } = sessions();
  const first = logins.start('npm/12', null);
  logins.approve(first.id, 7);
  logins.start('npm/12', null);
  time.now += 10 * 60_000;
  expect(() => logins.collect(first.id, first.secret)).toThrow();
  expect(logins.pending()).toEqual([]);
  expect(heard).toEqual(['requested', 'settled', 'requested', 'settled']);
});

test('one network can not start logins without end, and keeps no other from it', () => {
  const { logins, time } = sessions();
  const address = (count: number) => (count % 2 ? `2001:db8:1:2::${count.toString(16)}` : '2001:db8:1:2:3::1');
  for (let index = 0; index < 30; index += 1) logins.start('npm/12', address(index));
  expect(() => logins.start('npm/12', address(99))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  // A minute later its logins still wait.
  time.now += 61_000;
  expect(() => logins.start('npm/12', address(99))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  for (let index = 0; index < 250; index += 1) logins.start('npm/12', `10.0.${index}.1`);
  const first = logins.pending()[0];
  logins.deny(first?.id ?? '');
  expect(logins.start('npm/12', address(99)).state).toBe('pending');
});

test('the networks of one site can not start logins without end, and keep no other site from it', () => {
  const { logins, time } = sessions();
  const address = (count: number) => `2001:db8:1:2${(count % 256).toString(16).padStart(2, '0')}::1`;
  for (let index = 0; index < 100; index += 1) logins.start('npm/12', address(index));
  expect(() => logins.start('npm/12', address(200))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  expect(logins.start('npm/12', '2001:db8:1:300::1').state).toBe('pending');
  // A minute later its logins still wait.
  time.now += 61_000;
  expect(() => logins.start('npm/12', address(200))).toThrow(expect.objectContaining({ code: 'rate_limited' }));
});

test('logins from very many networks take the place of the oldest', () => {
  const { logins } = sessions();
  const oldest = logins.start('npm/12', '192.0.2.1');
  for (let index = 0; index < 1200; index += 1) logins.start('npm/12', `10.${index >> 8}.${index & 255}.1`);
  expect(logins.pending()).toHaveLength(1000);
  expect(logins.find(oldest.id)).toBeUndefined();
});

test('nothing that a window is told lets it collect the token', () => {
  const { logins } = sessions();
  const { secret, formKey } = logins.start('npm/12', null);
  expect(JSON.stringify(logins.pending())).not.toContain(secret);
  expect(JSON.stringify(logins.pending())).not.toContain(formKey);
});
