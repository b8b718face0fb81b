import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { migrate, shippedMigrations } from '../../server/storage/database/migrations.ts';
import { gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { dataDir, start, useDataFolder } from './support/data-folder.ts';

const npm = '/api/v4/projects/1/packages/npm';

useDataFolder();

async function publish(origin: string, name: string): Promise<void> {
  const body = await makePublishDocument({ name, version: '1.0.0', files: { 'index.js': name } });
  expect((await send(origin, 'PUT', `${npm}/${name}`, { token: rootToken, body })).status).toBe(200);
}

/** A data folder with two packages, closed. */
async function filled(): Promise<void> {
  const server = await start();
  await publish(server.origin, 'one');
  await publish(server.origin, 'two');
  await server.stop();
}

/** Every file and folder below with its kind, mode, time and content. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode, mtimeMs } = statSync(path);
      const content = entry.isFile() ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      return [relative(folder, path), mode.toString(8), entry.isFile() ? Math.floor(mtimeMs) : '', content].join(' ');
    })
    .toSorted();
}

const serve = ['serve', '--port', '0'];
const everyCommand = [
  serve,
  ['token', 'create', '--name', 'x'],
  ['token', 'list'],
  ['audit'],
  ['upstream', 'list'],
  ['upstream', 'add', 'npmjs', 'https://registry.npmjs.org'],
  ['offline'],
  ['access', 'local/packages', 'production'],
  ['doctor', '--repair'],
  ['snapshot', 'list'],
  ['connect', '--dir', '.'],
  ['restore', '/nowhere.tar'],
];

describe('a folder with other files', () => {
  test.each([
    ['a file and a folder "tmp"', () => (writeFileSync(join(dataDir, 'notes.txt'), 'notes'), fillTmp())],
    ['nothing but a folder "tmp"', fillTmp],
    ['a project', () => writeFileSync(join(dataDir, 'package.json'), '{}')],
    [
      'a file with the name of the marker',
      () => writeFileSync(join(dataDir, 'gatehouse-folder.json'), '{"my":"file"}'),
    ],
  ])('that holds %s is refused by every command and left as it is', async (_what, fill) => {
    fill();
    const before = stateOf(dataDir);
    for (const command of everyCommand) {
      const result = await gatehouse(command, { dataDir, env: { HOME: '/' } });
      expect(result.code, `${command.join(' ')}: ${result.stdout}${result.stderr}`).toBeGreaterThan(0);
      expect(result.stderr).toContain(dataDir);
      expect(stateOf(dataDir), command.join(' ')).toEqual(before);
    }
    expect(await gatehouse(serve, { dataDir })).toMatchObject({ code: 17 });
  });

  function fillTmp(): void {
    mkdirSync(join(dataDir, 'tmp'));
    writeFileSync(join(dataDir, 'tmp', 'thesis.txt'), 'years of work');
  }

  test.each(
    everyCommand.filter((command) => /^(?:token,list|audit|upstream,list|doctor|snapshot)/.test(command.join())),
  )('or without any is not made a registry by %s %s', async (...command) => {
    for (const folder of [dataDir, join(dataDir, 'missing')]) {
      const result = await gatehouse(command, { dataDir: folder, env: { HOME: '/' } });
      expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('no registry') as string });
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('is never the one that a command happens to run in', async () => {
    const asked = async (env: Record<string, string>) => (await gatehouse(['token', 'list'], { env })).stderr;
    expect(await asked({ HOME: dataDir, XDG_CONFIG_HOME: '' })).toContain(`no registry in ${dataDir}/.config/`);
    expect(await asked({ HOME: dataDir, XDG_CONFIG_HOME: 'relative' })).toContain(`no registry in ${dataDir}/.config/`);
    for (const HOME of ['', 'relative']) expect(await asked({ HOME })).toContain('--data-dir');
    expect(await asked({ HOME: dataDir, GATEHOUSE_DATA_DIR: '' })).toContain('name a folder');
  });

  test('is told from one of an older version, of whose folder "tmp" only its own files go', async () => {
    await filled();
    rmSync(join(dataDir, 'gatehouse-folder.json'));
    rmSync(join(dataDir, 'gatehouse-temporary'), { recursive: true });
    fillTmp();
    writeFileSync(join(dataDir, 'tmp', '0b7f1f0c-8f0e-4f3a-9a53-8a4c9f1d2e3b.part'), 'half an upload');
    const server = await start();
    expect((await send(server.origin, 'GET', `${npm}/one`, { token: rootToken })).status).toBe(200);
    expect(readdirSync(join(dataDir, 'tmp'))).toEqual(['thesis.txt']);
    expect(existsSync(join(dataDir, 'gatehouse-folder.json'))).toBe(true);
  });

  test('has the name of what is in the way said', async () => {
    await filled();
    for (const name of ['gatehouse.db', 'gatehouse.lock', 'server.json', 'upstream.key', 'tarballs']) {
      const path = join(dataDir, name);
      const aside = join(dataDir, '..', `${name}-${process.pid}`);
      if (existsSync(path)) copyAside(path, aside);
      if (name === 'tarballs') writeFileSync(path, 'a file');
      else mkdirSync(path);
      const result = await gatehouse(serve, { dataDir });
      expect(result.code, `${name}: ${result.stderr}`).toBe(11);
      expect(result.stderr).toContain(path);
      expect(result.stderr).toMatch(/Move it away|Check that|permissions/);
      rmSync(path, { recursive: true });
      if (existsSync(aside)) copyAside(aside, path);
    }
    const file = join(dataDir, 'gatehouse.db');
    const asFolder = await gatehouse(serve, { dataDir: file });
    expect(asFolder).toMatchObject({ code: 11, stderr: expect.stringContaining(file) as string });
  });

  function copyAside(from: string, to: string): void {
    if (statSync(from).isFile()) copyFileSync(from, to);
    rmSync(from, { recursive: true });
  }
});

describe('a data folder whose database is gone', () => {
  test.each([
    ['missing', (file: string) => rmSync(file)],
    ['empty', (file: string) => truncateSync(file)],
    ['new', (file: string) => (rmSync(file), makeNewDatabase(file))],
  ])('or is %s is not started, and loses no tarball', async (_how, spoil) => {
    await filled();
    spoil(join(dataDir, 'gatehouse.db'));
    const before = stateOf(dataDir);
    for (const command of [serve, ['doctor', '--repair'], ['token', 'create', '--name', 'x']]) {
      const result = await gatehouse(command, { dataDir });
      expect(result.code, result.stderr).toBeGreaterThan(0);
      expect(result.stdout + result.stderr).toMatch(/gatehouse restore/);
      expect(stateOf(dataDir)).toEqual(before);
    }
    expect(await gatehouse(serve, { dataDir })).toMatchObject({ code: 13 });
  });

  test('starts again from a snapshot', async () => {
    const server = await start();
    await publish(server.origin, 'one');
    expect(await gatehouse(['snapshot', 'create', 'sound'], { dataDir })).toMatchObject({ code: 0 });
    await server.stop();
    rmSync(join(dataDir, 'gatehouse.db'));
    expect(await gatehouse(serve, { dataDir })).toMatchObject({ code: 13 });
    const back = await gatehouse(['snapshot', 'restore', 'sound'], { dataDir });
    expect(back, back.stderr).toMatchObject({ code: 0 });
    const again = await start();
    expect((await send(again.origin, 'GET', `${npm}/one/-/one-1.0.0.tgz`, { token: rootToken })).status).toBe(200);
  });

  test('and replaced by an older copy keeps the tarballs that only the lost one knew', async () => {
    const server = await start();
    await publish(server.origin, 'one');
    await server.stop();
    const older = join(dataDir, '..', `older-${process.pid}.db`);
    copyFileSync(join(dataDir, 'gatehouse.db'), older);
    const again = await start();
    await publish(again.origin, 'two');
    await again.stop();
    copyFileSync(older, join(dataDir, 'gatehouse.db'));
    rmSync(older);
    const tarballs = stateOf(join(dataDir, 'tarballs'));
    const third = await start();
    await third.stop();
    expect(stateOf(join(dataDir, 'tarballs'))).toEqual(tarballs);
    // Nor does a repair delete what it cannot explain.
    expect(await gatehouse(['doctor', '--repair'], { dataDir })).toMatchObject({ code: 0 });
    expect(readdirSync(join(dataDir, 'quarantine'), { recursive: true }).join()).toMatch(/[0-9a-f]{128}\.tgz/);
  });

  function makeNewDatabase(file: string): void {
    const sqlite = new BetterSqlite3(file);
    migrate(sqlite, shippedMigrations());
    sqlite.close();
  }
});

describe('a data folder of a newer Gatehouse', () => {
  const newer: [string, () => void][] = [
    ['layout', () => writeFileSync(join(dataDir, 'gatehouse-folder.json'), '{"format":2,"id":"x","more":[]}')],
    ['schema', () => changeDatabase(`INSERT INTO schema_migrations VALUES (9999, 'from-the-future', 'x', 0)`)],
  ];
  test.each(newer)('by its %s is refused by every command, and no file in it is changed', async (_by, change) => {
    await filled();
    change();
    rmSync(join(dataDir, 'gatehouse-temporary'), { recursive: true });
    const before = stateOf(dataDir);
    for (const command of [serve, ['token', 'list'], ['doctor', '--repair'], ['snapshot', 'create', 'x']]) {
      const result = await gatehouse(command, { dataDir });
      expect(result.stdout + result.stderr).toMatch(/newer/);
      expect(result.code).toBe(command[0] === 'doctor' ? 1 : 14);
      expect(stateOf(dataDir), command.join(' ')).toEqual(before);
    }
  });

  test('that crashed is refused with its log untouched', async () => {
    const server = await start();
    await publish(server.origin, 'one');
    // A second connection keeps the log from being merged into the database.
    const sqlite = new BetterSqlite3(join(dataDir, 'gatehouse.db'));
    sqlite.exec(`INSERT INTO schema_migrations VALUES (9999, 'from-the-future', 'x', 0)`);
    await server.kill();
    const crashed = mkdtempSync(join(tmpdir(), 'gatehouse-crashed-'));
    for (const name of readdirSync(dataDir).filter((entry) => statSync(join(dataDir, entry)).isFile())) {
      copyFileSync(join(dataDir, name), join(crashed, name));
    }
    sqlite.close();
    expect(statSync(join(crashed, 'gatehouse.db-wal')).size).toBeGreaterThan(0);
    const before = stateOf(crashed);
    expect(await gatehouse(serve, { dataDir: crashed })).toMatchObject({ code: 14 });
    expect(stateOf(crashed)).toEqual(before);
    rmSync(crashed, { recursive: true });
  });

  function changeDatabase(sql: string): void {
    const sqlite = new BetterSqlite3(join(dataDir, 'gatehouse.db'));
    sqlite.exec(sql);
    sqlite.close();
  }
});
