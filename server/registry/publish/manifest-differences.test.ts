import { expect, it } from 'vitest';
import { manifestDifferences } from './manifest-differences.ts';

const packed = {
  name: '@acme/a',
  version: 'v1.0.0',
  bin: './cli.js',
  dependencies: { b: '^1.0.0', c: 'acme/c', d: '1' },
  optionalDependencies: { d: '1' },
  peerDependencies: { react: '>=16' },
  bundledDependencies: ['b'],
  scripts: { test: 'x', postinstall: 'node setup.js' },
};

it.each([
  ['npm 12', { bin: { a: 'cli.js' }, bundleDependencies: ['b'], bundledDependencies: undefined, version: '1.0.0' }],
  ['npm 8, which repeats optional dependencies', { dependencies: { ...packed.dependencies, d: '1' } }],
  ['yarn 1, which leaves them out', { dependencies: { b: '^1.0.0', c: 'acme/c' } }],
  [
    'an address of a repository in full',
    { dependencies: { ...packed.dependencies, c: 'git+ssh://git@github.com/acme/c.git' } },
  ],
  ['a build of binding.gyp', { scripts: { ...packed.scripts, install: 'node-gyp rebuild' } }],
  ['scripts that no installer runs', { scripts: { postinstall: 'node setup.js', build: 'y' } }],
])('%s says the same', (_what, changes) => {
  expect(manifestDifferences({ ...packed, ...changes }, packed)).toEqual([]);
});

it.each([
  ['dependencies', { dependencies: { ...packed.dependencies, evil: '1' } }],
  ['dependencies', { dependencies: { ...packed.dependencies, b: 'npm:evil@1' } }],
  ['dependencies', { dependencies: { ...packed.dependencies, b: 'https://evil.example/b.tgz' } }],
  ['peerDependencies', { peerDependencies: {} }],
  ['bundleDependencies', { bundledDependencies: ['b', 'c'] }],
  ['bin', { bin: { a: 'cli.js', node: 'evil.js' } }],
  ['scripts', { scripts: {} }],
  ['scripts', { scripts: { postinstall: 'other' } }],
])('a document with other %s is known', (field, changes) => {
  expect(manifestDifferences({ ...packed, ...changes }, packed)).toEqual([field]);
});

it('takes fields of any kind', () => {
  for (const value of [null, 1, 'x', [], [1], { a: 1 }, { __proto__: null }])
    for (const field of ['dependencies', 'bin', 'scripts', 'bundledDependencies', 'directories'])
      manifestDifferences({ [field]: value }, { [field]: value });
});
