import { mkdtempSync, readdirSync, rmSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { scaled } from '../support/scale.ts';
import { GatehouseProcess, gatehouse, rootToken } from '../support/gatehouse-process.ts';
import { TestRegistry } from '../support/registry.ts';
import { Ledger } from './support/ledger.ts';
import { LostWrites, requireTracer } from './support/lost-writes.ts';

/* A crash of the machine, after which of each file and folder only that is there which was synced. */

const rounds = scaled('GATEHOUSE_CRASH_ROUNDS', { short: 6, full: 40 });

let folder = '';
let dataDir = '';
let trace = '';
beforeAll(requireTracer);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-crash-'));
  dataDir = join(folder, 'data');
  trace = join(folder, 'trace');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (shell?: string) => GatehouseProcess.start({ dataDir, ...(shell === undefined ? {} : { shell }) });

/** Runs a server under load until it is killed. */
async function crash(ledger: Ledger, round: number): Promise<void> {
  const server = await start(LostWrites.tracing(trace));
  const target = ledger.acknowledged + 20 + Math.floor(Math.random() * 20);
  const loads = [0, 1, 2].map((writer) => ledger.load(server.origin, writer, round));
  while (ledger.acknowledged < target && !server.hasEnded) await new Promise((resolve) => setImmediate(resolve));
  await server.kill();
  await Promise.all(loads);
}

/** What the ledger knows is there, and nothing is damaged. */
async function verify(ledger: Ledger): Promise<void> {
  const server = await start();
  try {
    await ledger.verify(server.origin, true);
    const doctor = await gatehouse(['doctor'], { dataDir });
    expect(doctor, doctor.stdout + doctor.stderr).toMatchObject({ code: 0 });
  } finally {
    await server.stop();
  }
}

test('nothing that was acknowledged is lost with what was not synced', async () => {
  const ledger = new Ledger();
  await (await start()).stop();
  let lost = 0;
  for (let round = 0; round < rounds; round += 1) {
    const writes = new LostWrites(dataDir);
    await crash(ledger, round);
    // All of it, or any part of it: the order in which a disk takes unsynced bytes is its own.
    lost += writes.drop(trace, round % 2 === 0 ? undefined : () => Math.random() < 0.5);
    await verify(ledger);
  }
  console.log(`${ledger.acknowledged} changes were acknowledged; ${lost} unsynced ranges and names were dropped`);
  expect(lost).toBeGreaterThan(0);
});

test('a new data folder is on disk with the first publish that it acknowledges', async () => {
  const ledger = new Ledger();
  dataDir = join(folder, 'new', 'data');
  const writes = new LostWrites(folder);
  const server = await start(LostWrites.tracing(trace));
  const load = ledger.load(server.origin, 0, 0);
  await expect.poll(() => ledger.acknowledged).toBeGreaterThan(0);
  await server.kill();
  await load;
  writes.drop(trace);
  await verify(ledger);
});

test('folders of tarballs that a killed server made and had not synced hold no publish that a crash can take', async () => {
  await (await start()).stop();
  const tarballs = join(dataDir, 'tarballs');
  for (const name of readdirSync(tarballs)) rmdirSync(join(tarballs, name));
  const ledger = new Ledger();
  const writes = new LostWrites(dataDir);
  const makeFolders = `for folder in $(seq 0 255); do mkdir "$(printf '%s/%02x' '${tarballs}' "$folder")"; done`;
  const server = await start(LostWrites.tracing(trace, makeFolders));
  const loads = [0, 1, 2].map((writer) => ledger.load(server.origin, writer, 0));
  await expect.poll(() => ledger.acknowledged).toBeGreaterThan(20);
  await server.kill();
  await Promise.all(loads);
  writes.drop(trace);
  await verify(ledger);
});

test.each(['syncs of files', 'syncs of folders'] as const)('and would be without the %s', async (ignored) => {
  const ledger = new Ledger();
  await (await start()).stop();
  const writes = new LostWrites(dataDir, ignored);
  await crash(ledger, 0);
  writes.drop(trace);
  await expect(verify(ledger)).rejects.toThrow();
});

test('the import of a bundle by a command is on disk when the command ends', async () => {
  const sender = await TestRegistry.start();
  const bundle = join(folder, 'all.bundle');
  try {
    for (let minor = 0; minor < 5; minor += 1) {
      const tag = minor % 2 ? 'next' : 'latest';
      await sender.publish({
        name: 'carried',
        version: `1.${minor}.0`,
        tag,
        files: { 'a.txt': `${minor}`.repeat(9999) },
      });
    }
    await sender.registry.upstream.exporter.export({ file: bundle }, ['carried'], false);
  } finally {
    await sender.stop();
  }
  await (await start()).stop();
  const writes = new LostWrites(dataDir);
  expect(await gatehouse(['import', bundle], { dataDir, shell: LostWrites.tracing(trace) })).toMatchObject({ code: 0 });
  writes.drop(trace);
  const server = await start();
  try {
    const path = '/api/v4/projects/1/packages/npm/carried';
    const packument = (await send(server.origin, 'GET', path, { token: rootToken })).json<{ 'dist-tags': object }>();
    expect(packument['dist-tags']).toEqual({ latest: '1.4.0', next: '1.3.0' });
    for (let minor = 0; minor < 5; minor += 1) {
      const tarball = await send(server.origin, 'GET', `${path}/-/carried-1.${minor}.0.tgz`, { token: rootToken });
      expect(tarball.status).toBe(200);
    }
  } finally {
    await server.stop();
  }
  expect(await gatehouse(['doctor'], { dataDir })).toMatchObject({ code: 0 });
});
