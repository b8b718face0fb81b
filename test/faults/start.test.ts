import { copyFileSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { dataDir, start, useDataFolder } from './support/data-folder.ts';

const npm = '/api/v4/projects/1/packages/npm';

useDataFolder();

async function publish(origin: string, version: string): Promise<number> {
  const body = await makePublishDocument({ name: 'kept', version, readme: 'x'.repeat(20_000) });
  return (await send(origin, 'PUT', `${npm}/kept`, { token: rootToken, body })).status;
}

/** A data folder with something in it, closed. */
async function filled(): Promise<string> {
  const server = await start();
  for (let count = 0; count < 20; count += 1) expect(await publish(server.origin, `1.0.${count}`)).toBe(200);
  await server.stop();
  return join(dataDir, 'gatehouse.db');
}

function filesWithDigests(): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.length > 100)
    .map((entry) => entry.name)
    .toSorted();
}

describe('a damaged database', () => {
  const spoils: [string, (file: string) => void][] = [
    ['with another header', (file) => overwrite(file, 0, 200)],
    ['that is something else', (file) => writeFileSync(file, 'this was a database once'.repeat(500))],
    ['with its schema overwritten', (file) => overwrite(file, 100, 3900)],
    ['cut in the middle', (file) => truncateSync(file, 4096 * 6)],
  ];
  test.each(spoils)('%s stops the start with its own exit code and says what to do', async (_how, spoil) => {
    const file = await filled();
    const tarballs = filesWithDigests();
    spoil(file);
    const again = await gatehouse(['serve', '--port', '0'], { dataDir });
    expect(again, again.stderr).toMatchObject({ code: 13 });
    expect(again.stderr).toContain('restore');
    const doctor = await gatehouse(['doctor', '--repair'], { dataDir });
    expect(doctor.code).toBe(1);
    expect(doctor.stdout + doctor.stderr).toMatch(/damaged/);
    // Nothing of what a person may still want to save was touched.
    expect(filesWithDigests()).toEqual(tarballs);
  });

  test('with pages overwritten is found by doctor', async () => {
    const file = await filled();
    const size = statSync(file).size;
    overwrite(file, size - 4096 * 3, 4096 * 3);
    const doctor = await gatehouse(['doctor'], { dataDir });
    expect(doctor.code, doctor.stdout).not.toBe(0);
    expect(doctor.stdout + doctor.stderr).toMatch(/damaged|index/);
  });

  test('is found before anything is served where the last server did not get to close it', async () => {
    const file = await filled();
    const server = await start();
    await server.kill();
    const sqlite = new BetterSqlite3(file);
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
    sqlite.close();
    overwrite(file, statSync(file).size - 4096 * 8, 4096 * 8);
    expect(await gatehouse(['serve', '--port', '0'], { dataDir })).toMatchObject({ code: 13 });
  });
});

test('a snapshot takes the place of a damaged database, which is kept', async () => {
  const server = await start();
  expect(await publish(server.origin, '1.0.0')).toBe(200);
  expect(await gatehouse(['snapshot', 'create', 'sound'], { dataDir })).toMatchObject({ code: 0 });
  expect(await publish(server.origin, '1.0.1')).toBe(200);
  await server.stop();
  overwrite(join(dataDir, 'gatehouse.db'), 0, 4096);

  const list = await gatehouse(['snapshot', 'list'], { dataDir });
  expect(list, list.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining('sound') as string });
  expect(await gatehouse(['snapshot', 'restore', 'unknown'], { dataDir })).toMatchObject({ code: 1 });
  const back = await gatehouse(['snapshot', 'restore', 'sound'], { dataDir });
  expect(back, back.stderr).toMatchObject({ code: 0 });
  expect(readdirSync(join(dataDir, 'quarantine'), { recursive: true }).join()).toContain('gatehouse.db');
  const again = await start();
  expect((await send(again.origin, 'GET', `${npm}/kept/-/kept-1.0.0.tgz`, { token: rootToken })).status).toBe(200);
  expect((await send(again.origin, 'GET', `${npm}/kept/-/kept-1.0.1.tgz`, { token: rootToken })).status).toBe(404);
  expect(await publish(again.origin, '1.0.1')).toBe(200);
  // The tarball of the version that only the damaged database knew is not deleted unasked.
  const doctor = await gatehouse(['doctor'], { dataDir });
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/^clutter: Nothing refers/) as string });
  expect(await gatehouse(['doctor', '--repair'], { dataDir })).toMatchObject({ code: 0 });
  expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
});

test('a database of a newer Gatehouse is not touched', async () => {
  const file = await filled();
  const sqlite = new BetterSqlite3(file);
  sqlite.exec(`INSERT INTO schema_migrations VALUES (9999, 'from-the-future', 'x', 0)`);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
  sqlite.close();
  const before = readFileSync(file);
  const again = await gatehouse(['serve', '--port', '0'], { dataDir });
  expect(again).toMatchObject({ code: 14 });
  expect(again.stderr).toContain('newer');
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('two servers cannot have one data folder', async () => {
  const first = await start();
  const second = await gatehouse(['serve', '--port', '0'], { dataDir });
  expect(second).toMatchObject({ code: 12 });
  expect(second.stderr).toContain(`process ${first.pid}`);
  expect(await publish(first.origin, '1.0.0')).toBe(200);
  // The lock goes with its process, however that ends.
  await first.kill();
  const third = await start();
  expect(await publish(third.origin, '1.0.1')).toBe(200);
});

test('a clock that was set back changes nothing of what is stored, and publishing goes on', async () => {
  const first = await start();
  expect(await publish(first.origin, '1.0.0')).toBe(200);
  const before = await send(first.origin, 'GET', `${npm}/kept`, { token: rootToken });
  await first.stop();

  const year = 365 * 24 * 3_600_000;
  const script = `const now = Date.now; Date.now = () => now() - ${year};`;
  const second = await start({ node: ['--import', `data:text/javascript,${encodeURIComponent(script)}`] });
  expect(await publish(second.origin, '1.0.1')).toBe(200);
  const after = await send(second.origin, 'GET', `${npm}/kept`, { token: rootToken });
  const {
    time,
    versions,
    'dist-tags': tags,
  } = after.json<{
    time: Record<string, string>;
    versions: object;
    'dist-tags': Record<string, string>;
  }>();
  expect(Object.keys(versions).toSorted()).toEqual(['1.0.0', '1.0.1']);
  expect(tags['latest']).toBe('1.0.1');
  expect(time['1.0.0']).toBe(before.json<{ time: Record<string, string> }>().time['1.0.0']);
  expect(Date.parse(time['1.0.1'] ?? '')).toBeLessThan(Date.parse(time['1.0.0'] ?? ''));
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect((await send(second.origin, 'GET', `${npm}/kept/-/kept-1.0.1.tgz`, { token: rootToken })).status).toBe(200);
  await second.stop();
  expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
});

test('a copy of a data folder that was taken while it was served can be served', async () => {
  const server = await start();
  await publish(server.origin, '1.0.0');
  const target = join(dataDir, 'copy.tar');
  expect(await gatehouse(['backup', target], { dataDir })).toMatchObject({ code: 0 });
  const copy = join(dataDir, 'copied');
  copyFileSync(target, join(dataDir, 'moved.tar'));
  expect(await gatehouse(['restore', join(dataDir, 'moved.tar')], { dataDir: copy })).toMatchObject({ code: 0 });
  const second = await start({ dataDir: copy });
  // The token of the first one works, since the backup has everything.
  expect(await publish(second.origin, '1.0.1')).toBe(200);
  expect((await send(second.origin, 'GET', `${npm}/kept/-/kept-1.0.0.tgz`, { token: rootToken })).status).toBe(200);
});

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, from, from + length);
  writeFileSync(file, bytes);
}
