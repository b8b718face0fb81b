import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gatehouse, GatehouseProcess, rootToken } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';

// Quitting the app ends a restore or a repair that does not stop in time.

const npm = '/api/v4/projects/1/packages/npm';
const damage = 'this was a database once'.repeat(500);
let base = '';
/** A data folder with one package of two versions, a snapshot "sound" and, beside it, a backup. */
let sound = '';
let archive = '';

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'gatehouse-killed-'));
  [sound, archive] = [join(base, 'sound'), join(base, 'archive.tar')];
  const server = await GatehouseProcess.start({ dataDir: sound });
  for (const version of ['1.0.0', '1.0.1']) {
    const body = await makePublishDocument({ name: 'kept', version, files: { 'index.js': version } });
    expect((await send(server.origin, 'PUT', `${npm}/kept`, { token: rootToken, body })).status).toBe(200);
  }
  await server.stop();
  for (const command of [
    ['snapshot', 'create', 'sound'],
    ['backup', archive],
  ]) {
    expect(await gatehouse(command, { dataDir: sound })).toMatchObject({ code: 0 });
  }
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** Kills the process before the given change of the file system. */
function killBefore(change: number): string {
  const text = `
    import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    let left = ${change};
    const patch = (owner, name) => {
      const original = owner[name];
      owner[name] = (...all) => {
        if (--left === 0) process.kill(process.pid, 'SIGKILL');
        return original.apply(owner, all);
      };
    };
    for (const name of ['rename', 'link', 'rm', 'unlink', 'copyFile']) {
      patch(fs, name + 'Sync');
      patch(fs.promises, name);
    }
    patch(fs, 'createWriteStream');
    syncBuiltinESMExports();`;
  return `--import=data:text/javascript,${encodeURIComponent(text)}`;
}

/** Runs a command on a new copy of a folder for each of its changes, killed before that; `check` gets the folder as it was left. */
async function killEverywhere(
  from: string | null,
  args: readonly string[],
  check: (dataDir: string, moment: string) => Promise<void>,
): Promise<void> {
  let change = 1;
  for (; ; change += 1) {
    const dataDir = join(base, `copy-${change}`);
    if (from !== null) cpSync(from, dataDir, { recursive: true });
    const { signal } = await gatehouse(args, { dataDir, env: { NODE_OPTIONS: killBefore(change) } });
    await check(dataDir, `killed before change ${change}`);
    rmSync(dataDir, { recursive: true, force: true });
    if (signal === null) break;
  }
  expect(change).toBeGreaterThan(2);
}

/** The statuses of the two tarballs. */
async function downloads(dataDir: string): Promise<number[]> {
  const server = await GatehouseProcess.start({ dataDir });
  try {
    const answers = ['1.0.0', '1.0.1'].map((version) =>
      send(server.origin, 'GET', `${npm}/kept/-/kept-${version}.tgz`, { token: rootToken }),
    );
    return (await Promise.all(answers)).map(({ status }) => status);
  } finally {
    await server.stop();
  }
}

/** The digests of all files below a folder. */
function contents(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Set(files.map((entry) => digestOf(readFileSync(join(entry.parentPath, entry.name)))));
}

const digestOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

test('a restore of a snapshot that was killed at any moment is carried out by the next one', async () => {
  writeFileSync(join(sound, 'gatehouse.db'), damage);
  await killEverywhere(sound, ['snapshot', 'restore', 'sound'], async (dataDir, moment) => {
    const next = await gatehouse(['snapshot', 'restore', 'sound'], { dataDir });
    expect(next, `${moment}: ${next.stderr}`).toMatchObject({ code: 0 });
    expect(await downloads(dataDir), moment).toEqual([200, 200]);
    expect(contents(join(dataDir, 'quarantine')), moment).toContain(digestOf(damage));
  });
});

test('a repair that was killed at any moment loses no byte, and the next one ends it', async () => {
  // It would go on naming the tarball that is damaged below.
  expect(await gatehouse(['snapshot', 'drop', 'sound'], { dataDir: sound })).toMatchObject({ code: 0 });
  const tarballs = join(sound, 'tarballs');
  const [damaged = ''] = readdirSync(tarballs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  truncateSync(damaged, 100);
  const unused = createHash('sha512').update('of no version').digest('hex');
  mkdirSync(join(tarballs, unused.slice(0, 2)), { recursive: true });
  writeFileSync(join(tarballs, unused.slice(0, 2), unused.slice(2)), 'of no version');
  writeFileSync(join(tarballs, 'notes.txt'), 'notes');
  const before = contents(tarballs);
  await killEverywhere(sound, ['doctor', '--repair'], async (dataDir, moment) => {
    const kept = contents(dataDir);
    expect(
      [...before].filter((each) => !kept.has(each)),
      moment,
    ).toEqual([]);
    await gatehouse(['doctor', '--repair'], { dataDir });
    const found = await gatehouse(['doctor'], { dataDir });
    expect(found, `${moment}: ${found.stdout}`).toMatchObject({ code: 0 });
    expect(new Set(await downloads(dataDir)), moment).toEqual(new Set([200, 404]));
  });
});

test('a restore of a backup that was killed at any moment leaves a whole registry or none, and the archive', async () => {
  const before = digestOf(readFileSync(archive));
  await killEverywhere(null, ['restore', archive], async (dataDir, moment) => {
    expect(digestOf(readFileSync(archive)), moment).toBe(before);
    if (existsSync(join(dataDir, 'gatehouse.db'))) expect(await downloads(dataDir), moment).toEqual([200, 200]);
    const again = join(base, 'again');
    expect(await gatehouse(['restore', archive], { dataDir: again }), moment).toMatchObject({ code: 0 });
    rmSync(again, { recursive: true });
  });
});
