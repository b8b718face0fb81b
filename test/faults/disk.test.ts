import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { SmallDisk } from './support/small-disk.ts';

const npm = '/api/v4/projects/1/packages/npm';
const megabyte = 1024 * 1024;

let disk: SmallDisk;
let dataDir = '';
let server: GatehouseProcess | undefined;
beforeEach(() => {
  disk = new SmallDisk(24);
  dataDir = join(disk.path, 'data');
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
  disk.remove();
});

async function publish(origin: string, version: string, size: number) {
  const body = await makePublishDocument({ name: 'big', version, files: { 'data.bin': randomBytes(size) } });
  return send(origin, 'PUT', `${npm}/big`, { token: rootToken, body });
}

test('a full disk refuses with 507, loses nothing, and takes publishes again when there is room', async () => {
  server = await GatehouseProcess.start({ dataDir });
  const { origin } = server;
  const reserve = join(disk.path, 'reserve');
  writeFileSync(reserve, Buffer.alloc(5 * megabyte));
  const stored: string[] = [];
  let refused;
  for (let count = 0; refused === undefined && count < 100; count += 1) {
    const answer = await publish(origin, `1.0.${count}`, count % 2 === 0 ? megabyte : 100_000);
    if (answer.status === 200) stored.push(`1.0.${count}`);
    else refused = answer;
  }
  expect(refused?.status).toBe(507);
  expect(refused?.text).toContain('full');
  expect(stored.length).toBeGreaterThan(3);
  // Down to the last byte, with small ones.
  for (let count = 0; count < 30; count += 1) {
    const answer = await publish(origin, `2.0.${count}`, 20_000);
    expect([200, 507]).toContain(answer.status);
    if (answer.status === 200) stored.push(`2.0.${count}`);
  }
  expect(readdirSync(join(dataDir, 'gatehouse-temporary'))).toEqual([]);

  const packument = (await send(origin, 'GET', `${npm}/big`, { token: rootToken })).json<{ versions: object }>();
  expect(Object.keys(packument.versions).toSorted()).toEqual(stored.toSorted());
  for (const version of stored) {
    expect((await send(origin, 'GET', `${npm}/big/-/big-${version}.tgz`, { token: rootToken })).status).toBe(200);
  }
  const tag = await send(origin, 'PUT', `${npm}/-/package/big/dist-tags/full`, {
    token: rootToken,
    body: '"1.0.0"',
    headers: { 'content-type': 'application/json' },
  });
  expect([204, 507]).toContain(tag.status);

  rmSync(reserve);
  expect((await publish(origin, '3.0.0', megabyte)).status).toBe(200);
  expect(await server.stop()).toMatchObject({ code: 0 });
  expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
});

test('a full disk lets versions go, which makes room', async () => {
  server = await GatehouseProcess.start({ dataDir });
  const { origin } = server;
  let last = 200;
  for (let count = 0; last === 200; count += 1) last = (await publish(origin, `1.0.${count}`, megabyte)).status;
  expect(last).toBe(507);
  const deleted = await send(origin, 'DELETE', `${npm}/big`, { token: rootToken });
  expect(deleted.status, deleted.text).toBe(200);
  expect((await publish(origin, '2.0.0', megabyte)).status).toBe(200);
});

test('a backup to a full disk says so and leaves no file', async () => {
  server = await GatehouseProcess.start({ dataDir });
  for (let count = 0; count < 6; count += 1) await publish(server.origin, `1.0.${count}`, megabyte);
  const { bavail, bsize } = statfsSync(disk.path);
  writeFileSync(join(disk.path, 'filler'), Buffer.alloc(bavail * bsize - 2 * megabyte));
  const target = join(disk.path, 'backup.tar');
  const backup = await gatehouse(['backup', target], { dataDir });
  expect(backup, backup.stderr).toMatchObject({ code: 1 });
  expect(backup.stderr).toContain('full');
  expect(readdirSync(disk.path).toSorted()).toEqual(['data', 'filler']);
  expect(readdirSync(join(dataDir, 'gatehouse-temporary'))).toEqual([]);
  expect((await send(server.origin, 'GET', `${npm}/big`, { token: rootToken })).status).toBe(200);
});

test('a full disk at the start is told in one line', async () => {
  mkdirSync(dataDir);
  try {
    writeFileSync(join(disk.path, 'filler'), Buffer.alloc(30 * megabyte));
  } catch {
    // That is the point: not another byte fits.
  }
  const start = await gatehouse(['serve', '--port', '0'], { dataDir });
  expect(start.code).not.toBe(0);
  expect(start.stderr).toMatch(/^gatehouse: .*(?:full|no space left)/i);
  expect(start.stderr.trim().split('\n')).toHaveLength(1);
});

test('a read-only folder is told with its own exit code, and is left as it was', async () => {
  server = await GatehouseProcess.start({ dataDir });
  await publish(server.origin, '1.0.0', 1000);
  await server.stop();
  disk.makeReadOnly();
  const start = await gatehouse(['serve', '--port', '0'], { dataDir });
  expect(start).toMatchObject({ code: 11 });
  expect(start.stderr).toContain(dataDir);
  expect(start.stderr).toMatch(/--data-dir/);
});
