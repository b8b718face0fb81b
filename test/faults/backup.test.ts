import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import { databaseName, endName, headName } from '../../server/storage/care/backup-format.ts';
import { verifyBackup } from '../../server/storage/care/backup.ts';
import { Schedule } from '../../server/storage/care/backup-schedule.ts';
import { restoreBackup } from '../../server/storage/care/restore.ts';
import { writeEndlessBackup } from '../support/endless-backup.ts';
import { TestRegistry } from '../support/registry.ts';
import { examineHealth, finishJob } from './support/maintenance.ts';

let folder = '';
const opened: TestRegistry[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-backup-'));
});
afterEach(async () => {
  for (const gatehouse of opened.splice(0)) await gatehouse.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(dataDir?: string): Promise<TestRegistry> {
  const gatehouse = await TestRegistry.start(dataDir === undefined ? {} : { dataDir });
  opened.push(gatehouse);
  return gatehouse;
}

async function backUp(gatehouse: TestRegistry, name = 'backup.tar'): Promise<string> {
  const file = join(folder, name);
  await finishJob(gatehouse, gatehouse.registry.maintenance.backUp(file));
  return file;
}

/** An archive as a backup has it, with this database and no tarball. */
async function packBackup(file: string, database: Buffer): Promise<void> {
  const archive = pack();
  archive.entry({ name: headName }, JSON.stringify({ format: 1, gatehouse: '0.1.0', createdAt: 0 }));
  archive.entry({ name: databaseName }, database);
  const databaseSha256 = createHash('sha256').update(database).digest('hex');
  archive.entry({ name: endName }, JSON.stringify({ databaseSha256, tarballs: 0, packages: 0, versions: 0 }));
  archive.finalize();
  writeFileSync(file, await buffer(archive));
}

/** Runs a command that is sent a signal when it begins a step, and expects it to say that it was cancelled. */
async function interrupt(command: readonly string[], step: string, signal: NodeJS.Signals): Promise<void> {
  const env = { ...process.env, GATEHOUSE_PROGRESS: 'lines' };
  const child = spawn(process.execPath, ['server/cli/main.ts', ...command], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  let isSent = false;
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
    if (!isSent && errors.includes(`progress: ${step}`)) isSent = child.kill(signal);
  });
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(errors).toContain('gatehouse: It was cancelled.');
}

describe('a backup', () => {
  test('taken under a load of publishes is one consistent state that restores whole', async () => {
    const gatehouse = await start();
    await gatehouse.publish({ name: '@acme/first', version: '1.0.0' });
    const over = new AbortController();
    let published = 0;
    const load = (async () => {
      while (!over.signal.aborted) {
        await gatehouse.publish({ name: `load-${published % 5}`, version: `1.0.${published}` });
        published += 1;
        if (published % 7 === 0) await gatehouse.send('DELETE', `${gatehouse.projectPath()}/load-${published % 5}`);
      }
    })();
    const file = await backUp(gatehouse);
    over.abort();
    await load;

    const summary = await verifyBackup(file);
    const restored = join(folder, 'restored');
    expect(await restoreBackup(file, restored, systemActor)).toMatchObject({ versions: summary.versions });
    const again = await start(restored);
    expect(await examineHealth(again)).toEqual([]);
    const original = await gatehouse.get(`${gatehouse.projectPath()}/@acme%2ffirst/-/first-1.0.0.tgz`);
    const copy = await again.get(`${again.projectPath()}/@acme%2ffirst/-/first-1.0.0.tgz`);
    expect(copy.bytes.equals(original.bytes)).toBe(true);
    const etags = [gatehouse, again].map(
      async (one) => (await one.get(`${one.projectPath()}/@acme%2ffirst`)).headers.etag,
    );
    expect(await etags[0]).not.toBe(await etags[1]);
  });

  test('is for its owner alone and never written over another file', async () => {
    const gatehouse = await start();
    const file = await backUp(gatehouse);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file);
    const second = await gatehouse.registry.maintenance.jobs.ended(gatehouse.registry.maintenance.backUp(file));
    expect(second).toMatchObject({ state: 'failed', error: expect.stringContaining('exists already') as string });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(() => gatehouse.registry.maintenance.backUp('relative.tar')).toThrow(/whole path/);
  });

  test('replaces a file where the person agreed to it, but none of the data folder', async () => {
    const gatehouse = await start();
    const { maintenance } = gatehouse.registry;
    const file = await backUp(gatehouse);
    await gatehouse.publish({ name: 'later', version: '1.0.0' });
    await finishJob(gatehouse, maintenance.backUp(file, true));
    expect(await verifyBackup(file)).toMatchObject({ packages: 1 });
    expect(readdirSync(folder)).toEqual([basename(file)]);

    symlinkSync(gatehouse.dataDir, join(folder, 'link'));
    for (const dataFolder of [gatehouse.dataDir, join(folder, 'link')]) {
      const refused = await maintenance.jobs.ended(maintenance.backUp(join(dataFolder, 'gatehouse.db'), true));
      expect(refused).toMatchObject({ state: 'failed', error: expect.stringContaining('not replaced') as string });
    }
    expect(await examineHealth(gatehouse)).toEqual([]);
  });

  test('that cannot be whole names the tarball and leaves no file', async () => {
    const gatehouse = await start();
    await gatehouse.publish({ name: 'broken', version: '1.0.0' });
    const [sha512 = ''] = await gatehouse.storedTarballs();
    rmSync(join(gatehouse.dataDir, 'tarballs', sha512.slice(0, 2), sha512.slice(2)));
    const { maintenance } = gatehouse.registry;
    const job = await maintenance.jobs.ended(maintenance.backUp(join(folder, 'never.tar')));
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining(sha512.slice(0, 16)) as string });
    expect(readdirSync(folder)).toEqual([]);
    expect(await gatehouse.temporaryFiles()).toEqual([]);
  });

  test('that is cancelled leaves nothing behind', async () => {
    const gatehouse = await start();
    const { maintenance } = gatehouse.registry;
    const id = maintenance.backUp(join(folder, 'cancelled.tar'));
    maintenance.jobs.cancel(id);
    expect(await maintenance.jobs.ended(id)).toMatchObject({ state: 'cancelled' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['cut anywhere', (file: string) => truncateSync(file, Math.floor(statSync(file).size * 0.6))],
    ['with its end cut off', (file: string) => truncateSync(file, statSync(file).size - 3000)],
    ['with one byte altered', flipByte],
    ['that is something else', (file: string) => writeFileSync(file, 'not an archive at all'.repeat(100))],
    ['that is empty', (file: string) => truncateSync(file, 0)],
  ])('%s is refused, and the folder stays as it was', async (_what, spoil) => {
    const gatehouse = await start();
    await gatehouse.publish({ name: 'some', version: '1.0.0', files: { 'data.bin': Buffer.alloc(200_000, 'x') } });
    const file = await backUp(gatehouse);
    spoil(file);
    const target = join(folder, 'restored');
    await expect(restoreBackup(file, target, systemActor)).rejects.toThrow(/cannot be used/);
    expect(existsSync(target)).toBe(false);
  });

  test('that is cancelled while it is restored leaves the folder as it was', async () => {
    const gatehouse = await start();
    await gatehouse.publish({ name: 'some', version: '1.0.0', files: { 'data.bin': Buffer.alloc(200_000, 'x') } });
    const file = await backUp(gatehouse);
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    for (const step of ['Unpacking the archive', 'Checking the database']) {
      for (const target of [join(folder, 'missing'), empty]) {
        const stop = new AbortController();
        const abortAt = (phase: string) => phase === step && stop.abort(new Error('cancelled'));
        await expect(restoreBackup(file, target, systemActor, abortAt, stop.signal), step).rejects.toThrow('cancelled');
      }
      expect(readdirSync(folder).toSorted()).toEqual(['backup.tar', 'empty']);
      expect(readdirSync(empty)).toEqual([]);
    }
    expect(await restoreBackup(file, empty, systemActor)).toMatchObject({ versions: 1 });
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('is restored by a command that %s cancels', async (signal) => {
    const file = join(folder, 'endless.tar');
    writeEndlessBackup(file);
    await interrupt(['restore', file, '--data-dir', join(folder, 'restored')], 'Unpacking the archive', signal);
    expect(readdirSync(folder)).toEqual(['endless.tar']);
  });

  test('that was restored is checked by a command that can be cancelled', async () => {
    const gatehouse = await start();
    await gatehouse.publish({ name: 'some', version: '1.0.0' });
    const restored = join(folder, 'restored');
    await restoreBackup(await backUp(gatehouse), restored, systemActor);
    const files = readdirSync(join(restored, 'tarballs'), { recursive: true, withFileTypes: true });
    // It takes long to read, and no space on the disk.
    for (const each of files) if (each.isFile()) truncateSync(join(each.parentPath, each.name), 128 * 1024 ** 2);
    await interrupt(['doctor', '--data-dir', restored], 'Comparing tarballs', 'SIGINT');
  });

  test('whose database is empty is not restored as an empty registry', async () => {
    const gatehouse = await start();
    await gatehouse.publish({ name: 'kept', version: '1.0.0' });
    const file = join(folder, 'empty.tar');
    await packBackup(file, Buffer.alloc(0));
    const target = join(folder, 'restored');
    await expect(restoreBackup(file, target, systemActor)).rejects.toThrow('holds no registry');
    expect(existsSync(target)).toBe(false);
    const job = await gatehouse.registry.maintenance.jobs.ended(
      gatehouse.registry.maintenance.restore(file, systemActor),
    );
    expect(job).toMatchObject({ state: 'failed', error: expect.stringContaining('holds no registry') as string });
    expect((await gatehouse.get(`${gatehouse.projectPath()}/kept`)).status).toBe(200);
  });

  test.each(['a new folder', 'a registry that serves'])(
    'that was sent by others pushes nothing and writes no backups by itself, in %s',
    async (where) => {
      const theirs = await start();
      await theirs.publish({ name: '@acme/first', version: '1.0.0' });
      const { upstreams, outbox } = theirs.registry.upstream;
      const url = 'http://127.0.0.1:1';
      const wishes = { pushSelection: ['@acme'], pushFrom: { projectIds: [1] }, autoPush: true };
      const { id } = await upstreams.create({ name: 'theirs', kind: 'npm', url, scopes: [], ...wishes }, systemActor);
      // Waits for ever, as nothing listens there.
      expect(await outbox.start(id, [])).toMatchObject({ running: true });
      const stolen = join(folder, 'stolen');
      await theirs.registry.maintenance.schedule.set({
        enabled: true,
        folder: stolen,
        everyHours: 1,
        atHour: 2,
        keep: 1,
      });
      const file = await backUp(theirs);

      const restored = join(folder, 'restored');
      if (where === 'a new folder') await restoreBackup(file, restored, systemActor);
      const mine = await start(where === 'a new folder' ? restored : undefined);
      if (where !== 'a new folder') {
        await finishJob(mine, mine.registry.maintenance.restore(file, systemActor));
        await mine.restart();
      }
      await mine.registry.maintenance.schedule.runIfDue();
      expect(existsSync(stolen) ? readdirSync(stolen) : []).toEqual([]);
      expect(mine.registry.maintenance.schedule.status()).toMatchObject({ enabled: false });
      expect(mine.registry.upstream.upstreams.require(id)).toMatchObject({ autoPush: false });
      expect(mine.registry.upstream.outbox.status(id)).toMatchObject({ running: false });
    },
  );

  test('is not restored over a registry', async () => {
    const gatehouse = await start();
    const file = await backUp(gatehouse);
    const other = await start();
    await expect(restoreBackup(file, other.dataDir, systemActor)).rejects.toThrow(/not empty/);
    expect((await other.get('/api/v4/user')).status).toBe(200);
  });

  test('takes the place of the present state while serving, which is kept as the way back', async () => {
    const gatehouse = await start();
    await gatehouse.publish({ name: 'old', version: '1.0.0' });
    const file = await backUp(gatehouse);
    await gatehouse.send('DELETE', `${gatehouse.projectPath()}/old`);
    await gatehouse.publish({ name: 'new', version: '1.0.0' });
    await finishJob(gatehouse, gatehouse.registry.maintenance.restore(file, systemActor));
    expect((await gatehouse.get(`${gatehouse.projectPath()}/old/-/old-1.0.0.tgz`)).status).toBe(200);
    expect((await gatehouse.get(`${gatehouse.projectPath()}/new`)).status).toBe(404);
    expect(await examineHealth(gatehouse)).toEqual([]);
    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('before-restore', systemActor));
    expect((await gatehouse.get(`${gatehouse.projectPath()}/new/-/new-1.0.0.tgz`)).status).toBe(200);
    expect(await examineHealth(gatehouse)).toEqual([]);
  });
});

describe('the schedule', () => {
  const hour = 3_600_000;

  function schedule(clock: { now: number }, error: string | null = null) {
    let kept: string | undefined;
    return new Schedule({
      read: () => kept,
      write: async (text) => void (kept = text),
      dataFolder: join(folder, 'data'),
      defaultFolder: folder,
      backUp: async (file) => {
        if (error === null) writeFileSync(file, 'archive');
        return error;
      },
      clock: () => clock.now,
    });
  }

  test('makes backups by the clock and rotates its own archives alone', async () => {
    const clock = { now: new Date(2026, 0, 1).getTime() };
    const backups = schedule(clock);
    const byHand = 'gatehouse-2025-12-31-21.04.05.backup';
    for (const name of [byHand, 'gatehouse-20251231T120000Z.tar']) writeFileSync(join(folder, name), 'earlier');
    await backups.set({ enabled: true, folder, everyHours: 6, atHour: 2, keep: 2 });
    for (let step = 0; step < 24; step += 1) {
      await backups.runIfDue();
      clock.now += hour;
    }
    expect(readdirSync(folder).toSorted()).toEqual([
      byHand,
      'gatehouse-2026-01-01-12.00.00-scheduled.backup',
      'gatehouse-2026-01-01-18.00.00-scheduled.backup',
    ]);
    expect(backups.status()).toMatchObject({ lastError: null, nextAt: new Date(2026, 0, 2).getTime() });
  });

  test('makes daily backups at their hour, a missed one as soon as it can, and none when it is switched on', async () => {
    const clock = { now: new Date(2026, 0, 1, 9, 30).getTime() };
    const backups = schedule(clock);
    await backups.set({ enabled: true, folder, everyHours: 24, atHour: 22, keep: 9 });
    const nextAt = () => backups.status().nextAt;
    await backups.runIfDue();
    expect(readdirSync(folder)).toEqual([]);
    expect(nextAt()).toBe(new Date(2026, 0, 1, 22).getTime());
    clock.now = new Date(2026, 0, 1, 22, 0, 40).getTime();
    await backups.runIfDue();
    expect(nextAt()).toBe(new Date(2026, 0, 2, 22).getTime());
    // The laptop slept.
    clock.now = new Date(2026, 0, 3, 8).getTime();
    await backups.runIfDue();
    expect(nextAt()).toBe(new Date(2026, 0, 3, 22).getTime());
    await backups.set({ enabled: true, folder, everyHours: 168, atHour: 6, keep: 9 });
    expect(nextAt()).toBe(new Date(2026, 0, 10, 6).getTime());
    expect(readdirSync(folder)).toEqual([
      'gatehouse-2026-01-01-22.00.40-scheduled.backup',
      'gatehouse-2026-01-03-08.00.00-scheduled.backup',
    ]);
  });

  test('lists what it left in a former folder, and rotates it no more', async () => {
    const clock = { now: new Date(2026, 0, 1).getTime() };
    const backups = schedule(clock);
    const other = join(folder, 'other');
    await backups.set({ enabled: true, folder, everyHours: 1, atHour: 2, keep: 1 });
    await backups.runIfDue();
    await backups.set({ enabled: true, folder: other, everyHours: 1, atHour: 2, keep: 1 });
    for (let step = 0; step < 3; step += 1) {
      clock.now += hour;
      await backups.runIfDue();
    }
    const left = join(folder, 'gatehouse-2026-01-01-00.00.00-scheduled.backup');
    const newest = join(other, 'gatehouse-2026-01-01-03.00.00-scheduled.backup');
    expect(
      backups
        .status()
        .archives.map(({ file }) => file)
        .toSorted(),
    ).toEqual([left, newest].toSorted());
  });

  test('goes on after the clock was set back', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    const backups = schedule(clock);
    await backups.set({ enabled: true, folder, everyHours: 12, atHour: 2, keep: 5 });
    await backups.runIfDue();
    clock.now = new Date(2026, 0, 1).getTime();
    await backups.runIfDue();
    expect(readdirSync(folder)).toContain('gatehouse-2026-01-01-00.00.00-scheduled.backup');
  });

  test('keeps each backup of an hour that the clock shows twice, and the newest whatever its name', async () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Europe/Berlin';
    try {
      const clock = { now: Date.parse('2026-10-25T02:30:00+02:00') };
      const backups = schedule(clock);
      await backups.set({ enabled: true, folder, everyHours: 1, atHour: 2, keep: 2 });
      await backups.runIfDue();
      clock.now += hour;
      await backups.runIfDue();
      expect(backups.status().lastError).toBeNull();
      expect(readdirSync(folder).toSorted()).toEqual([
        'gatehouse-2026-10-25-02.30.00-scheduled.backup',
        'gatehouse-2026-10-25-02.30.01-scheduled.backup',
      ]);
      // The clock is set back: its name sorts behind both.
      clock.now -= 2 * hour;
      await backups.runIfDue();
      expect(readdirSync(folder).toSorted()).toEqual([
        'gatehouse-2026-10-25-01.30.00-scheduled.backup',
        'gatehouse-2026-10-25-02.30.01-scheduled.backup',
      ]);
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  test('says what went wrong and deletes nothing then', async () => {
    const clock = { now: Date.UTC(2026, 0, 1) };
    writeFileSync(join(folder, 'gatehouse-20250101T000000Z.tar'), 'old');
    writeFileSync(join(folder, 'gatehouse-20250102T000000Z.tar'), 'old');
    const backups = schedule(clock, 'The disk is full.');
    await backups.set({ enabled: true, folder, everyHours: 12, atHour: 2, keep: 1 });
    await backups.runIfDue();
    expect(backups.status()).toMatchObject({ lastError: 'The disk is full.' });
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test('still says how it stands when its folder has become a file', async () => {
    const clock = { now: Date.UTC(2026, 0, 1) };
    const target = join(folder, 'backups');
    const backups = schedule(clock);
    await backups.set({ enabled: true, folder: target, everyHours: 24, atHour: 2, keep: 1 });
    rmSync(target, { recursive: true });
    writeFileSync(target, '');
    expect(backups.status()).toMatchObject({ folder: target, archives: [] });
  });

  test('lists backups by hand for as long as they are there, and rotates none of them', async () => {
    const gatehouse = await start();
    const { maintenance } = gatehouse.registry;
    const files = ['friday.backup', 'saturday.backup'].map((name) => join(folder, name));
    for (const file of files) await finishJob(gatehouse, maintenance.backUp(file));
    const listed = () => gatehouse.registry.maintenance.schedule.status().archives.map(({ file }) => file);
    expect(listed().toSorted()).toEqual(files);
    await maintenance.schedule.set({ enabled: true, folder, everyHours: 1, atHour: 2, keep: 1 });
    await gatehouse.restart();
    await gatehouse.registry.maintenance.schedule.runIfDue();
    expect(listed()).toHaveLength(3);
    rmSync(files[0] ?? '');
    expect(listed()).not.toContain(files[0]);
    expect(readdirSync(folder)).toContain('saturday.backup');
  });

  test('puts no backup inside the data folder, by default or when told to', async () => {
    const gatehouse = await start();
    const { schedule } = gatehouse.registry.maintenance;
    const { path } = gatehouse.registry.folder;
    expect(schedule.status().folder).toBe(`${path}-backups`);
    for (const inside of [path, join(path, 'backups'), join(path, '..', basename(path), 'x')]) {
      const refused = schedule.set({ enabled: true, folder: inside, everyHours: 24, atHour: 2, keep: 7 });
      await expect(refused).rejects.toThrow('is inside the data folder');
    }
    expect(readdirSync(path)).not.toContain('backups');
  });

  test('is kept by the registry over restarts and rewinds', async () => {
    const gatehouse = await start();
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('before', systemActor));
    await gatehouse.registry.maintenance.schedule.set({ enabled: true, folder, everyHours: 12, atHour: 2, keep: 3 });
    await finishJob(gatehouse, gatehouse.registry.maintenance.rewind('before', systemActor));
    await gatehouse.restart();
    await gatehouse.registry.maintenance.schedule.runIfDue();
    const { archives, everyHours } = gatehouse.registry.maintenance.schedule.status();
    expect(everyHours).toBe(12);
    expect(archives).toHaveLength(1);
    copyFileSync(archives[0]?.file ?? '', join(folder, 'copy.tar'));
    expect(await verifyBackup(join(folder, 'copy.tar'))).toMatchObject({ packages: 0 });
  });
});

function flipByte(file: string): void {
  const bytes = readFileSync(file);
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}
