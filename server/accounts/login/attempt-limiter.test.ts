import { expect, test } from 'vitest';
import { AttemptLimiter } from './attempt-limiter.ts';

test('refuses after the limit, with the time to wait, until the window ends', () => {
  let now = 0;
  const limiter = new AttemptLimiter({ attempts: 2, window: 10_000 }, () => now);
  limiter.note('a');
  limiter.check('a');
  limiter.note('a');
  now = 4000;
  expect(() => limiter.check('b', 'a')).toThrow(
    expect.objectContaining({ code: 'rate_limited', details: { retryAfterSeconds: 6 } }),
  );
  limiter.check('b');
  now = 10_000;
  limiter.check('a');
});

test('takes back an attempt that was right', () => {
  const limiter = new AttemptLimiter({ attempts: 1, window: 1000 }, () => 0);
  limiter.note('a');
  limiter.forgive('a');
  limiter.check('a');
});

test('keeps a bounded number of keys', () => {
  const limiter = new AttemptLimiter({ attempts: 1, window: 1000 }, () => 0);
  for (let index = 0; index < 20_000; index += 1) limiter.note(`key ${index}`);
  limiter.check('key 0');
  expect(() => limiter.check('key 19999')).toThrow();
});

test('keeps a limit that was reached, however many other keys come after it', () => {
  const limiter = new AttemptLimiter({ attempts: 3, window: 1000 }, () => 0);
  for (let attempt = 0; attempt < 3; attempt += 1) limiter.note('guessed at');
  for (let index = 0; index < 30_000; index += 1) limiter.note(`key ${index}`);
  expect(() => limiter.check('guessed at')).toThrow();
});
