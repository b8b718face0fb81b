import { describe, expect, it } from 'vitest';
import { readLockfile } from './lockfiles.ts';

const one = { name: '@a/one', version: '1.0.0', integrity: 'sha512-abc' };
const two = { name: 'two', version: '2.0.0-rc.1', integrity: null };

describe('lockfiles', () => {
  it('of npm 7 and later: no root, workspaces, links, bundled or foreign packages; aliases by their real name', () => {
    const text = JSON.stringify({
      lockfileVersion: 3,
      packages: {
        '': { name: 'app', version: '1.0.0' },
        'packages/lib': { name: 'lib', version: '1.0.0' },
        'node_modules/lib': { resolved: 'packages/lib', link: true },
        'node_modules/@a/one': { version: '1.0.0', integrity: 'sha512-abc', resolved: 'https://r/x.tgz' },
        'node_modules/x/node_modules/two': { version: '2.0.0-rc.1' },
        'node_modules/alias': { name: '@a/one', version: '1.0.0', integrity: 'sha512-abc' },
        'node_modules/inside': { version: '1.0.0', inBundle: true },
        'node_modules/git': { version: '1.0.0', resolved: 'git+ssh://git@host/x.git#abc' },
      },
    });
    expect(readLockfile('package-lock.json', text)).toEqual([one, two]);
  });

  it('of npm 6', () => {
    const text = JSON.stringify({
      lockfileVersion: 1,
      dependencies: {
        '@a/one': {
          version: '1.0.0',
          integrity: 'sha512-abc',
          dependencies: { two: { version: '2.0.0-rc.1' }, inside: { version: '1.0.0', bundled: true } },
        },
        alias: { version: 'npm:two@2.0.0-rc.1' },
        git: { version: 'git+https://host/x.git#abc' },
      },
    });
    expect(readLockfile('/some/where/npm-shrinkwrap.json', text)).toEqual([one, two]);
  });

  it.each([
    ['9', `'@a/one@1.0.0'`, `two@2.0.0-rc.1`],
    ['6', `/@a/one@1.0.0(peer@3.0.0)`, `/two@2.0.0-rc.1(@x/y@1.0.0)`],
    ['5', `/@a/one/1.0.0`, `/two/2.0.0-rc.1_peer@3.0.0`],
  ])('of pnpm, format %s', (_format, first, second) => {
    const text = [
      'lockfileVersion: 1',
      'packages:',
      `  ${first}:`,
      '    resolution: {integrity: sha512-abc}',
      `  ${second}:`,
      '    resolution: {integrity: sha512-def}',
      '  git.example/x/y/abc:',
      '    resolution: {commit: abc, repo: x, type: git}',
    ].join('\n');
    expect(readLockfile('pnpm-lock.yaml', text)).toEqual([one, { ...two, integrity: 'sha512-def' }]);
  });

  it('of Yarn 1, with the hash of the address where there is no integrity', () => {
    const sha1 = 'a'.repeat(40);
    const text = `# yarn lockfile v1\n\n
"@a/one@^1.0.0", "@a/one@~1.0.0":
  version "1.0.0"
  resolved "https://r/one.tgz#${sha1}"
  integrity sha512-abc
  dependencies:
    two "^2.0.0"

alias@npm:two@^2.0.0:
  version "2.0.0-rc.1"
  resolved "https://r/two.tgz#${sha1}"

local@file:./x:
  version "1.0.0"
`;
    const found = readLockfile('yarn.lock', text);
    expect(found).toContainEqual(one);
    expect(found).toContainEqual({ ...two, integrity: `sha1-${Buffer.from(sha1, 'hex').toString('base64')}` });
  });

  it('of Yarn 2 and later', () => {
    const text = `__metadata:
  version: 8

"@a/one@npm:^1.0.0":
  version: 1.0.0
  resolution: "@a/one@npm:1.0.0"
  checksum: 10c0/ffff
  linkType: hard

"two@npm:*":
  version: 2.0.0-rc.1
  resolution: "two@npm:2.0.0-rc.1::__archiveUrl=https%3A%2F%2Fr"

"app@workspace:.":
  version: 0.0.0-use.local
  resolution: "app@workspace:."
  linkType: soft
`;
    expect(readLockfile('yarn.lock', text)).toEqual([{ ...one, integrity: null }, two]);
  });

  it('of Bun, with its commas', () => {
    const text = `{
  "lockfileVersion": 1,
  "workspaces": { "": { "name": "app, }", }, },
  "packages": {
    "@a/one": ["@a/one@1.0.0", "", { "dependencies": { "two": "^2", }, }, "sha512-abc"],
    "two": ["two@2.0.0-rc.1", "", {}],
    "lib": ["lib@workspace:packages/lib"],
  },
}`;
    expect(readLockfile('bun.lock', text)).toEqual([one, two]);
  });

  it('that are none are refused with what would do', () => {
    expect(() => readLockfile('Cargo.lock', '')).toThrow(/package-lock\.json/);
    expect(() => readLockfile('bun.lockb', '')).toThrow(/--save-text-lockfile/);
    expect(() => readLockfile('package-lock.json', '{')).toThrow(/cannot be read/);
    expect(() => readLockfile('package-lock.json', '{"packages": 5}')).toThrow(/cannot be read/);
  });
});
