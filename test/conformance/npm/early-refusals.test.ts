import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { makePublishDocument } from '../../support/publish-document.ts';
import { rootToken } from '../../support/registry.ts';
import { kit, useRegistry } from '../../support/use-registry.ts';

/* An upload that is refused before it has arrived: its client gets to see why, whenever it looks, and the connection is in order. */

useRegistry('file');
let reporter: string;
beforeAll(async () => {
  const person = await kit.user();
  await kit.member(1, person.user.id, 20);
  reporter = person.token;
});

const statuses = (said: string) => [...said.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
const authorization = (token: string | undefined) => (token === undefined ? '' : `Authorization: Bearer ${token}\r\n`);

/** Sends a whole upload and a ping behind it, and only then looks for answers, as simple clients do. */
async function sendBlindly(options: { token?: string; path: string; start: string; bytes: number }): Promise<string> {
  const { token, path, start, bytes } = options;
  const socket = connect(kit.server.port, '127.0.0.1');
  let said = '';
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  socket.write(
    `PUT ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization(token)}Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n${start}`,
  );
  const block = Buffer.alloc(1024 * 1024, 0x41);
  for (let left = bytes - start.length; left > 0 && !socket.destroyed; left -= block.length) {
    if (!socket.write(block.subarray(0, Math.min(left, block.length))))
      await Promise.race([once(socket, 'drain'), closed]);
  }
  socket.end(
    `GET ${kit.projectPath()}/-/ping HTTP/1.1\r\nHost: localhost\r\n${authorization(token)}Connection: close\r\n\r\n`,
  );
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  await closed;
  return said;
}

const attachment = '{"_id":"big","name":"big","_attachments":{"big-1.0.0.tgz":{"data":"';

describe('an upload of 100 MB', () => {
  test.each([
    ['without a token', undefined, () => kit.projectPath(), '{', 401, '401 Unauthorized'],
    ['by who may only read', () => reporter, () => kit.projectPath(), attachment, 403, '403 Forbidden'],
    ['to an unknown project', () => reporter, () => kit.projectPath(999), attachment, 404, 'Project not found'],
    ['to the instance', () => rootToken, () => kit.instancePath, attachment, 405, 'published to a project'],
    ['with no end of the document', () => rootToken, () => kit.projectPath(), '{"a":"', 413, 'without its tarball'],
  ])('%s: the answer arrives, and the connection goes on', async (_what, token, prefix, start, status, text) => {
    const said = await sendBlindly({
      ...(token === undefined ? {} : { token: token() }),
      path: `${prefix()}/big`,
      start,
      bytes: 100 * 1024 * 1024,
    });
    expect(statuses(said)).toEqual([status, 200]);
    expect(said).toContain(text);
    expect(await kit.temporaryFiles()).toEqual([]);
  });
});

/** Announces an upload and sends it only when it is asked for. */
async function announce(token: string | undefined, name: string): Promise<string> {
  const body = Buffer.from(JSON.stringify(await makePublishDocument({ name, version: '1.0.0' })));
  const socket = connect(kit.server.port, '127.0.0.1');
  let said = '';
  socket.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
    if (said === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write(body);
  });
  socket.write(
    `PUT ${kit.projectPath()}/${name} HTTP/1.1\r\nHost: localhost\r\n${authorization(token)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'close');
  return said;
}

test('who closes his side of the connection after an upload still gets the answer, and the connection ends', async () => {
  const body = Buffer.from(JSON.stringify(await makePublishDocument({ name: 'half-closed', version: '1.0.0' })));
  const socket = connect(kit.server.port, '127.0.0.1');
  let said = '';
  socket.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  socket.write(
    `PUT ${kit.projectPath()}/half-closed HTTP/1.1\r\nHost: localhost\r\n${authorization(rootToken)}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.end(body);
  await once(socket, 'close');
  expect(statuses(said)).toEqual([200]);
});

describe('an upload that is announced (Expect: 100-continue)', () => {
  test('is asked for and stored', async () => {
    expect(statuses(await announce(rootToken, 'announced'))).toEqual([100, 200]);
  });

  test('is not even asked for where it would be refused, and the connection ends', async () => {
    const said = await announce(undefined, 'unwanted');
    expect(statuses(said)).toEqual([401]);
    expect(said).toMatch(/^connection: close\r$/im);
  });
});

describe('a compressed body that ends early for its reader', () => {
  /** Sends the parts one after another, each once the server has had the one before, and reads the status of the answer. */
  async function sendParts(path: string, parts: readonly Buffer[]): Promise<string> {
    const socket = connect(kit.server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    let said = '';
    socket.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization(rootToken)}Connection: close\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${length}\r\n\r\n`,
    );
    for (const part of parts) {
      socket.write(part);
      // Another request is answered meanwhile, so the server has seen this part.
      await kit.get(`${kit.projectPath()}/-/ping`);
    }
    if (!socket.destroyed) await once(socket, 'close');
    return said;
  }

  const bulk = () => `${kit.projectPath()}/-/npm/v1/security/advisories/bulk`;

  test('because it is no gzip: 400, although more of it comes', async () => {
    const said = await sendParts(bulk(), [Buffer.alloc(1000, 1), Buffer.alloc(1000, 2), Buffer.alloc(1000, 3)]);
    expect(statuses(said)).toEqual([400]);
    expect(said).toContain('Content-Encoding');
  });

  test('because it unpacks to more than the limit: 413, although more of it comes', async () => {
    const packed = gzipSync(Buffer.alloc(96 * 1024 * 1024));
    const half = packed.length / 2;
    expect(statuses(await sendParts(bulk(), [packed.subarray(0, half), packed.subarray(half)]))).toEqual([413]);
  });
});
