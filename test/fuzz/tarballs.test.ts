import { randomBytes } from 'node:crypto';
import { gzipSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { pack } from 'tar-stream';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { scaled } from '../support/scale.ts';
import { longHeader, makeTar, makeTarball, paxRecords } from '../support/tarballs.ts';
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
      makeTar([packageJson(manifest), { name: 'package/fine', pax: { path: '../../outside' }, content: 'x' }]),
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

  test('with a second package.json counts by its first', async () => {
    const answer = await publish((manifest) =>
      makeTar([packageJson(manifest), packageJson({ name: 'other', version: '9.9.9' })]),
    );
    expect(answer.status, answer.text).toBe(200);
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
