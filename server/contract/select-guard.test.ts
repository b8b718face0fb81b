import { describe, expect, it } from 'vitest';
import { matchesTag, selectGuard } from './select-guard.ts';

describe('matchesTag', () => {
  it.each([
    ['latest', 'latest', true],
    ['latest', 'latest-1', false],
    ['*', 'anything', true],
    ['*-lts', 'v20-lts', true],
    ['*-lts', '-lts', true],
    ['*-lts', 'lts', false],
    ['v*-lts', 'v-lts', true],
    ['v*-lts', 'v20-lts-old', false],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['ab*ba', 'aba', false],
    ['**', '', true],
    ['next.*', 'nextX1', false],
  ])('%s matches %s: %s', (pattern, tag, expected) => {
    expect(matchesTag(pattern, tag)).toBe(expected);
  });

  it('takes no longer for a pattern made to go back and forth', () => {
    expect(matchesTag(`${'*a'.repeat(60)}*b`, 'a'.repeat(128))).toBe(false);
  });
});

describe('selectGuard', () => {
  const guards = ['*', '*-lts', 'v*-lts', 'latest', 'l*', 'v20-lts'].map((pattern) => ({ pattern }));

  it.each([
    ['latest', 'latest'],
    ['lambda', 'l*'],
    ['v18-lts', 'v*-lts'],
    ['v20-lts', 'v20-lts'],
    ['x-lts', '*-lts'],
    ['next', '*'],
  ])('guards %s by %s', (tag, pattern) => {
    expect(selectGuard(guards, tag)?.pattern).toBe(pattern);
  });

  it('finds nothing for a tag that nothing matches', () => {
    expect(selectGuard([{ pattern: 'next' }], 'latest')).toBeUndefined();
  });

  it('takes the first in code point order of patterns of one length', () => {
    expect(selectGuard([{ pattern: 'v*' }, { pattern: '*1' }], 'v1')?.pattern).toBe('*1');
  });
});
