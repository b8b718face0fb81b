import { randomBytes } from 'node:crypto';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { makeNpm } from '../support/npm.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { rootToken, type RunningApp, writeSettings } from './electron-app.ts';
import { askedDialogs, chooseNext } from './file-dialogs.ts';
import { addUser, expect, test } from './fixtures.ts';
import { freePort } from '../support/free-port.ts';

function dataDirOf(app: RunningApp): Promise<string> {
  return app.page.evaluate(async () => (await window.gatehouse.app.info()).dataDir);
}

async function openSettings({ page }: RunningApp): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
}

test('another port restarts the registry there, and is kept', async ({ launch, folders }) => {
  await writeSettings(folders, { port: 0 });
  const app = await launch({ env: { GATEHOUSE_PORT: undefined } });
  const { pid } = await app.until('ready');
  const port = await freePort();
  await openSettings(app);
  await app.page.getByRole('textbox', { name: 'Port' }).fill(String(port));
  await app.page.getByRole('button', { name: 'Save: Port' }).click();
  const ready = await app.until('ready', pid);
  expect(ready.port).toBe(port);
  expect((await fetch(`${ready.origin}/-/health`)).status).toBe(200);
  expect(await app.page.evaluate(() => window.gatehouse.app.settings())).toMatchObject({ port });
});

test('other computers are served while that is set, which is kept', async ({ launch, folders }) => {
  const app = await launch();
  const { page } = app;
  const first = await app.until('ready');
  // A server that listens on 127.0.0.1 alone replies at no other address of this computer.
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const inNetwork = addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.2';
  const statusAt = async ({ port }: { port: number }): Promise<number | string> =>
    fetch(`http://${inNetwork}:${port}/-/health`).then(
      ({ status }) => status,
      () => 'refused',
    );
  expect(await statusAt(first)).toBe('refused');
  await page.getByRole('link', { name: 'Connect' }).click();
  await page.getByRole('button', { name: 'Serve other computers…' }).click();
  const choice = page.getByRole('switch', { name: 'Serve other computers' });
  await expect(choice).toBeFocused();
  await expect(choice).not.toBeChecked();
  await page.keyboard.press('Space');
  const served = await app.until('ready', first.pid);
  expect(await statusAt(served)).toBe(200);
  await expect(choice).toBeChecked();
  await page.getByRole('link', { name: 'Connect' }).click();
  await expect(page.getByRole('heading', { name: 'Point a client here' })).toBeVisible();
  await expect(page.getByText('The registry can be reached from this computer only')).toHaveCount(0);
  await app.quit();

  const again = await launch();
  const kept = await again.until('ready');
  expect(await statusAt(kept)).toBe(200);
  await openSettings(again);
  await again.page.getByRole('switch', { name: 'Serve other computers' }).press('Space');
  expect(await statusAt(await again.until('ready', kept.pid))).toBe('refused');
  // Whoever looks later sees since when others could connect.
  await again.page.getByRole('link', { name: 'Activity' }).click();
  for (const turned of ['on', 'off']) {
    await expect(
      again.page.getByRole('row', { name: new RegExp(`root.*Turned ${turned} Serve other computers.*This app`) }),
    ).toBeVisible();
  }
  await again.quit();

  await writeSettings(folders, { serveOthers: true });
  const fixed = await launch({ env: { GATEHOUSE_HOST: '127.0.0.1' } });
  expect(await statusAt(await fixed.until('ready'))).toBe('refused');
  await openSettings(fixed);
  await expect(fixed.page.getByText('GATEHOUSE_HOST overrides this: the host is 127.0.0.1 now.')).toBeVisible();
});

test('other computers are served from the new token of another user, which stays', async ({ gatehouse, rest }) => {
  const { page } = gatehouse;
  const { pid } = await gatehouse.until('ready');
  await addUser(rest, 'ada', 'Ada');
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('row', { name: /Ada/ }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Create a token…' }).click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill('laptop');
  await form.getByRole('checkbox', { name: 'read_package_registry' }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'The new token' });
  const secret = await shown.getByRole('group', { name: 'Token' }).textContent();
  const before = await shown.getByRole('group', { name: '~/.npmrc' }).textContent();
  expect(before).toContain('//localhost:');
  await shown.getByRole('switch', { name: 'Serve other computers' }).press('Space');
  await gatehouse.until('ready', pid);
  await expect(shown.getByText('The registry can be reached from this computer only')).toHaveCount(0);
  await expect(shown.getByRole('group', { name: 'Token' })).toHaveText(secret ?? '');
  // Where this computer is in no network, there is no other address to show.
  const { origins } = await page.evaluate(async () => {
    const status = await window.gatehouse.call('server.status', {});
    if (!status.ok) throw new Error(status.error.message);
    return status.value;
  });
  const [here = '', inNetwork = here] = origins;
  await expect(shown.getByRole('group', { name: '~/.npmrc' })).toContainText(`registry=${inNetwork}/`);
  // At a glance, too, wherever one is.
  const sidebar = page.locator('.gh-server');
  await expect(sidebar).toContainText(inNetwork.replace('http://', ''));
  // The switch stays where it was, so that it can be turned off again.
  const choice = shown.getByRole('switch', { name: 'Serve other computers' });
  await expect(choice).toBeChecked();
  await expect(choice).toBeFocused();
  const serving = await gatehouse.until('ready');
  await choice.press('Space');
  await gatehouse.until('ready', serving.pid);
  await expect(shown.getByText('The registry can be reached from this computer only')).toBeVisible();
  await expect(choice).not.toBeChecked();
  await expect(sidebar).toHaveText(/^localhost:\d+$/);
  await expect(shown.getByRole('group', { name: '~/.npmrc' })).toContainText('registry=http://localhost:');
});

test('the largest tarball is the one that is set', async ({ gatehouse }) => {
  const { page } = gatehouse;
  const { pid } = await gatehouse.until('ready');
  await openSettings(gatehouse);
  await page.getByRole('textbox', { name: 'Largest tarball' }).fill('1');
  await page.getByRole('button', { name: 'Save: Largest tarball' }).click();
  const { origin } = await gatehouse.until('ready', pid);
  const tarball = Buffer.alloc(1024 * 1024 + 1, 1);
  const document = await makePublishDocument({ name: 'too-large', version: '1.0.0', tarball });
  const answer = await fetch(`${origin}/api/v4/projects/1/packages/npm/too-large`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${rootToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(document),
  });
  expect(answer.status).toBe(413);
});

test('the data folder moves with everything in it, and the former one can be deleted', async ({ launch, folders }) => {
  const app = await launch({ env: { GATEHOUSE_DATA_DIR: undefined } });
  const { origin, pid } = await app.until('ready');
  const { page } = app;
  const from = await dataDirOf(app);
  const npm = await makeNpm(folders.base, origin, rootToken);
  expect((await npm.publish({ name: 'traveller', version: '1.0.0' })).code).toBe(0);
  await openSettings(app);

  await chooseNext(app.app, null);
  await page.getByRole('button', { name: 'Move…' }).click();
  await expect.poll(async () => (await askedDialogs(app.app)).length).toBe(1);
  await expect(page.getByRole('button', { name: 'Move…' })).toBeEnabled();
  expect(await dataDirOf(app)).toBe(from);

  const full = path.join(folders.base, 'disk');
  await mkdir(full);
  await writeFile(path.join(full, 'letter.txt'), 'dear');
  await chooseNext(app.app, full);
  await page.getByRole('button', { name: 'Move…' }).click();
  const moved = await app.until('ready', pid);
  const to = path.join(full, 'gatehouse-registry');
  await expect(page.getByText(to).first()).toBeVisible();
  expect(await dataDirOf(app)).toBe(to);
  expect((await readdir(to)).filter((name) => name.includes('move'))).toEqual([]);
  const packument = await fetch(`${moved.origin}/api/v4/projects/1/packages/npm/traveller`, {
    headers: { authorization: `Bearer ${rootToken}` },
  });
  const body = (await packument.json()) as { versions: Record<string, { dist: { tarball: string } }> };
  const tarball = await fetch(body.versions['1.0.0']?.dist.tarball ?? '', {
    headers: { authorization: `Bearer ${rootToken}` },
  });
  expect((await tarball.arrayBuffer()).byteLength).toBeGreaterThan(0);

  expect(await readdir(from)).toContain('gatehouse.db');
  const outcome = page.getByRole('alert').filter({ hasText: 'Moved the data folder' });
  await expect(outcome).toContainText(`The copy in ${from} stays until you delete it`);
  await outcome.getByRole('button', { name: 'Close' }).click();

  const last = path.join(folders.base, 'last');
  await chooseNext(app.app, last);
  await page.getByRole('button', { name: 'Move…' }).click();
  await app.until('ready', moved.pid);
  await expect(page.getByText('Previous data folder')).toHaveCount(2);
  expect(
    await page.evaluate((folder) => window.gatehouse.app.removeFormerDataFolder(folder), folders.base),
  ).toMatchObject({ value: false });
  for (const former of [from, to]) {
    await page.getByRole('button', { name: `Delete… ${former}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => readdir(former).catch(() => 'gone')).toBe('gone');
  }
  await expect(page.getByText('Previous data folder')).toHaveCount(0);
  await app.quit();
  const again = await launch({ env: { GATEHOUSE_DATA_DIR: undefined } });
  await again.until('ready');
  expect(await dataDirOf(again)).toBe(last);
  await expect(again.page.getByRole('row', { name: /traveller/ })).toBeVisible();
});

test('a move that cannot be finished leaves the data where it was', async ({ launch, folders }) => {
  const app = await launch({ env: { GATEHOUSE_DATA_DIR: undefined } });
  const { pid } = await app.until('ready');
  const from = await dataDirOf(app);
  // A link in the data folder is nothing that may be followed or left out.
  await symlink('/dev/null', path.join(from, 'strange'));
  await openSettings(app);
  const target = path.join(folders.base, 'target');
  await chooseNext(app.app, target);
  await app.page.getByRole('button', { name: 'Move…' }).click();
  await expect(app.page.getByText(/neither a file nor a folder/)).toBeVisible();
  await app.until('ready', pid);
  expect(await dataDirOf(app)).toBe(from);
  await expect(readdir(target)).rejects.toThrow('ENOENT');
  expect(await app.page.evaluate(() => window.gatehouse.app.settings())).toMatchObject({ theme: 'system' });
});

test('a folder with another registry is opened', async ({ launch, folders }) => {
  const app = await launch({ env: { GATEHOUSE_DATA_DIR: undefined } });
  const { pid } = await app.until('ready');
  const other = path.join(folders.base, 'other');
  await mkdir(other);
  await openSettings(app);
  await chooseNext(app.app, other);
  await app.page.getByRole('button', { name: 'Open another…' }).click();
  await app.until('ready', pid);
  expect(await dataDirOf(app)).toBe(other);
  await expect.poll(() => readdir(other)).toContain('gatehouse.db');
});

test('a data folder that the environment decides about is not offered to be moved', async ({ gatehouse, folders }) => {
  await openSettings(gatehouse);
  await expect(gatehouse.page.getByText(folders.dataDir)).toBeVisible();
  await expect(gatehouse.page.getByRole('button', { name: 'Move…' })).toHaveCount(0);
  const reply = await gatehouse.page.evaluate(() => window.gatehouse.app.moveDataFolder());
  expect(reply).toMatchObject({ ok: false });
});

test('a server that dies at once is shown with its last lines', async ({ launch, folders }) => {
  const node = path.join(folders.base, 'node');
  await writeFile(node, '#!/bin/sh\necho "the sky fell on line 7" >&2\nexit 70\n', { mode: 0o755 });
  const app = await launch({ env: { GATEHOUSE_NODE: node } });
  const failed = await app.until('failed');
  expect(failed).toMatchObject({ failure: 'failed', logTail: ['the sky fell on line 7'] });
  await expect(app.page.getByText('the sky fell on line 7')).toBeVisible();
  await app.page.getByRole('button', { name: 'Copy the log' }).click();
  await expect.poll(() => app.app.evaluate(({ clipboard }) => clipboard.readText())).toContain('the sky fell');
});

test('a publish under way when the app quits is finished first', async ({ gatehouse, folders }) => {
  const { origin } = gatehouse;
  const document = Buffer.from(
    JSON.stringify(
      await makePublishDocument({ name: 'late', version: '1.0.0', files: { 'noise.bin': randomBytes(4_000_000) } }),
    ),
  );
  const half = Math.floor(document.length / 2);
  let finish = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(document.subarray(0, half));
      finish = () => {
        controller.enqueue(document.subarray(half));
        controller.close();
      };
    },
  });
  const request: RequestInit & { duplex: 'half' } = {
    method: 'PUT',
    headers: { authorization: `Bearer ${rootToken}`, 'content-type': 'application/json' },
    body,
    duplex: 'half',
  };
  const publishing = fetch(`${origin}/api/v4/projects/1/packages/npm/late`, request);
  // The half that was sent stands on disk once the server has begun with it.
  await expect
    .poll(async () => (await readdir(path.join(folders.dataDir, 'gatehouse-temporary'))).length)
    .toBeGreaterThan(0);
  const quitting = gatehouse.quit();
  finish();
  const answer = await publishing;
  await quitting;
  expect(answer.status).toBe(200);
  expect(await readdir(path.join(folders.dataDir, 'gatehouse-temporary'))).toEqual([]);
});
