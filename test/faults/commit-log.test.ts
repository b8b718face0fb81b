import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import { HeldTransaction } from '../../server/storage/database/commit-log/held-transaction.ts';
import { LogFile } from '../../server/storage/database/commit-log/log-file.ts';
import { openSqlite } from '../../server/storage/database/sqlite.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { TestRegistry } from '../support/registry.ts';
import { examineHealth, finishJob } from './support/maintenance.ts';
import { rootToken, runCommand, ServerProcess } from './support/server-process.ts';
import { SmallDisk } from './support/small-disk.ts';

const npm = '/api/v4/projects/1/packages/npm';

let folder = '';
const ending: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-commits-'));
});
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(dataDir: string): Promise<ServerProcess> {
  const server = await ServerProcess.start({ dataDir });
  ending.push(() => server.kill());
  return server;
}

async function open(dataDir: string): Promise<TestRegistry> {
  const gatehouse = await TestRegistry.start({ dataDir });
  ending.push(() => gatehouse.stop());
  return gatehouse;
}

async function publish(origin: string, name: string, version: string): Promise<number> {
  const body = await makePublishDocument({ name, version, files: { 'data.txt': `${name} ${version}` } });
  return (await send(origin, 'PUT', `${npm}/${name}`, { token: rootToken, body })).status;
}

/** How many versions the database file has for somebody else who looks at it, without the log. */
function committedIn(dataDir: string): number {
  const sqlite = new BetterSqlite3(join(dataDir, 'gatehouse.db'), { readonly: true });
  try {
    return sqlite.prepare<[], number>('SELECT count(*) FROM package_versions').pluck().get() ?? 0;
  } finally {
    sqlite.close();
  }
}

async function versionsOf(origin: string, name: string): Promise<string[]> {
  const answer = await send(origin, 'GET', `${npm}/${name}`, { token: rootToken });
  return answer.status === 404 ? [] : Object.keys(answer.json<{ versions: object }>().versions);
}

/** Publishes until some version was acknowledged that only the log has, then kills the server. */
async function killWhileHolding(dataDir: string): Promise<string[]> {
  const server = await serve(dataDir);
  const acknowledged: string[] = [];
  for (let count = 0; count < 500; count += 1) {
    expect(await publish(server.origin, 'held', `1.0.${count}`)).toBe(200);
    acknowledged.push(`1.0.${count}`);
    if (count > 5) {
      server.signal('SIGSTOP');
      if (committedIn(dataDir) < acknowledged.length) break;
      server.signal('SIGCONT');
    }
  }
  await server.kill();
  expect(committedIn(dataDir)).toBeLessThan(acknowledged.length);
  return acknowledged;
}

test('what only the log had when the server was killed is there after the start, and for doctor', async () => {
  const acknowledged = await killWhileHolding(folder);
  const again = await serve(folder);
  expect(await versionsOf(again.origin, 'held')).toEqual(acknowledged);
  for (const version of acknowledged.slice(-3)) {
    const tarball = await send(again.origin, 'GET', `${npm}/held/-/held-${version}.tgz`, { token: rootToken });
    expect(tarball.status).toBe(200);
  }
  expect(committedIn(folder)).toBe(acknowledged.length);
  expect(await publish(again.origin, 'held', '2.0.0')).toBe(200);
  expect(await again.stop()).toMatchObject({ code: 0 });
  expect(existsSync(join(folder, 'commits.log'))).toBe(false);
  expect(await runCommand(folder, ['doctor'])).toMatchObject({ code: 0 });
});

test('killed again and again before it could commit, the server still has all of it', async () => {
  const acknowledged = await killWhileHolding(folder);
  for (let round = 0; round < 3; round += 1) {
    const server = await serve(folder);
    const version = `2.${round}.0`;
    expect(await publish(server.origin, 'held', version)).toBe(200);
    acknowledged.push(version);
    await server.kill();
  }
  const again = await serve(folder);
  expect(await versionsOf(again.origin, 'held')).toEqual(acknowledged);
});

test('a command on the folder of a killed server takes in what the log had', async () => {
  const acknowledged = await killWhileHolding(folder);
  const listed = await runCommand(folder, ['audit', '--json', '--limit', '1000']);
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout.split('package.published').length - 1).toBe(acknowledged.length);
});

test('a log that cannot be taken in stops the start with what to do, and is not lost', async () => {
  const acknowledged = await killWhileHolding(folder);
  const committed = committedIn(folder);
  // Somebody changed the database by other means, so that the logged statements do not fit it any more.
  const sqlite = new BetterSqlite3(join(folder, 'gatehouse.db'));
  sqlite.exec('DELETE FROM packages');
  sqlite.close();
  const refused = await runCommand(folder, ['serve', '--port', '0']);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain(join(folder, 'commits.log'));
  expect(refused.stderr).toContain('move that file away');
  expect(existsSync(join(folder, 'commits.log'))).toBe(true);
  rmSync(join(folder, 'commits.log'));
  await serve(folder);
  expect(acknowledged.length).toBeGreaterThan(committed);
});

test('a log that is damaged or not ours is passed over', async () => {
  await killWhileHolding(folder);
  const committed = committedIn(folder);
  writeFileSync(join(folder, 'commits.log'), Buffer.alloc(100_000, 0x5a));
  const server = await serve(folder);
  expect(await versionsOf(server.origin, 'held')).toHaveLength(committed);
});

/** Every row of every table, apart from what differs between two runs by its nature. */
function rowsIn(dataDir: string): Record<string, unknown[]> {
  const sqlite = new BetterSqlite3(join(dataDir, 'gatehouse.db'), { readonly: true });
  try {
    const tables = sqlite
      .prepare<[], string>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'package_search%' AND name NOT LIKE 'sqlite_%'`,
      )
      .pluck()
      .all();
    const rows = tables.map((table): [string, unknown[]] => {
      const found = sqlite.prepare(`SELECT * FROM ${table}`).all();
      const lasting = found.filter((row) => (row as { key?: string }).key !== 'commit_log');
      return [table, lasting.map((row) => JSON.stringify(row)).toSorted()];
    });
    return Object.fromEntries(rows);
  } finally {
    sqlite.close();
  }
}

test('run again, the log gives the very rows that the server had', async () => {
  const live = await open(join(folder, 'live'));
  const npmrc = { manifest: { description: 'Hüte 🎩', keywords: ['hat'], dependencies: { held: '^1.0.0' } } };
  for (let count = 0; count < 12; count += 1) {
    await Promise.all([
      live.publish({ name: 'held', version: `1.0.${count}`, tag: count % 2 === 0 ? 'latest' : 'next' }),
      live.publish({ name: `@local/new-${count}`, version: '1.0.0', ...npmrc }),
      live.publish({ name: 'large', version: `1.0.${count}`, files: { 'data.bin': Buffer.alloc(300_000, count) } }),
      // Refused in the same batch as the others.
      live.publish({ name: 'held', version: '1.0.0' }).catch(() => undefined),
    ]);
  }
  const killed = join(folder, 'killed');
  cpSync(live.dataDir, killed, { recursive: true });
  expect(committedIn(killed)).toBeLessThan(36);
  await live.registry.settle();
  expect(committedIn(live.dataDir)).toBe(36);

  const again = await open(killed);
  await again.registry.settle();
  expect(rowsIn(killed)).toEqual(rowsIn(live.dataDir));
  expect(await examineHealth(again)).toEqual([]);
});

test('a snapshot holds what was acknowledged before it, also what only the log has', async () => {
  const gatehouse = await open(folder);
  for (let count = 0; count < 5; count += 1) await gatehouse.publish({ name: 'held', version: `1.0.${count}` });
  await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('now'));
  await gatehouse.publish({ name: 'held', version: '2.0.0' });
  await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('now', systemActor));
  expect(await versionsOf(gatehouse.origin, 'held')).toHaveLength(5);
});

test('a state that was gone back to is not followed by what was logged after it', async () => {
  const gatehouse = await open(join(folder, 'live'));
  for (let count = 0; count < 5; count += 1) await gatehouse.publish({ name: 'held', version: `1.0.${count}` });
  await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('earlier'));
  await gatehouse.publish({ name: 'held', version: '2.0.0' });
  await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('earlier', systemActor));
  const killed = join(folder, 'killed');
  cpSync(gatehouse.dataDir, killed, { recursive: true });
  const again = await open(killed);
  expect(await versionsOf(again.origin, 'held')).toHaveLength(5);
});

test('a command that writes beside a busy server gets its turn', async () => {
  const server = await serve(folder);
  const load = { isDone: false };
  let published = 0;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let count = 0; !load.isDone; count += 1) {
      expect(await publish(server.origin, `busy-${writer}`, `1.0.${count}`)).toBe(200);
      published += 1;
    }
  });
  try {
    for (const name of ['one', 'two', 'three']) {
      const made = await runCommand(folder, ['token', 'create', '--name', name]);
      expect(made, made.stderr).toMatchObject({ code: 0 });
      const user = await send(server.origin, 'GET', '/api/v4/user', { token: made.stdout.trim() });
      expect(user.status).toBe(200);
    }
  } finally {
    load.isDone = true;
    await Promise.all(writers);
  }
  expect(published).toBeGreaterThan(10);
  expect(existsSync(join(folder, 'gatehouse.turn'))).toBe(false);
});

test('a commit that fails on a full disk leaves what was acknowledged readable and safe, and succeeds when there is room', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  ending.push(() => vi.useRealTimers());
  const disk = new SmallDisk(24);
  ending.push(() => disk.remove());
  const sqlite = openSqlite(join(disk.path, 'gatehouse.db'));
  ending.push(() => sqlite.close());
  sqlite.exec(`
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE numbers (n INTEGER PRIMARY KEY, bytes BLOB);`);
  const log = new LogFile(join(disk.path, 'commits.log'));
  const held = new HeldTransaction({ sqlite, log });
  ending.push(() => held.close());
  const put = (n: number, isReplayable = true): void =>
    held.run(() => {
      sqlite.prepare<[number, Buffer]>('INSERT INTO numbers (n, bytes) VALUES (?, ?)').run(n, Buffer.alloc(500_000, n));
    }, isReplayable);
  const numbers = (): unknown[] => sqlite.prepare('SELECT n FROM numbers ORDER BY n').pluck().all();
  held.run(() => undefined, true);
  await vi.waitFor(() => expect(log.isOpen).toBe(true));
  held.run(() => undefined, true);

  for (let n = 1; n <= 10; n += 1) put(n);
  expect(held.isHolding).toBe(true);
  const reserve = join(disk.path, 'reserve');
  expect(() => writeFileSync(reserve, Buffer.alloc(24 * 1024 * 1024))).toThrow('ENOSPC');

  vi.advanceTimersByTime(60);
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  expect([held.isHolding, numbers()]).toEqual([true, all]);
  // Nothing more is taken until a commit has succeeded, neither this way nor that.
  expect(() => put(11)).toThrow('full');
  expect(() => put(12, false)).toThrow('full');
  expect(numbers()).toEqual(all);

  rmSync(reserve);
  vi.advanceTimersByTime(1500);
  expect([held.isHolding, numbers()]).toEqual([false, all]);
  put(13);
  expect(numbers()).toEqual([...all, 13]);
});

test('the log is for its owner only, and gives the disk back when the server ends', async () => {
  const server = await serve(folder);
  for (let count = 0; count < 3; count += 1) await publish(server.origin, 'held', `1.0.${count}`);
  await expect.poll(() => readdirSync(folder)).toContain('commits.log');
  expect(statSync(join(folder, 'commits.log')).mode & 0o777).toBe(0o600);
  await server.stop();
  expect(readdirSync(folder)).not.toContain('commits.log');
});
