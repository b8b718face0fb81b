import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RecoveryProgress } from '../../server/contract/bridge.ts';
import { appEnvironment, launchAgain, processIsGone, projectFolder, rootToken, writeSettings } from './electron-app.ts';
import { askedDialogs, chooseNext } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';
import { keyboardOf } from './keyboard.ts';
import { writeEndlessBackup } from '../support/endless-backup.ts';
import { makeNpm } from '../support/npm.ts';
import { freePort, occupyPort } from '../support/free-port.ts';

test('a taken port is explained, and another one can be chosen there', async ({ launch, picture }) => {
  const { port, release } = await occupyPort();
  const app = await launch({ env: { GATEHOUSE_PORT: String(port) } });
  const failed = await app.until('failed');
  expect(failed).toMatchObject({ failure: 'portTaken' });
  // The program by its name, and nothing that the buttons and the sentence below say again.
  expect(failed.cause).toMatch(new RegExp(`^Port ${port} is taken by "node .+" \\(process ${process.pid}\\)\\.$`));
  await picture(app, 'port-taken');
  await expect(app.page.getByRole('heading', { name: 'The registry could not start' })).toBeVisible();
  await expect(app.page.getByText('GATEHOUSE_PORT sets the port.')).toBeVisible();

  await release();
  await app.page.getByRole('button', { name: 'Try again' }).click();
  expect((await app.until('ready')).port).toBe(port);
});

test('another port chosen on that screen is used and kept', async ({ launch, folders }) => {
  const { port, release } = await occupyPort();
  await writeSettings(folders, { port });
  const app = await launch({ env: { GATEHOUSE_PORT: undefined } });
  await app.until('failed');
  const free = await freePort();
  await app.page.getByRole('textbox', { name: 'Use another port' }).fill(String(free));
  await app.page.getByRole('button', { name: 'Save and start' }).click();
  expect((await app.until('ready')).port).toBe(free);
  await release();
});

test('the data of a registry that does not start is checked and repaired for its screen', async ({ launch }) => {
  const first = await launch();
  await first.until('ready');
  await first.quit();
  const { port, release } = await occupyPort();
  const app = await launch({ env: { GATEHOUSE_PORT: String(port) } });
  await app.until('failed');
  // What the button Check and repair of other failures calls.
  const repaired = await app.page.evaluate(() => window.gatehouse.app.repairData());
  expect(repaired).toMatchObject({ ok: true, value: { healthy: true, findings: [] } });
  expect((await app.state()).phase).toBe('failed');
  await release();
});

test('a data folder that cannot be made is explained', async ({ launch, folders }) => {
  const blocker = path.join(folders.base, 'a-file');
  await writeFile(blocker, '');
  const app = await launch({ env: { GATEHOUSE_DATA_DIR: path.join(blocker, 'data') } });
  const failed = await app.until('failed');
  expect(failed.failure).toBe('dataFolderUnwritable');
  expect(failed.cause).toContain(blocker);
  await expect(app.page.getByRole('heading', { name: 'The registry could not start' })).toBeVisible();
});

test('a damaged database is explained and left as it is', async ({ launch, folders, picture }) => {
  await mkdir(folders.dataDir, { recursive: true });
  await writeFile(path.join(folders.dataDir, 'gatehouse.db'), 'this is not a database, '.repeat(1_000));
  const app = await launch();
  expect((await app.until('failed')).failure).toBe('databaseDamaged');
  await expect(app.page.getByRole('heading', { name: 'The registry could not start' })).toBeVisible();
  await picture(app, 'failed');
});

test('a damaged database is replaced by a snapshot from the screen, by keyboard', async ({
  launch,
  folders,
  picture,
}) => {
  const first = await launch();
  const { origin } = await first.until('ready');
  const npm = await makeNpm(folders.base, origin, rootToken);
  expect((await npm.publish({ name: 'survivor', version: '1.0.0' })).code).toBe(0);
  const made = await first.page.evaluate(() => window.gatehouse.call('maintenance.createSnapshot', { name: 'friday' }));
  expect(made.ok).toBe(true);
  const snapshots = () => first.page.evaluate(() => window.gatehouse.call('maintenance.snapshots', {}));
  await expect.poll(snapshots).toMatchObject({ value: [{ name: 'friday' }] });
  await first.quit();
  const database = path.join(folders.dataDir, 'gatehouse.db');
  await writeFile(database, 'this is not a database, '.repeat(1_000));

  const app = await launch();
  const { cause } = await app.until('failed');
  expect(cause).toContain(database);
  expect(cause).not.toContain('gatehouse snapshot restore');
  const keys = await keyboardOf(app.page);
  await expect(app.page.getByRole('region', { name: 'Snapshots' })).toContainText('1 package, 1 version');
  await picture(app, 'damaged-with-snapshot');
  await keys.enter(app.page.getByRole('button', { name: 'Restore friday' }));
  await app.until('ready');
  await expect(app.page.getByRole('row', { name: /survivor/ })).toBeVisible();
  await expect(app.page.getByText(/^The damaged database is kept in the folder “quarantine” of /)).toContainText(
    folders.dataDir,
  );
  const [quarantine = ''] = await readdir(path.join(folders.dataDir, 'quarantine'));
  const kept = path.join(folders.dataDir, 'quarantine', quarantine, 'gatehouse.db');
  expect(await readFile(kept, 'utf8')).toContain('this is not a database');
});

test('a backup is restored into another folder from the screen, which is used from then on', async ({
  launch,
  folders,
}) => {
  const env = { GATEHOUSE_DATA_DIR: undefined };
  const first = await launch({ env });
  const { origin } = await first.until('ready');
  const npm = await makeNpm(folders.base, origin, rootToken);
  expect((await npm.publish({ name: 'survivor', version: '1.0.0' })).code).toBe(0);
  const archive = path.join(folders.base, 'friday.tar');
  await chooseNext(first.app, archive);
  await first.page.evaluate(async () => {
    const file = await window.gatehouse.app.chooseNewFile({ title: 'Back up to' });
    if (file !== null) await window.gatehouse.call('maintenance.backup', { file });
  });
  await expect
    .poll(() =>
      readFile(archive).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  const { dataDir } = await first.page.evaluate(() => window.gatehouse.app.info());
  await first.quit();
  await writeFile(path.join(dataDir, 'gatehouse.db'), 'this is not a database, '.repeat(1_000));

  const app = await launch({ env });
  await app.until('failed');
  const restore = app.page.getByRole('button', { name: 'Restore a backup…' });
  // Something that is no backup changes nothing.
  await chooseNext(app.app, path.join(dataDir, 'gatehouse.db'), path.join(folders.base, 'restored'));
  await restore.click();
  await expect(
    app.page
      .getByRole('alert')
      .filter({ hasText: /archive|backup/i })
      .last(),
  ).toBeVisible();
  expect((await app.state()).phase).toBe('failed');

  // One that is cancelled leaves everything as it was.
  const endless = path.join(folders.base, 'endless.tar');
  writeEndlessBackup(endless);
  const before = await readdir(folders.base);
  await chooseNext(app.app, endless, path.join(folders.base, 'restored'));
  await restore.click();
  await expect(app.page.getByText(/^Unpacking the archive/)).toBeVisible();
  await expect(app.page.getByRole('heading', { name: 'Restoring a backup' })).toBeFocused();
  await app.page.getByRole('button', { name: 'Cancel' }).click();
  await expect(app.page.getByRole('progressbar')).toHaveCount(0);
  await expect(app.page.getByRole('heading', { name: 'The registry could not start' })).toBeFocused();
  await expect(restore).toBeEnabled();
  expect(await readdir(folders.base)).toEqual(before);
  expect((await app.page.evaluate(() => window.gatehouse.app.info())).dataDir).toBe(dataDir);
  await expect(app.page.getByRole('alert')).toHaveCount(1);

  await app.page.evaluate(() => {
    const seen: RecoveryProgress[] = [];
    (globalThis as { seen?: RecoveryProgress[] }).seen = seen;
    window.gatehouse.app.onState((state) => {
      if (state.phase === 'failed' && state.recovery) seen.push(state.recovery);
    });
  });
  await chooseNext(app.app, archive, path.join(folders.base, 'restored'));
  await restore.click();
  await app.until('ready');
  // What it does, and how far it is.
  const seen = await app.page.evaluate(() => (globalThis as { seen?: RecoveryProgress[] }).seen ?? []);
  for (const { task } of seen)
    expect(task).toEqual({ kind: 'backup', file: archive, folder: path.join(folders.base, 'restored') });
  // Of lines that arrive together only the last is shown; the last of all always is.
  expect(seen.at(-1)).toMatchObject({ step: 'Checking the database', percent: null });
  // The damaged folder is not suggested, since it would be refused.
  expect((await askedDialogs(app.app)).at(-1)?.suggested).toBe(path.dirname(dataDir));
  await expect(app.page.getByRole('row', { name: /survivor/ })).toBeVisible();
  expect((await app.page.evaluate(() => window.gatehouse.app.info())).dataDir).toBe(
    path.join(folders.base, 'restored'),
  );
  expect(await readFile(path.join(dataDir, 'gatehouse.db'), 'utf8')).toContain('this is not a database');
});

test('a restore that runs when the app quits leaves nothing behind', async ({ launch, folders }) => {
  const dataDir = path.join(folders.userData, 'registry');
  await mkdir(dataDir, { recursive: true });
  await writeFile(path.join(dataDir, 'gatehouse.db'), 'this is not a database, '.repeat(1_000));
  const archive = path.join(folders.base, 'endless.tar');
  writeEndlessBackup(archive);
  const before = await readdir(folders.base);
  const app = await launch({ env: { GATEHOUSE_DATA_DIR: undefined } });
  await app.until('failed');
  await chooseNext(app.app, archive, path.join(folders.base, 'restored'));
  await app.page.getByRole('button', { name: 'Restore a backup…' }).click();
  await expect(app.page.getByText(/^Unpacking the archive/)).toBeVisible();
  await app.quit();
  expect(await readdir(folders.base)).toEqual(before);
});

test('a window that closes while a restore takes long to stop says so, and goes when that has ended', async ({
  launch,
  folders,
  picture,
}) => {
  const dataDir = path.join(folders.userData, 'registry');
  await mkdir(dataDir, { recursive: true });
  await writeFile(path.join(dataDir, 'gatehouse.db'), 'this is not a database, '.repeat(1_000));
  const archive = path.join(folders.base, 'endless.tar');
  writeEndlessBackup(archive);
  const before = await readdir(folders.base);
  const app = await launch({
    env: { GATEHOUSE_DATA_DIR: undefined, GATEHOUSE_NODE: process.env['GATEHOUSE_NODE'] ?? process.execPath },
  });
  await app.until('failed');
  await chooseNext(app.app, archive, path.join(folders.base, 'restored'));
  await app.page.getByRole('button', { name: 'Restore a backup…' }).click();
  await expect(app.page.getByText(/^Unpacking the archive/)).toBeVisible();
  const pid = await processOf(archive);
  process.kill(pid, 'SIGSTOP');
  const exited = once(app.app.process(), 'exit');
  await app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
  await expect(app.page.getByText('Stopping…')).toBeVisible();
  await picture(app, 'stopping');
  process.kill(pid, 'SIGCONT');
  expect((await exited)[0]).toBe(0);
  expect(await readdir(folders.base)).toEqual(before);
});

/** The process of the server's program that was given an argument. */
async function processOf(argument: string): Promise<number> {
  for (const name of await readdir('/proc')) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.split('\0').includes(argument)) return Number(name);
  }
  throw new Error(`No process was given ${argument}.`);
}

test('a data folder in use by another server is explained', async ({ launch, folders }) => {
  const server = spawn(
    process.env['GATEHOUSE_NODE'] ?? process.execPath,
    [path.join(projectFolder, 'out/server/gatehouse.js'), 'serve', '--data-dir', folders.dataDir, '--port', '0'],
    { env: appEnvironment({}), stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    await once(server.stdout, 'data');
    const app = await launch();
    expect((await app.until('failed')).failure).toBe('dataFolderLocked');
    await expect(app.page.getByRole('heading', { name: 'The registry could not start' })).toBeVisible();
  } finally {
    server.kill();
    await once(server, 'exit');
  }
});

test('a server that was killed comes back, and the window with it', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name: 'survivor', version: '1.0.0' })).code).toBe(0);
  await expect(page.getByRole('row', { name: /survivor/ })).toBeVisible();
  const before = await gatehouse.until('ready');
  process.kill(before.pid, 'SIGKILL');
  await gatehouse.until('ready', before.pid);
  await expect(page.getByRole('row', { name: /survivor/ })).toBeVisible();
});

test('a server that is frozen is shown as not answering, and a restart brings it back', async ({
  gatehouse,
  picture,
}) => {
  const { page } = gatehouse;
  const { pid } = await gatehouse.until('ready');
  process.kill(pid, 'SIGSTOP');
  // Two heartbeats of five seconds.
  await expect(page.getByText('Not answering')).toBeVisible({ timeout: 30_000 });
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByText('The registry is not answering. Trying to read the overview again…')).toBeVisible();
  await picture(gatehouse, 'not-answering');
  await page.getByRole('button', { name: 'Restart' }).click();
  await gatehouse.until('ready', pid);
  await expect(page.getByText('Not answering')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Disk' })).toBeVisible();
  await processIsGone(pid);
});

test('a second launch brings the first window to the front and ends', async ({ gatehouse, folders }) => {
  const { app } = gatehouse;
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const code = await launchAgain(folders);
  expect(code).toBe(0);
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((each) => each.isVisible())))
    .toEqual([true]);
  expect((await gatehouse.state()).phase).toBe('ready');
});

test('closing the last window ends the app and its server', async ({ gatehouse }) => {
  const { app, page } = gatehouse;
  const { pid } = await gatehouse.until('ready');
  const exited = once(app.process(), 'exit');
  await page.close({ runBeforeUnload: true });
  const [code] = (await exited) as [number | null];
  expect(code).toBe(0);
  await processIsGone(pid);
});

test('a server whose app was killed does not stay behind', async ({ launch }) => {
  const app = await launch();
  const { pid } = await app.until('ready');
  app.app.process().kill('SIGKILL');
  await processIsGone(pid);
});
