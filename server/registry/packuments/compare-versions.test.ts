import { describe, expect, it } from 'vitest';
import { compareInstalls, compareVersions, type ComparedVersion } from './compare-versions.ts';

function version(manifest: Record<string, unknown>, files: Record<string, string>): ComparedVersion {
  const listed = Object.entries(files).map(([path, sha1]) => ({ path, size: sha1.length, executable: false, sha1 }));
  return { version: String(manifest['version']), size: 100, unpackedSize: 200, manifest, files: listed };
}

describe('compareVersions', () => {
  const from = version(
    {
      version: '1.0.0',
      license: 'MIT',
      dependencies: { kept: '^1.0.0', raised: '^1.0.0', dropped: '*' },
      scripts: { test: 'vitest', postinstall: 'node a.js' },
    },
    { 'a.js': 'one', 'b.js': 'two', 'c.js': 'three' },
  );
  const to = version(
    {
      version: '1.1.0',
      license: 'Apache-2.0',
      engines: { node: '>=22' },
      dependencies: { kept: '^1.0.0', raised: '^2.0.0' },
      peerDependencies: { react: '>=18' },
      scripts: { test: 'other', preinstall: 'curl evil', postinstall: 'node a.js' },
    },
    { 'a.js': 'one', 'b.js': 'changed', 'd.js': 'four' },
  );

  it('says which files, dependencies, install scripts and facts differ', () => {
    expect(compareVersions(from, to)).toEqual({
      from: { version: '1.0.0', size: 100, unpackedSize: 200, fileCount: 3 },
      to: { version: '1.1.0', size: 100, unpackedSize: 200, fileCount: 3 },
      files: {
        added: [{ path: 'd.js', size: 4 }],
        removed: [{ path: 'c.js', size: 5 }],
        changed: [{ path: 'b.js', size: 7, sizeBefore: 3 }],
        unchanged: 1,
      },
      dependencies: [
        { name: 'dropped', kind: 'dependencies', from: '*', to: null },
        { name: 'raised', kind: 'dependencies', from: '^1.0.0', to: '^2.0.0' },
        { name: 'react', kind: 'peerDependencies', from: null, to: '>=18' },
      ],
      installScripts: [{ name: 'preinstall', from: null, to: 'curl evil' }],
      facts: [
        { name: 'license', from: 'MIT', to: 'Apache-2.0' },
        { name: 'engines', from: null, to: '{"node":">=22"}' },
      ],
    });
  });

  it('has every file and dependency of a first version as new', () => {
    const { from: before, files, dependencies, installScripts, facts } = compareVersions(undefined, to);
    expect({ before, facts }).toEqual({ before: null, facts: [] });
    expect(files.added.map(({ path }) => path)).toEqual(['a.js', 'b.js', 'd.js']);
    expect(dependencies.map(({ name }) => name)).toEqual(['kept', 'raised', 'react']);
    expect(installScripts.map(({ name }) => name)).toEqual(['preinstall', 'postinstall']);
  });
});

describe('compareInstalls', () => {
  const before = { versions: ['1.0.0', '1.1.0'], tags: { latest: '1.1.0', next: '1.1.0' } };

  it.each([
    [
      'a new version as latest',
      { versions: ['1.0.0', '1.1.0', '2.0.0'], tags: { latest: '2.0.0', next: '1.1.0' } },
      ['latest'],
      ['npm install lib 1.1.0 -> 2.0.0', 'npm install lib@^1.1.0 1.1.0 -> 1.1.0'],
    ],
    [
      'a new version as another tag changes nothing where latest fits the range',
      { versions: ['1.0.0', '1.1.0', '1.2.0'], tags: { latest: '1.1.0', next: '1.2.0' } },
      ['next'],
      [
        'npm install lib 1.1.0 -> 1.1.0',
        'npm install lib@next 1.1.0 -> 1.2.0',
        'npm install lib@^1.1.0 1.1.0 -> 1.1.0',
      ],
    ],
    [
      'latest moved back',
      { ...before, tags: { latest: '1.0.0', next: '1.1.0' } },
      ['latest'],
      ['npm install lib 1.1.0 -> 1.0.0', 'npm install lib@^1.1.0 1.1.0 -> 1.1.0'],
    ],
  ])('%s', (_, after, tags, expected) => {
    const installs = compareInstalls('lib', before, after, tags);
    expect(installs.map((each) => `${each.command} ${each.before} -> ${each.after}`)).toEqual(expected);
  });

  it('tells of a first version', () => {
    const empty = { versions: [], tags: {} };
    expect(compareInstalls('lib', empty, { versions: ['1.0.0'], tags: { latest: '1.0.0' } }, ['latest'])).toEqual([
      { command: 'npm install lib', before: null, after: '1.0.0' },
    ]);
  });
});
