import { describe, expect, it } from 'vitest';
import { environmentNameComplaints, guessTier, protectionNameComplaints, slugOf } from './naming.ts';

describe('guessTier', () => {
  it.each([
    ['production', 'production'],
    ['prod/eu', 'production'],
    ['live', 'production'],
    ['staging', 'staging'],
    ['stg-1', 'staging'],
    ['demo', 'staging'],
    ['qa', 'testing'],
    ['acceptance', 'testing'],
    ['acpt', 'testing'],
    ['integration', 'testing'],
    ['review/app-1', 'development'],
    ['Development', 'development'],
    ['gprd', 'production'],
    ['customer-a', 'other'],
  ])('takes %s for %s', (name, tier) => {
    expect(guessTier(name)).toBe(tier);
  });
});

describe('slugOf', () => {
  it('keeps a name that is a slug already, and marks every other one with a suffix of its own', () => {
    expect(slugOf('production')).toBe('production');
    expect(slugOf('a-b')).toBe('a-b');
    expect(slugOf('Production')).toMatch(/^production-[a-z0-9]{6}$/);
    expect(slugOf('1-a')).toMatch(/^env-1-a-[a-z0-9]{6}$/);
    expect(slugOf('review/a_b')).not.toBe(slugOf('review/a-b'));
  });

  it.each(['x'.repeat(80), 'review/feature/with a very long name', '---', 'ä', '9', 'a--b', '/'])(
    'makes of %j at most 24 characters that a host name may have',
    (name) => {
      expect(slugOf(name)).toMatch(/^[a-z](?!.*--)[a-z0-9-]{0,22}[a-z0-9]$/);
    },
  );
});

describe('names', () => {
  it('holds environments to GitLab’s rule', () => {
    for (const name of ['production', 'review/app-1', 'a b', '${x}.{y}', 'x'.repeat(255)]) {
      expect(environmentNameComplaints(name)).toEqual([]);
    }
    for (const name of ['', ' ', '/a', 'a/', 'ä', 'a\nb', 'a:b', 'x'.repeat(256)]) {
      expect(environmentNameComplaints(name)).toHaveLength(1);
    }
  });

  it('leaves protections every text of 1 to 255 characters without control characters', () => {
    for (const name of ['*', 'größe', '😀'.repeat(255), '/']) expect(protectionNameComplaints(name)).toEqual([]);
    expect(protectionNameComplaints('😀'.repeat(256))).toEqual(['Name is too long (maximum is 255 characters)']);
    for (const name of ['a\u0085b', 'a\ud800b', 'a\u202eb', 'a\u200bb']) {
      expect(protectionNameComplaints(name)).toEqual(['Name contains control characters']);
    }
  });
});
