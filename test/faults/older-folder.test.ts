import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';

/**
 * The data folder of a 0.1.0 that was killed after it had acknowledged held@1.0.0 to held@1.0.12: ten versions are committed, six of them with
 * their tarballs still in the database, and three are in commits.log alone.
 */
const archive = fileURLToPath(new URL('./support/killed-0.1.0.tar.gz', import.meta.url));
const acknowledged = Array.from({ length: 13 }, (_, count) => `1.0.${count}`);
const committed = acknowledged.slice(0, 10);
const entrySize = 4096;

const npm = '/api/v4/projects/1/packages/npm';
let folder = '';
let log = '';
let server: GatehouseProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-older-'));
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  log = join(folder, 'commits.log');
});
afterEach(async () => {
  await server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function servedVersions(): Promise<string[]> {
  server = await GatehouseProcess.start({ dataDir: folder });
  const packument = await send(server.origin, 'GET', `${npm}/held`, { token: rootToken });
  const versions = Object.keys(packument.json<{ versions: object }>().versions);
  for (const version of versions) {
    const tarball = await send(server.origin, 'GET', `${npm}/held/-/held-${version}.tgz`, { token: rootToken });
    expect(tarball.status, version).toBe(200);
  }
  return versions;
}

test('all that a killed older version acknowledged is there after the start, for lists, for doctor and for the next start', async () => {
  expect(await servedVersions()).toEqual(acknowledged);
  expect(existsSync(log)).toBe(false);
  const found = await send(server?.origin ?? '', 'GET', `${npm}/-/v1/search?text=held`, { token: rootToken });
  expect(found.json<{ objects: { package: { version: string } }[] }>().objects[0]?.package.version).toBe('1.0.12');
  await server?.kill();
  expect(await servedVersions()).toEqual(acknowledged);
  await server?.stop();
  expect(await gatehouse(['doctor'], { dataDir: folder })).toMatchObject({ code: 0 });
});

test('a command takes the log in as a server does', async () => {
  const listed = await gatehouse(['audit', '--json', '--limit', '1000'], { dataDir: folder });
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout.split('package.published').length - 1).toBe(acknowledged.length);
});

test('an entry that was cut off was never acknowledged, and ends the log', async () => {
  truncateSync(log, 2 * entrySize + 1000);
  expect(await servedVersions()).toEqual(acknowledged.slice(0, 12));
});

test('an entry with a wrong checksum ends the log', async () => {
  const bytes = readFileSync(log);
  bytes[entrySize + 200] = (bytes[entrySize + 200] ?? 0) ^ 1;
  writeFileSync(log, bytes);
  expect(await servedVersions()).toEqual(acknowledged.slice(0, 11));
});

test('a log that is not of this database is passed over', async () => {
  writeFileSync(log, Buffer.alloc(100_000, 0x5a));
  expect(await servedVersions()).toEqual(committed);
});

test('a log that cannot be applied stops the start with what to do, and is not lost', async () => {
  const sqlite = new BetterSqlite3(join(folder, 'gatehouse.db'));
  sqlite.exec('DELETE FROM packages');
  sqlite.close();
  const refused = await gatehouse(['serve', '--port', '0'], { dataDir: folder });
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(log);
  expect(refused.stderr).toContain('move that file away');
  expect(existsSync(log)).toBe(true);
});
