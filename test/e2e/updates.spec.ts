import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { stringify } from 'yaml';
import type { RunningApp } from './electron-app.ts';
import { expect, test as base } from './fixtures.ts';

const bytes = Buffer.alloc(2_000_000, 'a newer gatehouse ');
const fileName = 'Gatehouse-99.1.0.AppImage';

interface Feed {
  readonly url: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** What is answered, by path. */
  readonly answers: Map<string, RequestListener>;
  /** Publishes a version. */
  readonly offer: (version: string) => void;
}

const test = base.extend<{ feed: Feed }>({
  // oxlint-disable-next-line no-empty-pattern
  feed: async ({}, use) => {
    const asked: string[] = [];
    const answers = new Map<string, RequestListener>();
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const answer = answers.get(request.url ?? '');
      if (answer === undefined) response.writeHead(404).end();
      else answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gatehouse/`;
    answers.set(`/gatehouse/${fileName}`, (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    });
    const offer = (version: string): void => {
      const sha512 = createHash('sha512').update(bytes).digest('base64');
      const text = stringify({
        version,
        files: [{ url: fileName, sha512, size: bytes.length }],
        releaseDate: '2026-11-20T09:00:00.000Z',
        releaseNotes: 'Mirrors of whole scopes.\nHalf the memory.',
      });
      answers.set(feedFile, (_request, response) => void response.end(text));
    };
    await use({ url, asked, answers, offer });
    server.closeAllConnections();
    server.close();
  },
});

const feedFile = `/gatehouse/latest-linux${process.arch === 'x64' ? '' : `-${process.arch}`}.yml`;

async function openSettings({ page }: RunningApp): Promise<void> {
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Updates', exact: true })).toBeVisible();
}

async function chooseFeed({ page }: RunningApp, address: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Address for updates' }).fill(address);
  await page.getByRole('button', { name: 'Save: Address for updates' }).click();
}

/** Opens the settings on this feed and asks it. */
async function check(app: RunningApp, feed: Feed): Promise<void> {
  await openSettings(app);
  await chooseFeed(app, feed.url);
  await app.page.getByRole('button', { name: 'Check now' }).click();
}

test('nobody is asked before an address is set', async ({ gatehouse }) => {
  await openSettings(gatehouse);
  await expect(gatehouse.page.getByText('No address is set.')).toBeVisible();
  await expect(gatehouse.page.getByRole('button', { name: 'Check now' })).toBeDisabled();
  await gatehouse.page.evaluate(() => window.gatehouse.updates.check());
  expect((await gatehouse.page.evaluate(() => window.gatehouse.updates.state())).state).toEqual({ phase: 'unknown' });
});

test('the newest version says that it is', async ({ gatehouse, feed }) => {
  const { version } = await gatehouse.page.evaluate(() => window.gatehouse.app.info());
  feed.offer(version);
  await check(gatehouse, feed);
  await expect(gatehouse.page.getByText(`Gatehouse ${version} is the newest version, as of just now.`)).toBeVisible();
  expect(feed.asked).toEqual([feedFile]);
  expect(await gatehouse.page.evaluate(() => window.gatehouse.app.settings())).toMatchObject({ updateFeed: feed.url });
});

test('a newer version is shown, downloaded when asked, checked, and not claimed to install itself', async ({
  gatehouse,
  feed,
  folders,
  picture,
}) => {
  const { page, app } = gatehouse;
  feed.offer('99.1.0');
  await check(gatehouse, feed);
  await expect(page.getByText('Gatehouse 99.1.0 is there.')).toBeVisible();
  await expect(page.getByText('Released Nov 20, 2026.')).toBeVisible();
  await expect(page.getByRole('group', { name: 'What is new' })).toHaveText(
    'Mirrors of whole scopes.\nHalf the memory.',
  );
  await expect(page.getByText('This copy of Gatehouse cannot replace itself.')).toBeVisible();
  await page.getByRole('heading', { name: 'Look for updates at every start' }).scrollIntoViewIfNeeded();
  await picture(gatehouse, 'update');
  expect(feed.asked).toEqual([feedFile]);

  await app.evaluate(({ shell }) => {
    const seen = globalThis as { opened?: string; shown?: string };
    shell.openExternal = (url) => Promise.resolve(void (seen.opened = url));
    shell.showItemInFolder = (file) => void (seen.shown = file);
  });
  await page.getByRole('button', { name: 'Download in the browser' }).click();
  await expect
    .poll(() => app.evaluate(() => (globalThis as { opened?: string }).opened))
    .toBe(`${feed.url}${fileName}`);

  await page.getByRole('button', { name: 'Download (2.0 MB)' }).click();
  await expect(page.getByText('Gatehouse 99.1.0 was downloaded and checked.')).toBeVisible();
  const file = path.join(folders.userData, 'updates', fileName);
  expect(await readFile(file)).toEqual(bytes);
  await expect(page.getByRole('button', { name: 'Install when Gatehouse quits' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show the file' }).click();
  await expect.poll(() => app.evaluate(() => (globalThis as { shown?: string }).shown)).toBe(file);
});

test('a download shows how far it is, and can be stopped', async ({ gatehouse, feed, folders }) => {
  const { page } = gatehouse;
  feed.offer('99.1.0');
  let end = (): void => undefined;
  feed.answers.set(`/gatehouse/${fileName}`, (_request, response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    response.write(bytes.subarray(0, 1_000_000));
    end = () => void response.end();
  });
  await check(gatehouse, feed);
  await page.getByRole('button', { name: /^Download \(/ }).click();
  const bar = page.getByRole('progressbar', { name: `Download of ${fileName}` });
  await expect(bar).toHaveAttribute('aria-valuenow', '50');
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Gatehouse 99.1.0 is there.')).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(readdir(path.join(folders.userData, 'updates'))).rejects.toThrow('ENOENT');
  end();
});

test('a file that is not what the feed says is thrown away', async ({ gatehouse, feed, folders }) => {
  const { page } = gatehouse;
  feed.offer('99.1.0');
  feed.answers.set(`/gatehouse/${fileName}`, (_request, response) => {
    response.end(Buffer.alloc(bytes.length, 'something else'));
  });
  await check(gatehouse, feed);
  await page.getByRole('button', { name: /^Download \(/ }).click();
  await expect(page.getByRole('alert')).toContainText(`${fileName} is not the file that the feed describes`);
  await expect(readdir(path.join(folders.userData, 'updates'))).rejects.toThrow('ENOENT');
});

test('a feed that is missing, broken or leads elsewhere is explained', async ({ gatehouse, feed }) => {
  const { page } = gatehouse;
  await check(gatehouse, feed);
  await expect(page.getByRole('alert')).toContainText(`${feed.url}${path.basename(feedFile)} answered 404`);
  feed.answers.set(feedFile, (_request, response) => void response.end('<!doctype html><title>Log in</title>'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText('What lies there is no feed');
  feed.answers.set(feedFile, (_request, response) => {
    response.writeHead(302, { location: 'http://example.test/latest-linux.yml' }).end();
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText('it leads to an address that cannot be trusted');
});

test('a feed that does not answer can be left', async ({ gatehouse, feed }) => {
  const { page } = gatehouse;
  feed.answers.set(feedFile, () => undefined);
  await check(gatehouse, feed);
  await expect(page.getByText('Asking for the newest version…')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Check now' })).toBeEnabled();
});

test('an address that others could change on its way is refused', async ({ gatehouse }) => {
  await openSettings(gatehouse);
  await chooseFeed(gatehouse, 'http://downloads.example.test/');
  await expect(gatehouse.page.getByRole('alert')).toContainText('plain http is for this machine alone');
  expect(await gatehouse.page.evaluate(() => window.gatehouse.app.settings())).toMatchObject({ updateFeed: null });
});

test('an AppImage is replaced when the app quits, if that was asked for', async ({ launch, feed, folders }) => {
  const appImage = path.join(folders.base, 'Gatehouse.AppImage');
  await writeFile(appImage, 'the old one', { mode: 0o755 });
  const app = await launch({ env: { APPIMAGE: appImage } });
  await app.until('ready');
  feed.offer('99.1.0');
  await check(app, feed);
  await app.page.getByRole('button', { name: /^Download \(/ }).click();
  await app.page.getByRole('button', { name: 'Install when Gatehouse quits' }).click();
  await expect(app.page.getByText('Gatehouse 99.1.0 is installed when this one quits.')).toBeVisible();
  expect(await readFile(appImage, 'utf8')).toBe('the old one');
  await app.quit();
  expect(await readFile(appImage)).toEqual(bytes);
  expect((await stat(appImage)).mode & 0o111).toBe(0o111);
});

test('a start looks for a newer version only where that is wanted', async ({ launch, feed, folders }) => {
  feed.offer('99.1.0');
  await mkdir(folders.userData, { recursive: true });
  const settings = path.join(folders.userData, 'settings.json');
  await writeFile(settings, JSON.stringify({ updateFeed: feed.url }));
  const quiet = await launch();
  await quiet.until('ready');
  await expect(quiet.page.getByRole('heading', { level: 1 })).toBeVisible();
  await quiet.quit();
  expect(feed.asked).toEqual([]);

  await writeFile(settings, JSON.stringify({ updateFeed: feed.url, checkUpdatesAtStart: true }));
  const curious = await launch();
  await expect(curious.page.getByRole('link', { name: 'Settings' })).toContainText('99.1.0 is there');
  expect(feed.asked).toEqual([feedFile]);
});
