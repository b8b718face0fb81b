import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import type { Answer } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { SmallDisk } from './support/small-disk.ts';

/* Files of the data folder that cannot be used while the registry serves: callers learn what is wrong, its owner also where. */

const npm = '/api/v4/projects/1/packages/npm';

let dataDir = '';
let server: GatehouseProcess | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-files-'));
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  server = await GatehouseProcess.start({ dataDir });
}

function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  return send(server?.origin ?? '', method, path, { token: rootToken, body });
}

async function publish(name: string): Promise<Answer> {
  return ask('PUT', `${npm}/${name}`, await makePublishDocument({ name, version: '1.0.0' }));
}

const download = (): Promise<Answer> => ask('GET', `${npm}/lib/-/lib-1.0.0.tgz`);

/** The only tarball that is stored. */
function tarball(): string {
  const tarballs = join(dataDir, 'tarballs');
  const [file] = readdirSync(tarballs, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return join(file?.parentPath ?? '', file?.name ?? '');
}

/** The answer says what is wrong without a path; the log of the server says where. */
async function expectFault(answer: Answer, what: RegExp, path: string): Promise<void> {
  expect(answer.status, answer.text).toBe(503);
  expect(answer.json<{ error: string }>().error).toMatch(what);
  expect(answer.text).not.toContain(dataDir);
  const { stderr } = (await server?.stop()) ?? { stderr: '' };
  const faults = stderr.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as object] : []));
  expect(faults).toContainEqual(expect.objectContaining({ fault: expect.stringContaining(path) as string }));
  expect(faults).toContainEqual(expect.objectContaining({ fault: expect.stringMatching(what) as string }));
}

describe('a download', () => {
  beforeEach(async () => {
    await start();
    expect((await publish('lib')).status).toBe(200);
  });

  test('of a tarball in whose place a folder is', async () => {
    const file = tarball();
    renameSync(file, join(dataDir, 'away'));
    mkdirSync(file);
    await expectFault(await download(), /is a folder, where a file is expected/, dataDir);
  });

  test('of a tarball whose folder has become a file', async () => {
    const file = tarball();
    rmSync(dirname(file), { recursive: true });
    writeFileSync(dirname(file), '');
    await expectFault(await download(), /is a file, where a folder is expected/, file);
  });
});

describe('a publish', () => {
  test('into a file system that became read-only', async () => {
    await start();
    const tarballs = join(dataDir, 'tarballs');
    expect((await publish('first')).status).toBe(200);
    // Only root of a whole machine may mount; elsewhere the table in server/lib/file-error.test.ts has to do.
    if (spawnSync('mount', ['--bind', tarballs, tarballs]).status !== 0) return;
    try {
      // Busy while the server prepares its folders.
      const isReadOnly = () => spawnSync('mount', ['-o', 'remount,bind,ro', tarballs]).status === 0;
      await expect.poll(isReadOnly).toBe(true);
      await expectFault(await publish('second'), /its file system is read-only/, tarballs);
    } finally {
      execFileSync('umount', ['--lazy', tarballs]);
    }
  });

  test('while another program writes to the database', async () => {
    await start();
    const other = new BetterSqlite3(join(dataDir, 'gatehouse.db'));
    other.exec('BEGIN IMMEDIATE');
    try {
      const answer = await publish('lib');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      const command = await gatehouse(['token', 'create', '--name', 'x'], { dataDir });
      expect(command.code).toBe(1);
      expect(command.stderr).toContain(`${join(dataDir, 'gatehouse.db')} is in use by another program. Close that one`);
      await expectFault(answer, /is in use by another program/, join(dataDir, 'gatehouse.db'));
    } finally {
      other.close();
    }
  });

  test('into a database with a damaged page', async () => {
    await start();
    await server?.stop();
    const file = join(dataDir, 'gatehouse.db');
    const sqlite = new BetterSqlite3(file);
    const page = sqlite.prepare<[], number>(`SELECT rootpage FROM sqlite_schema WHERE name = 'tarballs'`).pluck().get();
    const size = sqlite.pragma('page_size', { simple: true }) as number;
    sqlite.close();
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, ((page ?? 0) - 1) * size);
    closeSync(descriptor);
    await start();
    await expectFault(await publish('lib'), /is damaged\. Run "gatehouse doctor"/, file);
  });
});

describe('a command without a server', () => {
  test('beside another program that writes to the database', async () => {
    await start();
    await server?.stop();
    const other = new BetterSqlite3(join(dataDir, 'gatehouse.db'));
    other.exec('BEGIN IMMEDIATE');
    try {
      const command = await gatehouse(['token', 'create', '--name', 'x'], { dataDir });
      expect(command.code).toBeGreaterThan(0);
      expect(command.stderr).toContain(`${join(dataDir, 'gatehouse.db')} is in use by another program. Close that one`);
    } finally {
      other.close();
    }
  });

  test('on a full disk', async () => {
    const disk = new SmallDisk(8);
    try {
      const folder = join(disk.path, 'data');
      expect(await gatehouse(['token', 'create', '--name', 'x'], { dataDir: folder })).toMatchObject({ code: 0 });
      try {
        writeFileSync(join(disk.path, 'filler'), Buffer.alloc(16 * 1024 * 1024));
      } catch {
        // Not another byte fits.
      }
      const command = await gatehouse(['token', 'create', '--name', 'y'], { dataDir: folder });
      expect(command.code).toBeGreaterThan(0);
      expect(command.stderr).toMatch(/\/data\S* cannot be .*free (?:some )?space/i);
    } finally {
      disk.remove();
    }
  });
});
