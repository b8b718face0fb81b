import { describe, expect, it } from 'vitest';
import { baseNameOf, foreignNameProblem, nameProblem, scopeOf, tarballFileName } from './package-name.ts';

describe('nameProblem', () => {
  it.each([
    'a',
    'plain-one',
    '@acme/widget',
    'JSONStream',
    'constructor',
    'toString',
    'a.b_c',
    '@my_scope/x.y',
    'x'.repeat(214),
  ])('takes %s', (name) => {
    expect(nameProblem(name)).toBeUndefined();
  });
  it.each([
    '',
    '@inv@lid_scope/package',
    '@scope/sub/group',
    '@scope/../../package',
    '@scope%2e%2e%2fpackage',
    '@group/my_inv@@lid_package_name',
    '../x',
    '.hidden',
    '_private',
    '__proto__',
    'node_modules',
    'favicon.ico',
    'has space',
    'ünicode',
    '@/x',
    '@scope/',
    '@scope.git/x',
    'a\nb',
    'x'.repeat(215),
  ])('refuses %j', (name) => {
    expect(nameProblem(name)).toBeDefined();
  });
});

it('tells scope, base name and tarball of a name', () => {
  expect([scopeOf('@a/b'), baseNameOf('@a/b'), tarballFileName('@a/b', '1.0.0')]).toEqual(['@a', 'b', 'b-1.0.0.tgz']);
  expect([scopeOf('b'), baseNameOf('b'), tarballFileName('b', '1.0.0')]).toEqual([null, 'b', 'b-1.0.0.tgz']);
});

it('lets names with a hyphen in front come from other registries, which npm refuses for new packages', () => {
  expect(nameProblem('-x')).toContain('hyphen');
  expect(foreignNameProblem('-x')).toBeUndefined();
  expect(foreignNameProblem('--')).toBeUndefined();
  expect(foreignNameProblem('-')).toBeDefined();
  expect(foreignNameProblem('-/../x')).toBeDefined();
});
