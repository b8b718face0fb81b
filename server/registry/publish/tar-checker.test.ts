import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { longHeader, paxOf, rawEntry } from '../../../test/support/tarballs.ts';
import { GatehouseError } from '../../contract/errors.ts';
import { TarChecker } from './tar-checker.ts';
import { TarballInspector } from './tarball-inspector.ts';

const manifest = JSON.stringify({ name: 'a', version: '1.0.0' });
const evil = JSON.stringify({ name: 'a', version: '1.0.0', scripts: { postinstall: 'evil' } });
const packageJson = rawEntry(manifest, { name: 'package/package.json' });
const hidden = rawEntry(evil, { name: 'package/package.json' });
const end = Buffer.alloc(1024);

/** What is large enough to be read as a stream; its content does not compress. */
const noise = rawEntry(
  Buffer.from(Array.from({ length: 400_000 }, (_, index) => (index * index * 2_654_435_761) >>> 13)),
  { name: 'package/noise' },
);

async function inspect(tar: readonly Buffer[] | { readonly gzip: Buffer }): Promise<string | undefined> {
  const bytes = 'gzip' in tar ? tar.gzip : gzipSync(Buffer.concat(tar));
  const inspector = new TarballInspector();
  for (let at = 0; at < bytes.length; at += 50_000) await inspector.write(bytes.subarray(at, at + 50_000));
  const error: unknown = await inspector.result().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(GatehouseError);
  expect((error as GatehouseError).status).toBe(400);
  return (error as GatehouseError).message;
}

const write = (offset: number, text: string) => (header: Buffer) => void header.write(text, offset, 'latin1');

/** Each holds a second package.json for some unpackers only, or gives them other files. */
const ambiguous: Readonly<Record<string, readonly Buffer[]>> = {
  'two package.json': [packageJson, hidden],
  'two equal package.json': [packageJson, packageJson],
  'a second package.json in another first folder': [packageJson, rawEntry(evil, { name: 'other/package.json' })],
  'a second package.json without a folder': [packageJson, rawEntry(evil, { name: 'package.json' })],
  'a package.json with a dot in its path': [packageJson, rawEntry(evil, { name: 'package/./package.json' })],
  'a package.json behind two slashes': [packageJson, rawEntry(evil, { name: 'package//package.json' })],
  'a package.json in capitals': [packageJson, rawEntry(evil, { name: 'package/Package.JSON' })],
  'a package.json with a long s': [packageJson, rawEntry(evil, { name: 'package/package.jſon' })],
  'a package.json with a Kelvin sign': [packageJson, rawEntry(evil, { name: 'package/pac\u212aage.json' })],
  'a package.json with an invisible character': [packageJson, rawEntry(evil, { name: 'package/package.j\u200cson' })],
  'a package.json with a dot at its end': [packageJson, rawEntry(evil, { name: 'package/package.json.' })],
  'a package.json as a stream of a file': [packageJson, rawEntry(evil, { name: 'package/package.json::$DATA' })],
  'a package.json by its short name': [packageJson, rawEntry(evil, { name: 'package/PACKAG~1.JSO' })],
  'a package.json that is a folder too': [packageJson, rawEntry('', { name: 'package/package.json/', type: '5' })],
  'a file below package.json': [packageJson, rawEntry('x', { name: 'package/package.json/x' })],
  'the same file twice': [packageJson, rawEntry('1', {}), rawEntry('2', {})],
  'the same file twice in two first folders': [packageJson, rawEntry('1', {}), rawEntry('2', { name: 'other/./x' })],
  'a file outside of a folder': [packageJson, rawEntry('1', { name: 'outside' })],
  'a file that is a folder too': [packageJson, rawEntry('1', {}), rawEntry('', { name: 'package/x/y/', type: '5' })],
  'a folder that is a file too': [packageJson, rawEntry('1', { name: 'package/x/y' }), rawEntry('1', {})],
  'a package.json that is a contiguous file': [rawEntry(manifest, { name: 'package/package.json', type: '7' })],
  'entries after an empty block': [packageJson, Buffer.alloc(512), hidden],
  'entries after the end': [packageJson, end, hidden],
  'text after the end': [packageJson, end, Buffer.from('more'.padEnd(512))],
  'a file with a link target': [packageJson, rawEntry(hidden, { spoil: write(157, 'target') })],
  'a folder with content': [packageJson, rawEntry(hidden, { name: 'package/x/', type: '5' })],
  'a folder by its name with content': [packageJson, rawEntry(hidden, { name: 'package/x/' })],
  'a folder by its pax path': [packageJson, longHeader('x', paxOf({ path: 'package/x/' })), rawEntry(hidden, {})],
  'another size in pax': [packageJson, longHeader('x', paxOf({ size: '1' })), rawEntry(hidden, {})],
  'a size for all entries': [longHeader('g', paxOf({ size: '2' })), packageJson],
  'a path for all entries': [longHeader('g', paxOf({ path: 'package/package.json' })), packageJson],
  'an empty pax path': [packageJson, longHeader('x', '8 path=\n'), rawEntry(hidden, {})],
  'two pax headers': [
    packageJson,
    longHeader('x', paxOf({ path: 'package/y' })),
    longHeader('x', paxOf({ mtime: '1' })),
    rawEntry('1', {}),
  ],
  'a pax header and a long name': [
    packageJson,
    longHeader('x', paxOf({ path: 'package/y' })),
    longHeader('L', 'package/package.json\0'),
    rawEntry(evil, {}),
  ],
  'a global header between': [
    packageJson,
    longHeader('x', paxOf({ path: 'package/y' })),
    longHeader('g', paxOf({ comment: 'x' })),
    rawEntry('1', {}),
  ],
  'two paths in one pax header': [
    packageJson,
    longHeader('x', paxOf({ path: 'package/y' }) + paxOf({ path: 'package/package.json' })),
    rawEntry(evil, {}),
  ],
  'a pax record within a pax record': [
    packageJson,
    longHeader('x', paxOf({ comment: `x\n${paxOf({ path: 'package/package.json' })}`.trimEnd() })),
    rawEntry(evil, {}),
  ],
  'a pax record with a wrong length': [
    packageJson,
    longHeader('x', '99 path=package/package.json\n'),
    rawEntry(evil, {}),
  ],
  'a sparse file': [
    packageJson,
    longHeader('x', paxOf({ 'GNU.sparse.name': 'package/package.json' })),
    rawEntry(evil, {}),
  ],
  'a NUL in a long name': [packageJson, longHeader('L', 'package/y\0\npackage.json'), rawEntry(evil, {})],
  'a NUL in a name': [packageJson, rawEntry(evil, { name: 'package/y\0\nckage.json' })],
  'a NUL in a prefix': [packageJson, rawEntry(evil, { name: 'package.json', spoil: write(345, 'package\0\n/y') })],
  'a long link name before a file': [packageJson, longHeader('K', 'package/target\0'), rawEntry('1', {})],
  'an old long name': [packageJson, rawEntry('package/package.json\0', { type: 'N' }), rawEntry(evil, {})],
  'a prefix in an old header': [
    packageJson,
    rawEntry(evil, {
      name: 'package.json',
      spoil: (header) => {
        header.write('ustar  \0', 257, 'latin1');
        header.write('package', 345);
      },
    }),
  ],
  'a prefix in a header of another version': [
    packageJson,
    rawEntry(evil, {
      name: 'package.json',
      spoil: (header) => {
        header.write('99', 263, 'latin1');
        header.write('package', 345);
      },
    }),
  ],
  'a size in base 256': [
    packageJson,
    rawEntry('1', {
      spoil: (header) => {
        header.fill(0, 124, 136);
        header[124] = 0x80;
        header[135] = 1;
      },
    }),
  ],
  'a size that is no number': [packageJson, rawEntry(hidden, { spoil: write(124, '\0\0\x0000000001000') })],
  'a checksum without an end': [
    packageJson,
    rawEntry(hidden, {
      spoilAfter: (header) => void header.write(`00${header.toString('latin1', 148, 154)}`, 148, 'latin1'),
    }),
  ],
  'a checksum that differs': [packageJson, rawEntry('1', { spoilAfter: write(148, '000001') })],
  'an owner that is no number': [
    packageJson,
    rawEntry(hidden, { spoil: (header) => void header.fill(0x90, 108, 109) }),
  ],
  'a date beyond any': [packageJson, rawEntry(hidden, { spoil: (header) => void header.fill(0xa0, 136, 148) })],
  'a time of access that is no number': [
    packageJson,
    rawEntry(hidden, { spoil: (header) => void header.fill(0x90, 476, 477) }),
  ],
};

const fine: Readonly<Record<string, readonly Buffer[]>> = {
  'what npm packs': [packageJson, rawEntry('1', {})],
  'no end': [packageJson],
  'any first folder, with entries for folders': [
    rawEntry('', { name: 'lib-x/', type: '5' }),
    rawEntry(manifest, { name: 'lib-x/package.json' }),
    rawEntry('1', { name: './index.js' }),
    end,
  ],
  'a dot within the path of another file': [packageJson, rawEntry('1', { name: 'package/./dist/index.js' }), end],
  'files that differ in case': [
    packageJson,
    rawEntry('1', { name: 'package/Readme' }),
    rawEntry('2', { name: 'package/README' }),
    end,
  ],
  'a nested package.json': [packageJson, rawEntry('{}', { name: 'package/node_modules/b/package.json' }), end],
  'the header of git archive': [longHeader('g', paxOf({ comment: '0123abc' })), packageJson, end],
  'a long path in pax, with its size': [
    packageJson,
    longHeader('x', paxOf({ path: `package/${'é'.repeat(80)}`, size: '1', mtime: '1' })),
    rawEntry('1', { name: 'package/long' }),
    end,
  ],
  'a long name as GNU writes it': [
    packageJson,
    longHeader('L', `package/${'long/'.repeat(40)}x\0`),
    rawEntry('1', {}),
    end,
  ],
  'a prefix': [packageJson, rawEntry('1', { name: 'x'.repeat(90), spoil: write(345, 'package/long') }), end],
  'an owner in base 256': [
    packageJson,
    rawEntry('1', {
      spoil: (header) => {
        header.fill(0, 108, 116);
        header[108] = 0x80;
        header[113] = 7;
      },
    }),
    end,
  ],
  'a date before 1970 in base 256': [
    packageJson,
    rawEntry('1', { spoil: (header) => void header.fill(0xff, 136, 148) }),
    end,
  ],
};

describe('a tarball that unpackers read differently', () => {
  it.each(Object.keys(ambiguous))('is refused: %s', async (what) => {
    const blocks = ambiguous[what] ?? [];
    for (const tar of [
      [...blocks, end],
      [noise, ...blocks, end],
    ]) {
      const text = await inspect(tar);
      expect(text).toMatch(/^The tarball .*(?:npm pack|package\.json|may point anywhere|not a gzipped tar)/);
    }
  });

  it('is refused if some read the first part of its gzip only', async () => {
    for (const before of [packageJson, Buffer.concat([noise, packageJson])]) {
      const first = gzipSync(Buffer.concat([before, rawEntry('1', {})]));
      const second = gzipSync(Buffer.concat([rawEntry('2', { name: 'package/y' }), end]));
      expect(await inspect({ gzip: Buffer.concat([first, second]) })).toContain('more than one gzip member');
      const empty = gzipSync('');
      expect(await inspect({ gzip: Buffer.concat([first, empty]) })).toContain('more than one gzip member');
      expect(await inspect({ gzip: Buffer.concat([first, Buffer.alloc(64)]) })).toContain('more than one gzip member');
      expect(await inspect({ gzip: Buffer.concat([first, Buffer.from('more')]) })).toContain('not a gzipped tar');
    }
  });

  it.each(Object.keys(fine))('is not meant: %s', async (what) => {
    const blocks = fine[what] ?? [];
    for (const tar of [blocks, [noise, ...blocks]]) expect(await inspect(tar)).toBeUndefined();
  });
});

describe('a tar that comes in pieces', () => {
  const tar = Buffer.concat([
    longHeader('g', paxOf({ comment: '0123abc' })),
    packageJson,
    longHeader('x', paxOf({ path: `package/${'é'.repeat(80)}`, size: '1300' })),
    rawEntry('x'.repeat(1300), { name: 'package/long' }),
    rawEntry('', { name: 'package/empty' }),
    rawEntry('', { name: 'package/lib/', type: '5' }),
    rawEntry('y'.repeat(512), { name: 'package/lib/block' }),
    end,
  ]);

  it.each([1, 7, 511, 512, 513, 100_000])('has the same entries in pieces of %i bytes', (step) => {
    const found: string[] = [];
    const checker = new TarChecker(({ path, type, size }) => {
      let content = '';
      return {
        take: (bytes) => (content += bytes.toString()),
        end: () => void found.push(`${type} ${path} ${size} ${content}`),
      };
    });
    for (let at = 0; at < tar.length; at += step) checker.check(tar.subarray(at, at + step));
    checker.end();
    expect(found).toEqual([
      `file package/package.json ${manifest.length} ${manifest}`,
      `file package/${'é'.repeat(80)} 1300 ${'x'.repeat(1300)}`,
      'file package/empty 0 ',
      'directory package/lib/ 0 ',
      `file package/lib/block 512 ${'y'.repeat(512)}`,
    ]);
  });
});
