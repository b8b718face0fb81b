import { describe, expect, test } from 'vitest';
import { GatehouseError } from '../contract/errors.ts';
import type { Principal } from '../accounts/access/principal.ts';
import { TokenGuard } from './token-guard.ts';

const somebody = { kind: 'user' } as Extract<Principal, { kind: 'user' }>;

function guardWith(clock: { now: number }) {
  const lookedUp: string[] = [];
  const guard = new TokenGuard(
    {
      authenticate(token) {
        lookedUp.push(token);
        if (token.startsWith('valid')) return somebody;
        throw new GatehouseError(token === 'expired' ? 'token_expired' : 'unauthenticated');
      },
    },
    () => clock.now,
  );
  const outcome = (token: string, address: string | null): string => {
    try {
      guard.authenticate(token, address);
      return 'accepted';
    } catch (error) {
      return error instanceof GatehouseError ? error.code : 'other';
    }
  };
  return { guard, lookedUp, outcome };
}

describe('somebody who guesses tokens from another machine', () => {
  const address = '192.0.2.7';

  test('hears the same 429 after sixty wrong ones, and nothing is looked up any more', () => {
    const clock = { now: 0 };
    const { lookedUp, outcome } = guardWith(clock);
    const heard = Array.from({ length: 100 }, (_, index) => outcome(`guess-${index}`, address));
    expect(heard.slice(0, 60).every((code) => code === 'unauthenticated')).toBe(true);
    expect(heard.slice(60).every((code) => code === 'rate_limited')).toBe(true);
    expect(lookedUp).toHaveLength(60);
    expect(outcome('expired', address)).toBe('rate_limited');
    expect(outcome('valid-but-never-seen', address)).toBe('rate_limited');
    expect(outcome('valid', '192.0.2.8')).toBe('accepted');
    clock.now += 61_000;
    expect(outcome('guess', address)).toBe('unauthenticated');
  });

  test('does not lock out a token that was accepted before', () => {
    const { outcome } = guardWith({ now: 0 });
    outcome('valid', address);
    for (let count = 0; count < 100; count += 1) outcome(`guess-${count}`, address);
    expect(outcome('valid', address)).toBe('accepted');
  });

  test('is one guesser within a network of IPv6', () => {
    const { outcome } = guardWith({ now: 0 });
    const heard = Array.from({ length: 80 }, (_, index) => outcome('guess', `2001:db8:0:7::${index.toString(16)}`));
    expect(heard.at(-1)).toBe('rate_limited');
    expect(outcome('guess', '2001:db8:0:8::1')).toBe('unauthenticated');
  });
});

test('on this machine every valid token goes on working whoever guesses', () => {
  const { outcome } = guardWith({ now: 0 });
  const heard = Array.from({ length: 400 }, (_, index) => outcome(`guess-${index}`, '127.0.0.1'));
  expect(heard.filter((code) => code === 'rate_limited')).toHaveLength(100);
  expect(outcome('valid-and-new', '::1')).toBe('accepted');
});

test('a secret that stands elsewhere in a request is one guess more', () => {
  const { guard, outcome } = guardWith({ now: 0 });
  const lookUp = () =>
    guard.lookUp('guess', '192.0.2.7', () => {
      throw new GatehouseError('not_found');
    });
  for (let count = 0; count < 60; count += 1) expect(lookUp).toThrow(expect.objectContaining({ code: 'not_found' }));
  expect(lookUp).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  expect(outcome('guess', '192.0.2.7')).toBe('rate_limited');
  expect(guard.lookUp('guess', '192.0.2.8', () => 'found')).toBe('found');
});
