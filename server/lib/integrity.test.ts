import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { expectedIntegrity, integrityOf, sameIntegrity } from './integrity.ts';

const sri = (algorithm: string): string => `${algorithm}-${createHash(algorithm).update('a tarball').digest('base64')}`;

it.each(['sha512', 'sha384', 'sha256', 'sha1'] as const)(
  'compares %s, one of several, without its options',
  (algorithm) => {
    const actual = integrityOf(createHash(algorithm).update('a tarball').digest('hex'), algorithm);
    expect(actual).toBe(sri(algorithm));
    for (const [text, fits] of [
      [sri(algorithm), true],
      [`${sri(algorithm)}?option`, true],
      [`${algorithm}-AAAA ${sri(algorithm)}`, true],
      [`${algorithm}-AAAA`, false],
    ] as const) {
      const expected = expectedIntegrity({ integrity: text });
      expect(expected?.algorithm).toBe(algorithm);
      expect(sameIntegrity(actual, expected?.text ?? ''), text).toBe(fits);
    }
  },
);

it('believes the strongest hash and no weaker one beside it', () => {
  expect(expectedIntegrity({ integrity: `${sri('sha1')} sha512-AAAA` })?.algorithm).toBe('sha512');
  expect(expectedIntegrity({ integrity: 'sha512-AAAA', shasum: 'a'.repeat(40) })?.algorithm).toBe('sha512');
  const shasum = createHash('sha1').update('a tarball').digest('hex');
  expect(expectedIntegrity({ shasum })?.text).toBe(sri('sha1'));
  expect(expectedIntegrity({ integrity: 'md5-AAAA', shasum: 'nonsense' })).toBeUndefined();
  expect(expectedIntegrity({})).toBeUndefined();
});

it('compares what can be compared', () => {
  expect(sameIntegrity(sri('sha512'), `${sri('sha1')} ${sri('sha512')}`)).toBe(true);
  expect(sameIntegrity(sri('sha512'), 'sha512-AAAA')).toBe(false);
  expect(sameIntegrity(sri('sha512'), sri('sha1'))).toBeUndefined();
  expect(sameIntegrity(sri('sha512'), '')).toBeUndefined();
});
