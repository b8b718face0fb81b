import { describe, expect, it } from 'vitest';
import { compareVersionsDescending, computedLatest, isValidVersion, tagProblem } from './package-version.ts';

describe('isValidVersion', () => {
  it.each(['0.0.0', '1.2.3', '1.2.3-beta.1', '1.2.3+build.5', '1.0.0-a-b.c', '10.20.30-rc.1+x.y'])(
    'takes %s',
    (version) => {
      expect(isValidVersion(version)).toBe(true);
    },
  );
  it.each([
    '1',
    '1.2',
    '1./2.3',
    '../../../../../1.2.3',
    '%2e%2e%2f1.2.3',
    'v1.2.3',
    '01.2.3',
    '1.2.3-01',
    '',
    ' 1.2.3',
    '1.2.3\n',
    `1.2.3-${'a'.repeat(300)}`,
  ])('refuses %j', (version) => {
    expect(isValidVersion(version)).toBe(false);
  });
});

describe('computedLatest', () => {
  it('is the highest release, not the highest prerelease', () => {
    expect(computedLatest(['1.0.0', '2.0.0-beta', '1.10.0', '1.9.0'])).toBe('1.10.0');
  });
  it('is the highest prerelease where there is no release', () => {
    expect(computedLatest(['1.0.0-alpha', '1.0.0-beta.2', '1.0.0-beta.10'])).toBe('1.0.0-beta.10');
  });
  it('is nothing where there is nothing', () => {
    expect(computedLatest([])).toBeUndefined();
  });
});

it('orders versions highest first, builds of equal precedence included', () => {
  const sorted = ['1.0.0', '1.0.0+b', '2.0.0-rc.1', '2.0.0', '1.0.0+a'].toSorted(compareVersionsDescending);
  expect(sorted.slice(0, 2)).toEqual(['2.0.0', '2.0.0-rc.1']);
  expect(new Set(sorted.slice(2))).toEqual(new Set(['1.0.0', '1.0.0+b', '1.0.0+a']));
  expect(sorted).toEqual(sorted.toReversed().toSorted(compareVersionsDescending));
});

describe('tagProblem', () => {
  it.each(['latest', 'beta', 'next-1', 'release_candidate', 'v2-dev', '2fast', 'v', 'next', 'X-men'])(
    'takes %s',
    (tag) => {
      expect(tagProblem(tag)).toBeUndefined();
    },
  );
  it.each([
    '',
    ' ',
    '1.0.0',
    '^1',
    'v1.2',
    '*',
    '>=2',
    'x',
    'X',
    'vx',
    '||',
    'a b',
    'a/b',
    'a%2f',
    'é\n',
    't'.repeat(129),
  ])('refuses %j', (tag) => {
    expect(tagProblem(tag)).toBeDefined();
  });
});
