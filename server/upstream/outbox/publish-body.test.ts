import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { VersionRow } from '../../registry/package-store.ts';
import { publishBody } from './publish-body.ts';

it.each([1, 2, 3, 4, 1000, 65_537])('writes a document of the announced length around %i bytes', async (size) => {
  const tarball = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7) % 256));
  const row = {
    version: '1.0.0',
    manifest: '{"name":"a","version":"1.0.0"}',
    integrity: 'sha512-x',
    shasum: 'y',
    size,
  };
  const body = publishBody({
    name: '@s/a',
    row: row as unknown as VersionRow,
    tags: ['latest'],
    readme: 'A readme with @@data@@ in it — and ümlauts',
    base: 'http://x',
    openTarball: () =>
      Readable.from([tarball.subarray(0, 500), tarball.subarray(500)].filter((part) => part.length > 0)),
  });
  const chunks: Buffer[] = [];
  for await (const chunk of body.open()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  expect(bytes.length).toBe(body.length);
  const document = JSON.parse(bytes.toString('utf8')) as {
    _attachments: Record<string, { data: string; length: number }>;
    versions: Record<string, { dist: unknown; readme: string }>;
  };
  expect(Buffer.from(document._attachments['@s/a-1.0.0.tgz']?.data ?? '', 'base64').equals(tarball)).toBe(true);
  expect(document._attachments['@s/a-1.0.0.tgz']?.length).toBe(size);
  expect(document.versions['1.0.0']?.readme).toContain('@@data@@');
});
