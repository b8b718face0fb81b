import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { extract as extractTar } from 'tar';
import { pack } from 'tar-stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listTarball } from '../../server/registry/packuments/tarball-contents.ts';
import type { Answer } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { scaled } from '../support/scale.ts';
import { longHeader, makeTar, makeTarball, paxOf, paxRecords, rawEntry, sha1Of } from '../support/tarballs.ts';
import { hostileText } from './support/arbitraries.ts';
import { World, expectSafe } from './support/world.ts';

const runs = scaled('GATEHOUSE_FUZZ_RUNS', { short: 300, full: 8000 });

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
afterEach(() => world.expectNothingOutside());

let count = 0;

/** Publishes these bytes as a new package; answers with what the registry said. */
async function publish(
  make: (manifest: { name: string; version: string }) => Promise<Buffer> | Buffer,
): Promise<Answer> {
  count += 1;
  const manifest = { name: `tarball-${count}`, version: '1.0.0' };
  const body = await makePublishDocument({ ...manifest, tarball: await make(manifest) });
  const path = `${world.gatehouse.projectPath()}/${manifest.name}`;
  const answer = await world.gatehouse.send('PUT', path, { body });
  expectSafe(answer, manifest.name, false);
  const after = await world.gatehouse.get(path);
  expect(after.status).toBe(answer.status === 200 ? 200 : 404);
  return answer;
}

const packageJson = (manifest: object) => ({ name: 'package/package.json', content: JSON.stringify(manifest) });

describe('a tarball', () => {
  const paths = [
    '../outside',
    'package/../../outside',
    '/etc/passwd',
    'package/a/../../../b',
    '..',
    'C:/x',
    'c:\\x',
    'package\\..\\x',
    '//server/share',
    'package/..',
    './../x',
  ];
  test.each(paths)('with the path %j is refused', async (name) => {
    const answer = await publish((manifest) => makeTar([packageJson(manifest), { name, content: 'x' }]));
    expect(answer.status, answer.text).toBe(400);
    expect(answer.text).toContain('path');
  });

  const special = [
    { name: 'package/link', type: 'symlink', linkname: '/etc/passwd' },
    { name: 'package/link', type: 'symlink', linkname: 'package.json' },
    { name: 'package/link', type: 'link', linkname: 'package/package.json' },
    { name: 'package/device', type: 'character-device' },
    { name: 'package/disk', type: 'block-device' },
    { name: 'package/pipe', type: 'fifo' },
  ] as const;
  test.each(special)('with a $type is refused', async (entry) => {
    const answer = await publish((manifest) => makeTar([packageJson(manifest), entry]));
    expect(answer.status, answer.text).toBe(400);
  });

  test('whose extended header gives another path is judged by that path', async () => {
    const answer = await publish((manifest) =>
      makeTar(
        [packageJson(manifest)],
        Buffer.concat([longHeader('x', paxOf({ path: '../../outside' })), rawEntry('x', { name: 'package/fine' })]),
      ),
    );
    expect(answer.status, answer.text).toBe(400);
  });

  test.each([false, true])('whose header fills a heap with keys is refused (large: %s)', async (isLarge) => {
    const noise = isLarge ? [{ name: 'package/noise', content: randomBytes(9 * 1024 * 1024) }] : [];
    const answer = await publish((manifest) =>
      makeTar([packageJson(manifest), ...noise], longHeader('x', paxRecords(450_000))),
    );
    expect(answer.status, answer.text).toBe(400);
    expect(answer.text).toContain('header');
  });

  test('with a name of thousands of characters neither fails nor writes', async () => {
    const answer = await publish((manifest) =>
      makeTar([packageJson(manifest), { name: `package/${'long/'.repeat(1000)}x`, content: 'x' }]),
    );
    expect([200, 400]).toContain(answer.status);
  });

  const broken: [string, (manifest: object) => Promise<Buffer> | Buffer][] = [
    ['that is empty', () => Buffer.alloc(0)],
    ['of one byte', () => Buffer.from([0x1f])],
    ['that is no gzip', () => randomBytes(2000)],
    ['that is gzip of nothing', () => gzipSync('')],
    ['that is gzip of no tar', () => gzipSync(randomBytes(5000))],
    ['that is a tar without gzip', async (manifest) => gunzipSync(await makeTarball({ ...manifest }))],
    ['without a package.json', () => makeTar([{ name: 'package/index.js', content: '1' }])],
    [
      'with a package.json in its root',
      (manifest) => makeTar([{ name: 'package.json', content: JSON.stringify(manifest) }]),
    ],
    ['with a package.json that is a folder', () => makeTar([{ name: 'package/package.json', type: 'directory' }])],
    ['with a package.json that is no JSON', () => makeTar([{ name: 'package/package.json', content: '{' }])],
    ['with a package.json that is a list', () => makeTar([{ name: 'package/package.json', content: '[]' }])],
    ['with a package.json that is null', () => makeTar([{ name: 'package/package.json', content: 'null' }])],
    [
      'with a package.json nested without end',
      () => makeTar([{ name: 'package/package.json', content: '['.repeat(200_000) }]),
    ],
    [
      'with a package.json of megabytes',
      () => makeTar([{ name: 'package/package.json', content: Buffer.alloc(5 * 1024 * 1024, ' ') }]),
    ],
    ['of another name', (manifest) => makeTarball({ ...manifest, name: 'other' })],
    ['of another version', (manifest) => makeTarball({ ...manifest, version: '2.0.0' })],
    ['whose name is an object', (manifest) => makeTarball({ ...manifest, name: { toString: 1 } })],
    [
      'that is cut',
      async (manifest) => (await makeTarball({ ...manifest }, { 'big.bin': randomBytes(50_000) })).subarray(0, 30_000),
    ],
    [
      'whose checksum is wrong',
      async (manifest) => {
        const bytes = await makeTarball({ ...manifest });
        bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 0xff;
        return bytes;
      },
    ],
    ['that unpacks to five gigabytes', (manifest) => bomb(manifest, 5)],
    [
      'of a quarter of a million entries',
      (manifest) =>
        makeTar([
          packageJson(manifest),
          ...Array.from({ length: 200_001 }, (_, index) => ({ name: `package/${index}` })),
        ]),
    ],
  ];
  test.each(broken)('%s is refused', async (_what, make) => {
    const answer = await publish(make);
    expect(answer.status, answer.text.slice(0, 300)).toBe(400);
  });

  test('with a second package.json is refused', async () => {
    const answer = await publish((manifest) =>
      makeTar([packageJson(manifest), packageJson({ ...manifest, scripts: { postinstall: 'evil' } })]),
    );
    expect(answer.status, answer.text).toBe(400);
  });

  test('with entries of any name and kind neither fails nor writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            name: hostileText,
            type: fc.constantFrom('file', 'directory', 'symlink', 'link', 'fifo', 'contiguous-file'),
            size: fc.nat({ max: 2000 }),
          }),
          { maxLength: 5 },
        ),
        async (entries) => {
          const answer = await publish((manifest) =>
            makeTar([
              packageJson(manifest),
              ...entries
                .filter((entry) => entry.name !== '')
                .map(({ name, type, size }) => ({
                  // What a tar can hold: its header takes no NUL, and a name of some length.
                  name: name.replaceAll('\0', '').slice(0, 90) || 'x',
                  type: type as 'file',
                  linkname: 'x',
                  content: type === 'file' ? Buffer.alloc(size, 'x') : '',
                })),
            ]),
          );
          expect([200, 400]).toContain(answer.status);
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });

  test('with any bytes overwritten before or after compression neither fails nor writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.uint8Array({ minLength: 1, maxLength: 30 }),
        fc.boolean(),
        async (at, noise, isInner) => {
          const answer = await publish(async (manifest) => {
            const tarball = await makeTarball(manifest);
            const bytes = isInner ? gunzipSync(tarball) : tarball;
            Buffer.from(noise).copy(bytes, Math.floor(at * bytes.length));
            return isInner ? gzipSync(bytes) : bytes;
          });
          expect([200, 400]).toContain(answer.status);
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });
});

/** A piece of a tar that is put together at random: mostly files, now and then what unpackers read differently. */
const piece: fc.Arbitrary<Buffer> = (() => {
  const name = fc.oneof(
    { weight: 3, arbitrary: fc.stringMatching(/^package\/[a-c]{1,3}$/) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...`package/package.json package/./package.json package//package.json package.json other/package.json
        package/Package.json package/package.json/x package/binding.gyp package/README.md package/./a/b package/a/ ./c other/d`.split(
          /\s+/,
        ),
      ),
    },
  );
  const content = fc.constantFrom(
    '',
    '1',
    'x'.repeat(600),
    '{"scripts":{"install":"evil"}}',
    rawEntry('{"scripts":{"install":"evil"}}', { name: 'package/package.json' }),
  );
  const change = fc.oneof(
    fc.constantFrom<[number, string]>(
      [124, '\0\x0000000001\0'],
      [124, '\x80\0\0\0\0\0\0\0\0\0\0\x02'],
      [156, '5'],
      [156, '7'],
      [157, 'x'],
      [257, 'ustar  \0'],
      [345, 'package'],
      [475, 'x'],
    ),
    fc.tuple(fc.nat({ max: 511 }), fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 12 })),
  );
  const file = fc.tuple(name, content).map(([path, text]) => rawEntry(text, { name: path }));
  const spoilt = fc.tuple(name, content, change, fc.boolean()).map(([path, text, [at, bytes], isAfter]) => {
    const spoil = (header: Buffer) => void header.write(bytes, at, 'latin1');
    return rawEntry(text, isAfter ? { name: path, spoilAfter: spoil } : { name: path, spoil });
  });
  const long = fc
    .tuple(
      fc.constantFrom('x', 'g', 'L', 'K'),
      fc.oneof(
        fc
          .tuple(fc.constantFrom('path', 'size', 'linkpath', 'comment'), name)
          .map(([key, value]) => paxOf({ [key]: value })),
        fc.nat({ max: 1000 }).map((size) => paxOf({ size: String(size) })),
        name,
      ),
    )
    .map(([kind, text]) => longHeader(kind as 'x', text));
  return fc.oneof(
    { weight: 6, arbitrary: file },
    { weight: 2, arbitrary: spoilt },
    { weight: 2, arbitrary: long },
    { weight: 1, arbitrary: fc.constantFrom(Buffer.alloc(512), Buffer.alloc(1024), Buffer.alloc(512, 'x')) },
  );
})();

test('a tarball that is accepted holds for npm just what the registry reports of it', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 4 }),
      fc.array(piece, { maxLength: 3 }),
      fc.option(fc.nat({ max: 3 }), { nil: undefined, freq: 6 }),
      async (before, after, cut) => {
        let tarball = Buffer.alloc(0);
        const answer = await publish((manifest) => {
          const own = rawEntry(JSON.stringify(manifest), { name: 'package/package.json' });
          const blocks = [...before, own, ...after];
          const parts = cut === undefined ? [blocks] : [blocks.slice(0, cut), blocks.slice(cut)];
          tarball = Buffer.concat(parts.map((part) => gzipSync(Buffer.concat(part))));
          return tarball;
        });
        if (answer.status !== 200) return;
        accepted += 1;
        const name = `tarball-${count}`;
        const packument = await world.gatehouse.get(`${world.gatehouse.projectPath()}/${name}`);
        const version = packument.json<{ versions: Record<string, PublishedManifest> }>().versions['1.0.0'];
        const unpacked = await unpackAsNpm(tarball);
        const packageJson = unpacked.get('package.json');
        expect(JSON.parse(packageJson?.toString() ?? 'null')).toMatchObject({ name, version: '1.0.0' });
        expect(version?.hasInstallScript ?? false).toBe(
          unpacked.has('binding.gyp') || (packageJson?.includes('evil') ?? false),
        );
        const reported = await listTarball(Readable.from([tarball]));
        expect(reported.map(({ path, sha1 }) => [path, sha1])).toEqual(
          [...unpacked].map(([path, bytes]) => [path, sha1Of(bytes)]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
        );
        expect(version?.dist.fileCount).toBe(unpacked.size);
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
  expect(accepted).toBeGreaterThan(runs / 20);
});

interface PublishedManifest {
  readonly hasInstallScript?: boolean;
  readonly dist: { readonly fileCount: number };
}

/** The files that npm leaves in the folder of a package, by path. */
async function unpackAsNpm(tarball: Buffer): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'unpacked-'));
  try {
    await pipeline(Readable.from([tarball]), extractTar({ cwd: folder, strip: 1 }));
    const found = new Map<string, Buffer>();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      found.set(path.relative(folder, file), await readFile(file));
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A tarball of a few megabytes that unpacks to so many gigabytes. */
async function bomb(manifest: object, gigabytes: number): Promise<Buffer> {
  const archive = pack();
  const chunks: Buffer[] = [];
  archive.entry({ name: 'package/package.json' }, JSON.stringify(manifest));
  archive.finalize();
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  const head = Buffer.concat(chunks).subarray(0, 1024);
  const header = await headerOf('package/zeros', gigabytes * 1024 ** 3);
  // Each member of a gzip file unpacks on its own, so one block of zeros can be said again and again.
  const zeros = gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 });
  const members = Array.from({ length: gigabytes * 16 }, () => zeros);
  return Buffer.concat([gzipSync(Buffer.concat([head, header])), ...members]);
}

async function headerOf(name: string, size: number): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name, size });
  for await (const chunk of archive) return (chunk as Buffer).subarray(0, 512);
  throw new Error('The archive has no header.');
}
