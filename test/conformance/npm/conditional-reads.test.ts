import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { kit, useRegistry } from '../../support/use-registry.ts';

/* What HTTP lets a client ask beyond the plain document (RFC 9110, 12 to 14), in the ways that no npm client uses but caches and tools do. */

useRegistry('file');
let packument: string;
let manifest: string;
let tarball: string;
beforeAll(async () => {
  await kit.publish({ name: '@acme/read', version: '1.0.0' });
  packument = `${kit.projectPath()}/@acme%2fread`;
  manifest = `${packument}/1.0.0`;
  tarball = `${kit.projectPath()}/@acme/read/-/read-1.0.0.tgz`;
});

const withHeaders = (path: string, headers: Record<string, string>) => kit.get(path, { headers });
const laterBy = (date: string | undefined, seconds: number) =>
  new Date(Date.parse(date ?? '') + seconds * 1000).toUTCString();

describe('a tarball', () => {
  test('is not sent again to who has it by its date, unless a tag says more', async () => {
    const { headers } = await kit.get(tarball);
    const modified = headers['last-modified'] ?? '';
    const ask = async (more: Record<string, string>) => (await withHeaders(tarball, more)).status;
    expect(await ask({ 'if-modified-since': modified })).toBe(304);
    expect(await ask({ 'if-modified-since': laterBy(modified, -1) })).toBe(200);
    expect(await ask({ 'if-modified-since': 'some day' })).toBe(200);
    expect(await ask({ 'if-modified-since': modified, 'if-none-match': '"another"' })).toBe(200);
  });

  test('that is not the one that was asked for: 412', async () => {
    const { headers } = await kit.get(tarball);
    const ask = async (more: Record<string, string>) => (await withHeaders(tarball, more)).status;
    expect(await ask({ 'if-match': '"another"' })).toBe(412);
    expect(await ask({ 'if-match': `"another", ${headers.etag}` })).toBe(200);
    expect(await ask({ 'if-match': '*' })).toBe(200);
    expect(await ask({ 'if-unmodified-since': laterBy(headers['last-modified'], -1) })).toBe(412);
    expect(await ask({ 'if-unmodified-since': headers['last-modified'] ?? '' })).toBe(200);
  });

  test('comes in part where If-Range names its tag or its date, else whole', async () => {
    const { headers } = await kit.get(tarball);
    const ask = async (condition: string) =>
      (await withHeaders(tarball, { range: 'bytes=0-1', 'if-range': condition })).status;
    expect(await ask(headers.etag ?? '')).toBe(206);
    expect(await ask(headers['last-modified'] ?? '')).toBe(206);
    expect(await ask(laterBy(headers['last-modified'], -1))).toBe(200);
    expect(await ask(`W/${headers.etag}`)).toBe(200);
    expect(await ask('"another"')).toBe(200);
  });

  test.each([
    ['BYTES=0-1', 206, 2],
    ['bytes= 0-1', 206, 2],
    ['bytes=2-99999999999999999999', 206, undefined],
    ['bytes=99999999999999999999-', 416, 0],
    ['bytes=5-2', 200, undefined],
    ['items=0-1', 200, undefined],
  ])('asked for %s: %i', async (range, status, length) => {
    const answer = await withHeaders(tarball, { range });
    expect(answer.status).toBe(status);
    if (length !== undefined) expect(answer.bytes).toHaveLength(length);
  });
});

test('a single manifest has a tag of its own, which ends with the next change', async () => {
  const first = await kit.get(manifest);
  const tag = first.headers.etag ?? '';
  const again = await withHeaders(manifest, { 'if-none-match': tag });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag]);
  expect((await kit.send('HEAD', manifest)).headers.etag).toBe(tag);
  await kit.publish({ name: '@acme/read', version: '1.0.1' });
  expect((await withHeaders(manifest, { 'if-none-match': tag })).status).toBe(200);
});

const short = 'application/vnd.npm.install-v1+json';
test.each([
  [`${short}; q=1.0, application/json; q=0.8, */*`, short],
  [`application/json, ${short}`, short],
  [`${short};q=0, application/json`, 'application/json'],
  [`application/json; q=1.0, ${short}; q=0.5`, 'application/json'],
  [short.toUpperCase(), short],
  ['text/html', 'application/json'],
])('a packument for Accept: %s', async (accept, type) => {
  const answer = await withHeaders(packument, { accept });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
});

test.each([
  ['gzip, br', 'br'],
  ['br;q=0.1, gzip;q=1.0', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=0.000', undefined],
  ['identity', undefined],
])('a packument for Accept-Encoding: %s', async (wanted, encoding) => {
  const plain = await kit.get(packument);
  const answer = await withHeaders(packument, { 'accept-encoding': wanted });
  expect(answer.headers['content-encoding']).toBe(encoding);
  const bytes =
    encoding === 'br'
      ? brotliDecompressSync(answer.bytes)
      : encoding === 'gzip'
        ? gunzipSync(answer.bytes)
        : answer.bytes;
  expect(bytes.equals(plain.bytes)).toBe(true);
});
