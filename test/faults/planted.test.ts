import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import { prepareState } from '../../server/storage/care/rewind.ts';
import { readHolder } from '../../server/storage/folder-holder.ts';
import { controlSocketOf } from '../../server/control/control-socket.ts';
import { GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';

let base = '';
let dataDir = '';
let server: GatehouseProcess | undefined;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'gatehouse-planted-'));
  dataDir = join(base, 'data');
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
  rmSync(base, { recursive: true, force: true });
});

test('a link that was put where an export or a backup is written first is not followed', async () => {
  server = await GatehouseProcess.start({ dataDir });
  const body = await makePublishDocument({ name: 'some', version: '1.0.0' });
  const answer = await send(server.origin, 'PUT', '/api/v4/projects/1/packages/npm/some', { token: rootToken, body });
  expect(answer.status).toBe(200);
  const precious = join(base, 'precious');
  writeFileSync(precious, 'precious');
  const [bundle, backup] = [join(base, 'some.bundle'), join(base, 'backup.tar')];
  for (const link of [`${bundle}.part`, `${backup}.partial`]) symlinkSync(precious, link);
  expect(await gatehouse(['export', 'some', bundle], { dataDir })).toMatchObject({ code: 0 });
  expect(await gatehouse(['backup', backup], { dataDir })).toMatchObject({ code: 0 });
  expect(readFileSync(precious, 'utf8')).toBe('precious');
  for (const file of [bundle, backup]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('compiled code that another user put into the shared temporary folder is not run', async () => {
  const shared = join(base, 'shared');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  const version = () => gatehouse(['--version'], { env: { TMPDIR: shared } });
  const own = `gatehouse-compiled-${process.getuid?.()}`;
  // Node's own place for it has a name that anyone can make first.
  expect(await version()).toMatchObject({ code: 0 });
  expect(readdirSync(shared)).toEqual([own]);
  expect(statSync(join(shared, own)).mode & 0o777).toBe(0o700);
  rmSync(join(shared, own), { recursive: true });
  for (const plant of [
    () => (mkdirSync(join(shared, own)), chmodSync(join(shared, own), 0o777)),
    () => (mkdirSync(join(shared, own), { mode: 0o700 }), chownSync(join(shared, own), 12_345, 12_345)),
    () => (mkdirSync(join(base, 'elsewhere')), symlinkSync(join(base, 'elsewhere'), join(shared, own))),
  ]) {
    plant();
    expect(await version()).toMatchObject({ code: 0 });
    expect(readdirSync(join(shared, own))).toEqual([]);
    rmSync(join(shared, own), { recursive: true });
  }
  // Where names can be changed by others, a folder of one's own can be exchanged.
  chmodSync(shared, 0o777);
  expect(await version()).toMatchObject({ code: 0 });
  expect(readdirSync(shared)).toEqual([]);
});

test('an .npmrc that others could read is closed when a token is written into it', async () => {
  const folder = join(base, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, '.npmrc'), 'save-exact=true\n', { mode: 0o644 });
  server = await GatehouseProcess.start({ dataDir });
  const connected = await gatehouse(['connect', '--dir', folder], { dataDir });
  expect(connected, connected.stderr).toMatchObject({ code: 0 });
  expect(statSync(join(folder, '.npmrc')).mode & 0o777).toBe(0o600);
});

test('a control socket whose path would be too long is in a private folder, and one in a folder of others is not used', async () => {
  const long = join(base, 'x'.repeat(120));
  server = await GatehouseProcess.start({ dataDir: long });
  const announced = readHolder(long)?.socket ?? undefined;
  const socket = controlSocketOf(long, announced) ?? '';
  expect(statSync(socket).isSocket()).toBe(true);
  expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
  const listed = await gatehouse(['token', 'list'], { dataDir: long });
  expect(listed, listed.stderr).toMatchObject({ code: 0 });
  chmodSync(dirname(socket), 0o777);
  expect(controlSocketOf(long, announced)).toBeUndefined();
  chmodSync(dirname(socket), 0o700);
  chownSync(dirname(socket), 12_345, 12_345);
  expect(controlSocketOf(long, announced)).toBeUndefined();
  chownSync(dirname(socket), 0, 0);
  await server.stop();
  expect(existsSync(dirname(socket))).toBe(false);
});

test('a pipe that another user of Windows could have made under a name known before is not spoken to', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform') ?? {};
  Object.defineProperty(process, 'platform', { ...platform, value: 'win32' });
  try {
    const pipe = String.raw`\\.\pipe\gatehouse-0123456789abcdef`;
    expect(controlSocketOf(dataDir, pipe)).toBe(pipe);
    expect(controlSocketOf(dataDir, undefined)).toBeUndefined();
    expect(controlSocketOf(dataDir, String.raw`\\elsewhere\pipe\gatehouse-0123`)).toBeUndefined();
  } finally {
    Object.defineProperty(process, 'platform', platform);
  }
});

test.each([
  ['trigger', `CREATE TRIGGER planted AFTER INSERT ON audit_events BEGIN UPDATE users SET is_admin = 1; END`],
  ['view', 'CREATE VIEW planted AS SELECT * FROM users'],
  ['table', 'CREATE TABLE planted (user_id INTEGER REFERENCES users (id))'],
  ['table', 'CREATE VIRTUAL TABLE planted USING rtree (a, b, c)'],
  ['index', 'CREATE UNIQUE INDEX planted ON access_tokens (user_id) WHERE revoked_at IS NOT NULL'],
  [
    'table',
    `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'is_admin      INTEGER NOT NULL DEFAULT 0',
       'is_admin      INTEGER NOT NULL DEFAULT 1') WHERE name = 'users'`,
  ],
])('a state with a %s of its own is not restored', async (_what, sql) => {
  server = await GatehouseProcess.start({ dataDir });
  await server.stop();
  const source = join(base, 'state.db');
  const sqlite = new BetterSqlite3(join(dataDir, 'gatehouse.db'));
  await sqlite.backup(source);
  sqlite.close();
  const state = new BetterSqlite3(source);
  state.pragma('journal_mode = DELETE');
  state.unsafeMode(true);
  state.exec(sql);
  state.close();
  const temporary = mkdtempSync(join(base, 'temporary-'));
  const folder = { tarballs: join(dataDir, 'tarballs'), temporary };
  const preparing = prepareState({ source, folder, actor: systemActor, action: 'registry.restored', name: 'state' });
  await expect(preparing).rejects.toThrow(/of its own/);
  expect(readdirSync(temporary)).toEqual([]);
});
