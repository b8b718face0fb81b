import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import type { PublishDocument } from '../support/publish-document.ts';
import { encodeName, rootToken } from '../support/registry.ts';
import { scaled } from '../support/scale.ts';
import { hostileJson, hostileText } from './support/arbitraries.ts';
import { World, expectSafe } from './support/world.ts';

const runs = scaled('GATEHOUSE_FUZZ_RUNS', { short: 400, full: 10_000 });

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());
afterEach(() => world.expectNothingOutside());

let count = 0;
function freshName(): string {
  count += 1;
  return count % 3 === 0 ? `@fuzz/upload-${count}` : `upload-${count}`;
}

function put(name: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return world.gatehouse.send('PUT', `${world.gatehouse.projectPath()}/${encodeName(name)}`, { body, headers });
}

/** A refused upload left nothing; a taken one is there as a whole. */
async function expectAllOrNothing(name: string, answer: Answer): Promise<void> {
  expectSafe(answer, name, false);
  const packument = await world.gatehouse.get(`${world.gatehouse.projectPath()}/${encodeName(name)}`);
  if (answer.status !== 200) {
    expect(packument.status, answer.text).toBe(404);
    return;
  }
  const { versions } = packument.json<{ versions: Record<string, { dist: { tarball: string } }> }>();
  for (const version of Object.values(versions)) {
    const download = await world.gatehouse.get(new URL(version.dist.tarball).pathname);
    expect(download.status).toBe(200);
  }
  await world.gatehouse.send('DELETE', `${world.gatehouse.projectPath()}/${encodeName(name)}`);
}

/** Every place in a document, as the keys that lead there. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function changed(
  document: PublishDocument,
  path: readonly string[],
  change: (holder: Record<string, unknown>, key: string) => void,
): unknown {
  const copy = structuredClone(document) as Record<string, unknown>;
  let holder = copy;
  for (const key of path.slice(0, -1)) holder = holder[key] as Record<string, unknown>;
  const last = path.at(-1);
  if (last !== undefined) change(holder, last);
  return copy;
}

describe('a publish document', () => {
  test('with any part taken out or replaced is stored whole or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.constantFrom('delete', 'replace', 'rename', 'add'),
        hostileJson,
        hostileText,
        async (place, how, value, text) => {
          const name = freshName();
          const document = await makePublishDocument({ name, version: '1.0.0' });
          const places = placesIn(document).filter((path) => path.length > 0);
          const path = places[place % places.length] ?? [];
          const body = changed(document, path, (holder, key) => {
            if (how === 'delete') delete holder[key];
            else if (how === 'replace') holder[key] = value;
            else if (how === 'add')
              Object.defineProperty(holder, text, { value, enumerable: true, configurable: true, writable: true });
            else {
              Object.defineProperty(holder, text, {
                value: holder[key],
                enumerable: true,
                configurable: true,
                writable: true,
              });
              delete holder[key];
            }
          });
          await expectAllOrNothing(name, await put(name, body));
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });

  test('with any bytes cut out, doubled or overwritten is stored whole or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat({ max: 40 }),
        fc.constantFrom('cut', 'double', 'noise', 'end', 'quote', 'utf8'),
        async (at, length, how) => {
          const name = freshName();
          const bytes = Buffer.from(JSON.stringify(await makePublishDocument({ name, version: '1.0.0' })));
          const from = Math.floor(at * bytes.length);
          const [head, part, tail] = [
            bytes.subarray(0, from),
            bytes.subarray(from, from + length),
            bytes.subarray(from + length),
          ];
          const body = {
            cut: () => Buffer.concat([head, tail]),
            double: () => Buffer.concat([head, part, part, tail]),
            noise: () => Buffer.concat([head, randomBytes(part.length), tail]),
            end: () => head,
            quote: () => Buffer.concat([head, Buffer.from('"'), part, tail]),
            utf8: () => Buffer.concat([head, Buffer.from([0xc3, 0x28, 0xed, 0xa0, 0x80]), part, tail]),
          }[how]();
          await expectAllOrNothing(name, await put(name, body, { 'content-type': 'application/json' }));
        },
      ),
      { numRuns: runs, endOnFailure: true },
    );
  });

  test('in chunks of any size, with escapes anywhere, is read as JSON.parse reads it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (sizes, escapes) => {
          const name = freshName();
          let text = JSON.stringify(await makePublishDocument({ name, version: '1.0.0' }));
          if (escapes) {
            text = text.replace(
              /"data":"([^"]*)"/,
              (_all, data: string) => `"data":"${data.replaceAll('/', '\\/').replaceAll('A', '\\u0041')}"`,
            );
          }
          const answer = await rawPublish(name, Buffer.from(text), sizes);
          expect(answer).toMatch(/^HTTP\/1\.1 200 /);
          await world.gatehouse.send('DELETE', `${world.gatehouse.projectPath()}/${encodeName(name)}`);
        },
      ),
      { numRuns: Math.ceil(runs / 8), endOnFailure: true },
    );
  });

  const lies: [string, (document: PublishDocument, key: string) => void][] = [
    ['a length that is too small', (document, key) => (attachment(document, key)['length'] = 1)],
    ['a length that is too large', (document, key) => (attachment(document, key)['length'] = 1e15)],
    ['a negative length', (document, key) => (attachment(document, key)['length'] = -1)],
    [
      'base64 for URLs',
      (document, key) =>
        (attachment(document, key)['data'] = `${data(document, key).replaceAll('+', '-').replaceAll('/', '_')}-_`),
    ],
    [
      'white space in its base64',
      (document, key) =>
        (attachment(document, key)['data'] = `${data(document, key).slice(0, 20)} ${data(document, key).slice(20)}`),
    ],
    [
      'a line break in its base64',
      (document, key) =>
        (attachment(document, key)['data'] = `${data(document, key).slice(0, 20)}\n${data(document, key).slice(20)}`),
    ],
    ['padding in the middle', (document, key) => (attachment(document, key)['data'] = `QQ==${data(document, key)}`)],
    [
      'too much padding',
      (document, key) => (attachment(document, key)['data'] = `${data(document, key).replaceAll('=', '')}====`),
    ],
    ['no data', (document, key) => (attachment(document, key)['data'] = '')],
    ['data that is no text', (document, key) => (attachment(document, key)['data'] = { length: 3 })],
    ['a wrong shasum', (document) => (dist(document)['shasum'] = '0'.repeat(40))],
    [
      'a wrong integrity',
      (document) => (dist(document)['integrity'] = `sha512-${Buffer.alloc(64).toString('base64')}`),
    ],
    ['an integrity of a million words', (document) => (dist(document)['integrity'] = 'sha512-A '.repeat(100_000))],
    ['a manifest of megabytes', (document) => (firstVersion(document)['description'] = 'x'.repeat(2 * 1024 * 1024))],
    ['a tag that is a path', (document) => (document['dist-tags']['../../x'] = '1.0.0')],
    // Text cannot be made of it, which once was a failure of the server.
    [
      'a tag at an object without a text',
      (document) => Object.assign(document['dist-tags'], { next: { toString: 1 } }),
    ],
    ['a tag that is a prototype key', (document) => (document['dist-tags']['__proto__x'] = '2.0.0')],
    [
      'a thousand tags',
      (document) => {
        for (let index = 0; index < 1000; index += 1) document['dist-tags'][`t${index}`] = '1.0.0';
      },
    ],
  ];
  test.each(lies)('with %s is refused', async (_what, spoil) => {
    const name = freshName();
    const document = await makePublishDocument({ name, version: '1.0.0' });
    spoil(document, Object.keys(document._attachments)[0] ?? '');
    const answer = await put(name, document);
    expect(answer.status, answer.text).toBe(400);
    await expectAllOrNothing(name, answer);
  });

  const shapes: [string, () => string][] = [
    ['nested a hundred thousand deep', () => '{"a":'.repeat(100_000)],
    ['of a hundred thousand lists', () => '['.repeat(100_000)],
    ['with a key of megabytes', () => `{"${'k'.repeat(4_000_000)}":1}`],
    ['with a million keys', () => `{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
    ['with attachments in a list', () => '{"_attachments":[{"data":"QUJD"}]}'],
    ['with the same attachment twice', () => '{"_attachments":{"a.tgz":{"data":"QUJD"},"a.tgz":{"data":"QUJD"}}}'],
    ['with data twice', () => '{"_attachments":{"a.tgz":{"data":"QUJD","data":"QUJD"}}}'],
    ['with two documents', () => '{}{}'],
    ['that ends in the data', () => '{"_attachments":{"a.tgz":{"data":"QUJD'],
    ['that ends in an escape', () => '{"_attachments":{"a.tgz":{"data":"QUJD\\u00'],
    ['with a lone surrogate in the data', () => '{"_attachments":{"a.tgz":{"data":"\\ud800"}}}'],
    [
      'with a hundred attachments',
      () =>
        `{"_attachments":{${Array.from({ length: 100 }, (_, index) => `"a${index}.tgz":{"data":"QUJD"}`).join(',')}}}`,
    ],
    ['with an attachment that is a path', () => '{"_attachments":{"../../../../tmp/x.tgz":{"data":"QUJD"}}}'],
    ['with a prototype for attachments', () => '{"_attachments":{"__proto__":{"data":"QUJD"}}}'],
  ];
  test.each(shapes)('%s is refused', async (_what, make) => {
    const name = freshName();
    const answer = await put(name, make(), { 'content-type': 'application/json' });
    expect([400, 413]).toContain(answer.status);
    await expectAllOrNothing(name, answer);
  });
});

describe('a compressed body', () => {
  const megabytes = 80;
  const bomb = Buffer.alloc(megabytes * 1024 * 1024, ' ');
  test.each([
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['br', brotliCompressSync(bomb)],
  ])('that unpacks to %s megabytes of nothing is refused', async (encoding, body) => {
    for (const path of [
      `${world.gatehouse.projectPath()}/bomb`,
      `${world.gatehouse.projectPath()}/-/package/pkg/dist-tags/x`,
    ]) {
      const answer = await world.gatehouse.send('PUT', path, {
        body,
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      });
      expect([400, 404, 413]).toContain(answer.status);
    }
    for (const path of ['/-/npm/v1/security/advisories/bulk', '/-/npm/v1/security/audits/quick']) {
      const answer = await world.gatehouse.send('POST', world.gatehouse.projectPath() + path, {
        body,
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      });
      expect([400, 413]).toContain(answer.status);
    }
    const answer = await world.gatehouse.send('POST', '/api/v4/projects/1/environments', {
      body,
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
    });
    expect([400, 413, 415]).toContain(answer.status);
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'x-gzip', 'compress', 'gzip, gzip', 'nonsense', 'identity'])(
    'that is not what %s says is refused',
    async (encoding) => {
      const name = freshName();
      const answer = await put(name, randomBytes(500), {
        'content-type': 'application/json',
        'content-encoding': encoding,
      });
      expect([400, 415]).toContain(answer.status);
      await expectAllOrNothing(name, answer);
    },
  );
});

function attachment(document: PublishDocument, key: string): Record<string, unknown> {
  return document._attachments[key] ?? {};
}

function data(document: PublishDocument, key: string): string {
  return String(attachment(document, key)['data']);
}

function firstVersion(document: PublishDocument): Record<string, unknown> & { dist: Record<string, unknown> } {
  const [version] = Object.values(document.versions);
  if (!version) throw new Error('The document holds no version.');
  return version;
}

function dist(document: PublishDocument): Record<string, unknown> {
  return firstVersion(document).dist;
}

/** Publishes with a chunked body whose chunks have these sizes, over and over. */
function rawPublish(name: string, body: Buffer, sizes: readonly number[]): Promise<string> {
  const { hostname, port } = new URL(world.gatehouse.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received.includes('\r\n\r\n') && received.endsWith('}')) socket.end();
    });
    socket.on('close', () => resolve(received));
    socket.write(
      `PUT ${world.gatehouse.projectPath()}/${encodeName(name)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${rootToken}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (let at = 0, turn = 0; at < body.length; turn += 1) {
      const chunk = body.subarray(at, at + (sizes[turn % sizes.length] ?? 1));
      socket.write(`${chunk.length.toString(16)}\r\n`);
      socket.write(chunk);
      socket.write('\r\n');
      at += chunk.length;
    }
    socket.write('0\r\n\r\n');
  });
}
