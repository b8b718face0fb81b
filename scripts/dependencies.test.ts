import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const projectFolder = path.resolve(import.meta.dirname, '..');

interface Lockfile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly integrity?: string;
        readonly resolved?: string;
        readonly license?: string;
        readonly link?: boolean;
        readonly inBundle?: boolean;
      }
    >
  >;
}

/** Licences that a program under MIT can ship or be built with. What is new is looked at by a person before it is added. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'MPL-2.0',
  'OFL-1.1',
  'CC0-1.0',
  'CC-BY-4.0',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Artistic-2.0',
  'Zlib',
]);

/**
 * Packages of the tools that the tests run and nothing ships, read by a person: MIT in its LICENSE file, a list under CC-BY, and the licence
 * of Python for a part of a linter.
 */
const readAndAgreed = new Set([
  'spawndamnit: SEE LICENSE IN LICENSE',
  'spdx-exceptions: CC-BY-3.0',
  'argparse: PSF-2.0',
]);

const lockfiles = ['package-lock.json', 'test/clients/package-lock.json'];

/** Every package that a lock file has fetched, by the folder that it is installed to; what another one carries with it is covered by that. */
function packagesOf(file: string): [string, Lockfile['packages'][string]][] {
  const lock = JSON.parse(readFileSync(path.join(projectFolder, file), 'utf8')) as Lockfile;
  expect(lock.lockfileVersion).toBe(3);
  return Object.entries(lock.packages).filter(
    ([folder, facts]) => folder !== '' && facts.link !== true && facts.inBundle !== true,
  );
}

describe.each(lockfiles)('%s', (file) => {
  test('holds the SHA-512 of every package, so that none can be exchanged on its way', () => {
    const without = packagesOf(file).filter(([, facts]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(facts.integrity ?? ''));
    expect(without.map(([folder]) => folder)).toEqual([]);
  });

  test('names no address to fetch from, so that every machine uses its own registry', () => {
    expect(
      packagesOf(file).flatMap(([folder, facts]) =>
        facts.resolved === undefined ? [] : [`${folder}: ${facts.resolved}`],
      ),
    ).toEqual([]);
  });

  test('brings no package under a licence that nobody has agreed to', () => {
    const others = packagesOf(file).filter(([, { license }]) => {
      const choices = (license ?? 'none').replaceAll(/[()]/g, '').split(/ OR /);
      return !choices.some((choice) => choice.split(/ AND /).every((part) => allowed.has(part.trim())));
    });
    const named = others.map(
      ([folder, { license }]) => `${folder.replace(/^.*node_modules\//, '')}: ${license ?? 'no licence'}`,
    );
    expect(named.filter((name) => !readAndAgreed.has(name))).toEqual([]);
  });
});

test('every direct dependency is pinned to one version', () => {
  const manifest = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >;
  const ranges = ['dependencies', 'devDependencies', 'overrides'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {}),
  );
  expect(ranges.filter(([, range]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(range))).toEqual([]);
});

test('only the packages that are named here may run a script when they are installed', () => {
  const { allowScripts } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>;
  };
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node']);
});
