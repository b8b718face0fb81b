import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeLargeUpload } from './large-upload.ts';
import { publishDocument, sampleManifest, TarballMaker, treeDependencies } from './sample-package.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-samples-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function entriesOf(tarball: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>();
  const archive = Readable.from([gunzipSync(tarball)]).pipe(extract());
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
    entries.set(entry.header.name, Buffer.concat(chunks));
  }
  return entries;
}

interface Document {
  readonly versions: Record<string, { dist: { integrity: string; shasum: string } }>;
  readonly _attachments: Record<string, { data: string; length: number }>;
}

function tarballIn(document: Document, name: string, version: string): Buffer {
  const attachment = document._attachments[`${name}-${version}.tgz`];
  const tarball = Buffer.from(attachment?.data ?? '', 'base64');
  expect(attachment?.length).toBe(tarball.length);
  const dist = document.versions[version]?.dist;
  expect(dist?.integrity).toBe(`sha512-${createHash('sha512').update(tarball).digest('base64')}`);
  expect(dist?.shasum).toBe(createHash('sha1').update(tarball).digest('hex'));
  return tarball;
}

test('tarballs that share their compressed rest are whole, and about as long as asked', async () => {
  const maker = new TarballMaker(20 * 1024);
  for (const version of ['1.0.0', '2.10.3']) {
    const manifest = sampleManifest('sample', version);
    const tarball = maker.make(manifest);
    const entries = await entriesOf(tarball);
    expect([...entries.keys()]).toEqual(['package/package.json', 'package/dist/index.js']);
    expect(JSON.parse(entries.get('package/package.json')?.toString() ?? '')).toEqual(manifest);
    expect(Math.abs(tarball.length - 20 * 1024)).toBeLessThan(1024);
  }
});

test('a publish document says of its tarball what is true', () => {
  const manifest = sampleManifest('sample', '1.2.3');
  const tarball = new TarballMaker(2048).make(manifest);
  const document = JSON.parse(publishDocument(manifest, tarball, 'http://127.0.0.1').toString()) as Document;
  expect(tarballIn(document, 'sample', '1.2.3').equals(tarball)).toBe(true);
});

test('a large upload is a valid document with a valid tarball', async () => {
  const file = path.join(folder, 'upload.json');
  const manifest = sampleManifest('large', '1.0.0');
  await writeLargeUpload(file, manifest, 4 * 1024 * 1024);
  expect((await stat(file)).size).toBeGreaterThan((4 * 1024 * 1024 * 4) / 3);
  const tarball = tarballIn(JSON.parse(await readFile(file, 'utf8')) as Document, 'large', '1.0.0');
  const entries = await entriesOf(tarball);
  expect(JSON.parse(entries.get('package/package.json')?.toString() ?? '')).toEqual(manifest);
  expect([...entries.keys()]).toContain('package/data.bin');
});

test('every package of a tree but the first hangs below exactly one other', () => {
  const count = 300;
  const below = Array.from({ length: count }, (_, index) => Object.keys(treeDependencies('tree', index, count))).flat();
  expect(new Set(below).size).toBe(count - 1);
  expect(below).toHaveLength(count - 1);
  expect(below).not.toContain('tree-0');
});
