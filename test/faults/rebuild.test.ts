import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { migrate, shippedMigrations } from '../../server/storage/database/migrations.ts';
import { gatehouse, rootToken } from '../support/gatehouse-process.ts';
import type { ProcessResult } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import type { PublishInput } from '../support/publish-document.ts';
import { dataDir, start, useDataFolder } from './support/data-folder.ts';

const npm = '/api/v4/projects/1/packages/npm';
const serve = ['serve', '--port', '0'];

useDataFolder();

/** @returns the integrity that the registry states for it */
async function publish(origin: string, input: PublishInput): Promise<string> {
  const path = `${npm}/${input.name.replace('/', '%2f')}`;
  const body = await makePublishDocument(input);
  expect((await send(origin, 'PUT', path, { token: rootToken, body })).status).toBe(200);
  return (await packumentOf(origin, input.name)).versions[input.version]?.dist.integrity ?? '';
}

interface Packument {
  readonly 'dist-tags': Record<string, string>;
  readonly versions: Record<
    string,
    { dist: { integrity: string; tarball: string }; bin?: unknown; hasInstallScript?: boolean; deprecated?: string }
  >;
}

async function packumentOf(origin: string, name: string, prefix = npm): Promise<Packument> {
  return (await send(origin, 'GET', `${prefix}/${name.replace('/', '%2f')}`, { token: rootToken })).json<Packument>();
}

const inputs: PublishInput[] = [
  { name: 'kept', version: '1.0.0', files: { 'index.js': 'one' } },
  { name: 'kept', version: '1.1.0', files: { 'index.js': 'two' }, manifest: { bin: { kept: 'index.js' } } },
  { name: 'kept', version: '2.0.0-beta.1', tag: 'next', files: { 'index.js': 'three' } },
  { name: '@local/scoped', version: '0.1.0', manifest: { scripts: { postinstall: 'node .' } } },
  // Above what is inspected in memory.
  { name: 'large', version: '1.0.0', files: { 'data.bin': Buffer.from(hexOf(600_000)) } },
];

/** Text that does not compress well. */
function hexOf(length: number): string {
  let text = '';
  for (let count = 0; text.length < length; count += 1)
    text += createHash('sha512').update(`${count}`).digest('base64');
  return text;
}

/** A data folder with packages, closed; the integrity of each version. */
async function filled(more: readonly PublishInput[] = []): Promise<Map<PublishInput, string>> {
  const server = await start();
  const integrities = new Map<PublishInput, string>();
  for (const input of [...inputs, ...more]) integrities.set(input, await publish(server.origin, input));
  await server.stop();
  return integrities;
}

function loseDatabase(): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `gatehouse.db${suffix}`), { force: true });
}

function fileOf(integrity: string): string {
  const sha512 = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return join(dataDir, 'tarballs', sha512.slice(0, 2), sha512.slice(2));
}

function tarballs(): Record<string, string> {
  const files = readdirSync(join(dataDir, 'tarballs'), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

function rebuild(options: { flags?: string[]; node?: string } = {}): Promise<ProcessResult> {
  const env = {
    GATEHOUSE_ROOT_TOKEN: rootToken,
    ...(options.node === undefined
      ? {}
      : { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(options.node)}` }),
  };
  return gatehouse(['doctor', '--rebuild', ...(options.flags ?? [])], { dataDir, env });
}

async function expectInstallable(integrities: ReadonlyMap<PublishInput, string>, prefix = npm): Promise<void> {
  const server = await start();
  for (const [{ name, version }, integrity] of integrities) {
    const packument = await packumentOf(server.origin, name, prefix);
    expect(packument.versions[version]?.dist.integrity, `${name}@${version}`).toBe(integrity);
    const { pathname } = new URL(packument.versions[version]?.dist.tarball ?? '');
    const download = await send(server.origin, 'GET', pathname, { token: rootToken });
    expect(download.status).toBe(200);
    expect(`sha512-${createHash('sha512').update(download.bytes).digest('base64')}`).toBe(integrity);
  }
  await server.stop();
}

describe('versions are rebuilt from tarballs', () => {
  test('where the database is missing, and are installed with the integrity that lockfiles have', async () => {
    const integrities = await filled();
    loseDatabase();
    const refused = await gatehouse(serve, { dataDir });
    expect(refused).toMatchObject({ code: 13, stderr: expect.stringContaining('doctor --rebuild') as string });
    const before = tarballs();

    const result = await rebuild();
    expect(result, result.stderr).toMatchObject({ code: 0 });
    expect(result.stdout).toContain('Rebuilt 5 versions of 3 packages in the project local/packages');
    expect(result.stdout).toMatch(/Lost are tags .*users, tokens, rules.*deprecations, publish times/);
    expect(result.stdout).toContain(`The new token of root is ${rootToken}`);
    expect(tarballs()).toEqual(before);

    await expectInstallable(integrities);
    const server = await start();
    const kept = await packumentOf(server.origin, 'kept');
    expect(kept['dist-tags']).toEqual({ latest: '1.1.0' });
    expect(kept.versions['1.1.0']?.bin).toEqual({ kept: 'index.js' });
    expect((await packumentOf(server.origin, '@local/scoped')).versions['0.1.0']?.hasInstallScript).toBe(true);
    await publish(server.origin, { name: 'kept', version: '1.2.0' });
    await server.stop();
    expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
    expect(tarballs()).toMatchObject(before);
  });

  test('into another project, which is made', async () => {
    const integrities = await filled();
    truncateSync(join(dataDir, 'gatehouse.db'));
    expect(await rebuild({ flags: ['--project', 'acme'] })).toMatchObject({ code: 1 });
    expect(await gatehouse(serve, { dataDir })).toMatchObject({ code: 13 });
    const result = await rebuild({ flags: ['--project', 'acme/tools/libraries', '--json'] });
    expect(JSON.parse(result.stdout)).toMatchObject({ project: 'acme/tools/libraries', versions: 5, skipped: [] });
    await expectInstallable(integrities, '/api/v4/projects/2/packages/npm');
  });

  test('and what is none is named and stays, also where the last server crashed', async () => {
    const damaged = { name: 'damaged', version: '1.0.0' };
    const integrities = await filled([damaged]);
    const server = await start();
    // Two projects may have one version with other bytes.
    const twice = await publish(server.origin, { name: 'twice', version: '1.0.0', files: { 'index.js': 'first' } });
    await send(server.origin, 'POST', '/api/v4/projects', {
      token: rootToken,
      body: { name: 'second', path: 'second' },
    });
    const second = await makePublishDocument({ name: 'twice', version: '1.0.0', files: { 'index.js': 'second' } });
    const other = await send(server.origin, 'PUT', '/api/v4/projects/2/packages/npm/twice', {
      token: rootToken,
      body: second,
    });
    expect(other.status).toBe(200);
    await server.kill();
    loseDatabase();
    const damagedFile = fileOf(integrities.get(damaged) ?? '');
    integrities.delete(damaged);
    appendFileSync(damagedFile, 'more');
    const notPacked = 'sha512-' + createHash('sha512').update('text').digest('base64');
    mkdirSync(dirname(fileOf(notPacked)), { recursive: true });
    writeFileSync(fileOf(notPacked), 'text');
    writeFileSync(join(dataDir, 'tarballs', 'notes.txt'), 'notes');
    const before = tarballs();

    const result = await rebuild();
    expect(result.code, result.stderr).toBe(1);
    expect(result.stdout).toContain('Rebuilt 6 versions of 4 packages');
    expect(result.stdout).toMatch(new RegExp(`^not rebuilt: .*${damagedFile.slice(-126)}: .*damaged`, 'm'));
    expect(result.stdout).toMatch(new RegExp(`^not rebuilt: .*${fileOf(notPacked).slice(-126)}: .*gzipped tar`, 'm'));
    expect(result.stdout).toMatch(/^not rebuilt: tarballs.notes\.txt: /m);
    expect(result.stdout).toMatch(/^not rebuilt: .*twice@1\.0\.0.* written first/m);
    await expectInstallable(new Map([...integrities, [{ name: 'twice', version: '1.0.0' }, twice]]));
    // The sweep after the start deletes nothing that was left out either.
    expect(tarballs()).toEqual(before);
  });

  const kill = `process.kill(process.pid, 'SIGKILL')`;
  const patch = (statement: string) =>
    `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; ${statement}; syncBuiltinESMExports();`;
  test.each([
    [
      'between two versions',
      patch(
        `let count = 0; const read = fs.createReadStream; fs.createReadStream = (...all) => { if (/tarballs/.test(all[0]) && ++count === 3) ${kill}; return read(...all); }`,
      ),
    ],
    [
      'before the database is in place',
      patch(
        `const rename = fs.renameSync; fs.renameSync = (from, to) => { if (/gatehouse\\.db$/.test(to)) ${kill}; rename(from, to); }`,
      ),
    ],
  ])('by a second run where the first was killed %s', async (_when, node) => {
    const integrities = await filled();
    loseDatabase();
    const sqlite = new BetterSqlite3(join(dataDir, 'gatehouse.db'));
    migrate(sqlite, shippedMigrations());
    sqlite.close();
    const before = tarballs();
    expect(await rebuild({ node })).toMatchObject({ signal: 'SIGKILL' });
    // No part of it is served.
    expect(await gatehouse(serve, { dataDir })).toMatchObject({ code: 13 });
    expect(tarballs()).toEqual(before);
    const result = await rebuild();
    expect(result, result.stderr).toMatchObject({ code: 0 });
    await expectInstallable(integrities);
    expect(tarballs()).toEqual(before);
  });
});

describe('nothing is rebuilt', () => {
  test('where there is a database, sound or damaged', async () => {
    await filled();
    const file = join(dataDir, 'gatehouse.db');
    const sound = await rebuild();
    expect(sound).toMatchObject({ code: 1, stderr: expect.stringContaining('has a database') as string });
    writeFileSync(file, 'this was a database once'.repeat(500));
    expect(await rebuild()).toMatchObject({ code: 1 });
    expect(readFileSync(file, 'utf8')).toContain('this was a database once');
  });

  test('where there is no tarball, or none that is a package', async () => {
    const server = await start();
    await server.stop();
    loseDatabase();
    expect(await rebuild()).toMatchObject({ code: 1, stderr: expect.stringContaining('no tarball') as string });
    const token = readFileSync(join(dataDir, 'initial_root_token'), 'utf8');
    mkdirSync(join(dataDir, 'tarballs', 'ab'), { recursive: true });
    writeFileSync(join(dataDir, 'tarballs', 'ab', 'ab'.repeat(63)), 'text');
    const result = await gatehouse(['doctor', '--rebuild'], { dataDir });
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was changed') as string });
    expect(readFileSync(join(dataDir, 'initial_root_token'), 'utf8')).toBe(token);
    expect(existsSync(join(dataDir, 'gatehouse.db'))).toBe(false);
  });

  test('unless it is asked for, and never beside a repair', async () => {
    await filled();
    loseDatabase();
    expect(await gatehouse(['doctor', '--repair'], { dataDir })).toMatchObject({ code: 1 });
    expect((await rebuild({ flags: ['--repair'] })).code).toBeGreaterThan(0);
    expect(existsSync(join(dataDir, 'gatehouse.db'))).toBe(false);
    const examined = await gatehouse(['doctor', '--project', 'local/packages'], { dataDir });
    expect(examined).toMatchObject({ code: 1, stderr: expect.stringContaining('--rebuild') as string });
  });
});
