import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import type { Answer } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { isGone } from './support/ledger.ts';
import { Wire, makeLargePublish } from './support/large-publish.ts';
import { type GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { dataDir, start, useDataFolder } from './support/data-folder.ts';

const npm = '/api/v4/projects/1/packages/npm';
const megabyte = 1024 * 1024;

useDataFolder();
let server: GatehouseProcess;

function get(path: string): Promise<Answer> {
  return send(server.origin, 'GET', path, { token: rootToken });
}

/** Waits for a state of the server that it will come to by itself. */
async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await what())) await new Promise((resolve) => setImmediate(resolve));
}

async function isRefused(): Promise<boolean> {
  try {
    await get('/-/liveness');
    return false;
  } catch (error) {
    if (isGone(error)) return true;
    throw error;
  }
}

describe('a stop by SIGTERM during a publish of 200 MB', () => {
  test('lets it finish, answers, and ends with 0', async () => {
    server = await start();
    const { request, digest } = await makeLargePublish('large', '1.0.0', 200 * megabyte);
    const wire = await Wire.open(server.origin);
    await wire.write(request.subarray(0, request.length / 2));
    server.signal('SIGTERM');
    await until(isRefused);
    await wire.write(request.subarray(request.length / 2));
    expect(await wire.until(/\r\n\r\n\{.*\}/)).toMatch(/^HTTP\/1\.1 200 /);
    expect(await server.ended()).toMatchObject({ code: 0 });
    server = await start();
    const { bytes } = await get(`${npm}/large/-/large-1.0.0.tgz`);
    expect(createHash('sha512').update(bytes).digest('hex')).toBe(digest);
  });

  test('that does not come to an end cuts it, stores nothing of it, and ends with 0', async () => {
    server = await start();
    const { request } = await makeLargePublish('large', '1.0.0', 20 * megabyte);
    const wire = await Wire.open(server.origin);
    await wire.write(request.subarray(0, request.length / 2));
    await until(() => readdirSync(join(dataDir, 'gatehouse-temporary')).length > 0);
    server.signal('SIGTERM');
    expect(await server.ended()).toMatchObject({ code: 0 });
    await wire.closed;
    server = await start();
    expect(readdirSync(join(dataDir, 'gatehouse-temporary'))).toEqual([]);
    expect((await get(`${npm}/large`)).status).toBe(404);
    expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
  });
});

test('a client that goes in the middle of a publish leaves nothing, and the next one is served', async () => {
  server = await start();
  const { request } = await makeLargePublish('left', '1.0.0', 8 * megabyte);
  for (const part of [0.001, 0.3, 0.9, 0.999_999]) {
    const wire = await Wire.open(server.origin);
    await wire.write(request.subarray(0, Math.floor(request.length * part)));
    wire.cut();
  }
  await until(() => readdirSync(join(dataDir, 'gatehouse-temporary')).length === 0);
  expect((await get(`${npm}/left`)).status).toBe(404);
  const wire = await Wire.open(server.origin);
  await wire.write(request);
  expect(await wire.until(/\r\n\r\n\{.*\}/)).toMatch(/^HTTP\/1\.1 200 /);
  wire.cut();
  expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
});

test('a client that goes in the middle of a download costs no descriptor', async () => {
  server = await start();
  const { request } = await makeLargePublish('fetched', '1.0.0', 40 * megabyte);
  const upload = await Wire.open(server.origin);
  await upload.write(request);
  await upload.until(/\r\n\r\n\{.*\}/);
  upload.cut();
  await get('/-/liveness');
  const before = server.descriptors();
  for (let count = 0; count < 40; count += 1) {
    const wire = await Wire.open(server.origin);
    await wire.write(
      `GET ${npm}/fetched/-/fetched-1.0.0.tgz HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${rootToken}\r\n\r\n`,
    );
    await wire.until(/\r\n\r\n/);
    wire.cut();
  }
  await until(() => server.descriptors() <= before + 1);
  expect((await get(`${npm}/fetched/-/fetched-1.0.0.tgz`)).bytes.length).toBeGreaterThan(40 * megabyte);
});

test('without a descriptor left it says so or waits, loses nothing, and recovers by itself', async () => {
  server = await start({ shell: 'ulimit -n 96; exec "$@"' });
  const body = await makePublishDocument({ name: 'before', version: '1.0.0' });
  expect((await send(server.origin, 'PUT', `${npm}/before`, { token: rootToken, body })).status).toBe(200);
  const { request } = await makeLargePublish('starved', '1.0.0', 2 * megabyte);
  // The publisher is connected before the flood.
  const publisher = await Wire.open(server.origin);
  await publisher.write(request.subarray(0, 200));
  const flood: Wire[] = [];
  for (let count = 0; count < 200; count += 1) {
    const wire = await Wire.open(server.origin).catch(() => undefined);
    if (wire) flood.push(wire);
  }
  await publisher.write(request.subarray(200));
  const answer = await publisher.until(/\r\n\r\n\{.*\}/);
  expect(answer).toMatch(/^HTTP\/1\.1 (?:200|503) |^$/);
  expect(server.hasEnded).toBe(false);
  for (const wire of flood) wire.cut();
  publisher.cut();

  await until(async () => !(await isRefused()));
  const again = await Wire.open(server.origin);
  await again.write((await makeLargePublish('starved', '1.0.1', 2 * megabyte)).request);
  expect(await again.until(/\r\n\r\n\{.*\}/)).toMatch(/^HTTP\/1\.1 200 /);
  again.cut();
  expect((await get(`${npm}/before/-/before-1.0.0.tgz`)).status).toBe(200);
  expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
  expect(readdirSync(join(dataDir, 'gatehouse-temporary'))).toEqual([]);
});
