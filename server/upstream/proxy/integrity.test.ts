import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { IntegrityCheck, expectedIntegrity, parseIntegrity, sameIntegrity } from './integrity.ts';

const bytes = Buffer.from('a tarball');
const sri = (algorithm: string): string => `${algorithm}-${createHash(algorithm).update(bytes).digest('base64')}`;

it.each(['sha512', 'sha384', 'sha256', 'sha1'])('verifies %s, in pieces', (algorithm) => {
  for (const [text, fits] of [
    [sri(algorithm), true],
    [`${sri(algorithm)}?option`, true],
    [`${algorithm}-AAAA ${sri(algorithm)}`, true],
    [`${algorithm}-AAAA`, false],
  ] as const) {
    const expected = parseIntegrity(text);
    if (!expected) throw new Error('not parsed');
    const check = new IntegrityCheck(expected);
    check.update(bytes.subarray(0, 3));
    check.update(bytes.subarray(3));
    expect(check.problem() === undefined, text).toBe(fits);
  }
});

it('believes the strongest hash and no weaker one beside it', () => {
  expect(expectedIntegrity({ integrity: `${sri('sha1')} sha512-AAAA` })?.algorithm).toBe('sha512');
  expect(expectedIntegrity({ integrity: 'sha512-AAAA', shasum: 'a'.repeat(40) })?.algorithm).toBe('sha512');
  expect(expectedIntegrity({ shasum: createHash('sha1').update(bytes).digest('hex') })?.text).toBe(sri('sha1'));
  expect(expectedIntegrity({ integrity: 'md5-AAAA', shasum: 'nonsense' })).toBeUndefined();
  expect(expectedIntegrity({})).toBeUndefined();
});

it('compares what can be compared', () => {
  expect(sameIntegrity(sri('sha512'), `${sri('sha1')} ${sri('sha512')}`)).toBe(true);
  expect(sameIntegrity(sri('sha512'), 'sha512-AAAA')).toBe(false);
  expect(sameIntegrity(sri('sha512'), sri('sha1'))).toBeUndefined();
});
