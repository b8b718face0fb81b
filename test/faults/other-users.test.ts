import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';

const serve = ['serve', '--port', '0'];

/** A user id that no account of the machine has, as containers use them. */
const otherUser = 12_345;

let base = '';
let dataDir = '';
let server: GatehouseProcess | undefined;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'gatehouse-users-'));
  chmodSync(base, 0o755);
  dataDir = join(base, 'data');
});
afterEach(async () => {
  await server?.kill();
  server = undefined;
  rmSync(base, { recursive: true, force: true });
});

/** Everything below a folder that the other user can read, by trying as that user. */
function readableByOther(folder: string): string[] {
  const script = `find "$1" -mindepth 1 \\( -type f -o -type s -o -type d \\) -readable -print`;
  const found = spawnSync(
    'setpriv',
    ['--reuid', String(otherUser), '--clear-groups', 'sh', '-c', script, 'sh', folder],
    {
      encoding: 'utf8',
    },
  );
  expect(found.error).toBeUndefined();
  return found.stdout.split('\n').filter((line) => line !== '');
}

async function publish(origin: string, name: string, size = 100): Promise<void> {
  const body = await makePublishDocument({ name, version: '1.0.0', files: { 'data.bin': Buffer.alloc(size, name) } });
  const answer = await send(origin, 'PUT', `/api/v4/projects/1/packages/npm/${name}`, { token: rootToken, body });
  expect(answer.status, answer.text).toBe(200);
}

describe('another user of the machine', () => {
  test.each([0o755, 0o711])('can read nothing in a data folder of mode %o, whatever the umask', async (mode) => {
    mkdirSync(dataDir, { mode });
    server = await GatehouseProcess.start({ dataDir, shell: 'umask 000; exec "$@"' });
    await publish(server.origin, 'small');
    await publish(server.origin, 'large', 700_000);
    const backup = join(base, 'made/backup.tar');
    for (const command of [
      ['snapshot', 'create', 'one'],
      ['backup', backup],
      ['export', 'small', join(base, 'small.bundle')],
    ]) {
      const result = await gatehouse(command, { dataDir });
      expect(result, result.stderr).toMatchObject({ code: 0 });
    }
    expect(statSync(dataDir).mode & 0o777).toBe(mode);
    expect(readableByOther(base).filter((path) => path !== dataDir)).toEqual([]);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  });

  test('can read nothing of what an older version left readable', async () => {
    server = await GatehouseProcess.start({ dataDir });
    await publish(server.origin, 'older');
    await server.stop();
    chmodSync(dataDir, 0o755);
    for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) chmodSync(path, 0o755);
      else if (path.includes('tarballs')) chmodSync(path, 0o644);
    }
    server = await GatehouseProcess.start({ dataDir });
    expect(readableByOther(dataDir)).toEqual([]);
  });

  test('gets no token accepted that was put into a folder before its first start', async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    writeFileSync(join(dataDir, 'gatehouse-folder.json'), '{"format":1,"id":"planted"}');
    writeFileSync(join(dataDir, 'initial_root_token'), 'glpat-planted-by-another-user-0000', { mode: 0o644 });
    const started = await GatehouseProcess.start({ dataDir, rootToken: '' }).catch(String);
    expect(started).toMatch(/GATEHOUSE_ROOT_TOKEN/);
    server = await GatehouseProcess.start({ dataDir });
    const answer = await send(server.origin, 'GET', '/api/v4/user', { token: 'glpat-planted-by-another-user-0000' });
    expect(answer.status).toBe(401);
    expect(statSync(join(dataDir, 'initial_root_token')).mode & 0o777).toBe(0o600);
  });

  test('gets no secret through a link that was put where the token is written', async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    writeFileSync(join(dataDir, 'gatehouse-folder.json'), '{"format":1,"id":"planted"}');
    const elsewhere = join(base, 'elsewhere');
    writeFileSync(elsewhere, 'untouched');
    symlinkSync(elsewhere, join(dataDir, 'initial_root_token'));
    server = await GatehouseProcess.start({ dataDir });
    expect(lstatSync(join(dataDir, 'initial_root_token')).isFile()).toBe(true);
    expect(statSync(elsewhere).size).toBe('untouched'.length);
  });

  test.each(['gatehouse.db-shm', 'gatehouse.lock', 'server.json', 'tarballs'])(
    'has nothing used that was put into a folder while all could write to it: %s',
    async (name) => {
      server = await GatehouseProcess.start({ dataDir });
      await server.stop();
      const planted = join(dataDir, name);
      rmSync(planted, { recursive: true, force: true });
      if (name === 'tarballs') mkdirSync(planted);
      else writeFileSync(planted, '');
      chownSync(planted, otherUser, otherUser);
      for (const command of [serve, ['token', 'list']]) {
        const result = await gatehouse(command, { dataDir });
        expect(result).toMatchObject({ code: 17 });
        expect(result.stderr).toContain(`${planted} belongs to the user with the id ${otherUser}`);
      }
    },
  );

  test.each(['gatehouse-folder.json', 'server.json', 'upstream.key'])(
    'makes nobody wait at a pipe: %s',
    async (name) => {
      server = await GatehouseProcess.start({ dataDir });
      await server.stop();
      rmSync(join(dataDir, name), { force: true });
      spawnSync('mkfifo', [join(dataDir, name)]);
      expect(await gatehouse(serve, { dataDir })).toMatchObject({ code: 17 });
    },
  );

  test.each([
    [
      'that belongs to another user',
      () => chownSync(dataDir, otherUser, otherUser),
      /belongs to the user with the id 12345/,
    ],
    ['that its group can write to', () => chmodSync(dataDir, 0o770), /chmod go-w/],
    ['that everybody can write to', () => chmodSync(dataDir, 0o777), /chmod go-w/],
  ])('a folder %s is refused and left as it is', async (_which, spoil, text) => {
    mkdirSync(dataDir);
    spoil();
    for (const command of [serve, ['token', 'create', '--name', 'name'], ['token', 'list'], ['doctor']]) {
      const result = await gatehouse(command, { dataDir });
      expect(result).toMatchObject({ code: 17 });
      expect(result.stderr).toMatch(text);
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });
});

describe('a user id without a name, as containers have it', () => {
  /** Runs a command as that user, without a home. */
  const asOther = ['setpriv', '--reuid', String(otherUser), '--clear-groups'];

  test('serves, publishes and runs commands', async () => {
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, otherUser, otherUser);
    server = await GatehouseProcess.start({ dataDir, shell: `unset HOME; exec ${asOther.join(' ')} "$@"` });
    await publish(server.origin, 'contained');
    const run = (args: readonly string[]) =>
      gatehouse(args, { dataDir, shell: `unset HOME; exec ${asOther.join(' ')} "$@"` });
    const doctor = await run(['doctor']);
    expect(doctor, doctor.stderr).toMatchObject({ code: 0 });
    expect((await run(['token', 'create', '--name', 'mine'])).stdout).toContain('glpat-');
    await server.stop();
    const alone = await run(['audit']);
    expect(alone, alone.stderr).toMatchObject({ code: 0 });
    // Without a home there is no default; what is missing is said, and nothing is made.
    const nameless = await gatehouse(['token', 'list'], { shell: `unset HOME; exec ${asOther.join(' ')} "$@"` });
    expect(nameless.code).toBe(2);
    expect(nameless.stderr).toContain('--data-dir');
  });

  test('is told what it has no right to, by path', async () => {
    server = await GatehouseProcess.start({ dataDir });
    await publish(server.origin, 'contained');
    await server.stop();
    const all = readdirSync(dataDir, { recursive: true, withFileTypes: true });
    for (const entry of all) chownSync(join(entry.parentPath, entry.name), otherUser, otherUser);
    chownSync(dataDir, otherUser, otherUser);
    for (const name of ['gatehouse.db', 'gatehouse.lock', 'gatehouse-folder.json', 'tarballs', 'upstream.key']) {
      const path = join(dataDir, name);
      const { mode } = statSync(path);
      for (const owner of [0, otherUser]) {
        // What is its own can be opened again by its owner, and the server would run.
        if (name === 'tarballs' && owner === otherUser) continue;
        chownSync(path, owner, owner);
        chmodSync(path, 0);
        const result = await gatehouse(serve, { dataDir, shell: `exec ${asOther.join(' ')} "$@"` });
        expect([11, 17], `${name}: ${result.stdout}${result.stderr}`).toContain(result.code);
        expect(result.stderr).toContain(path);
        expect(result.stderr).toMatch(/no right to it|belongs to the user/);
        expect(result.stderr.trim().split('\n')).toHaveLength(1);
      }
      chownSync(path, otherUser, otherUser);
      chmodSync(path, mode);
    }
    expect(existsSync(join(dataDir, 'server.json'))).toBe(false);
  });
});
