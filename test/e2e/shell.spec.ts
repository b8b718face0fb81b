import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Menu } from 'electron';
import type { ElectronApplication } from 'playwright';
import { makePublishDocument } from '../support/publish-document.ts';
import { launchAgain, processIsGone, rootToken, spawnApp, writeSettings } from './electron-app.ts';
import { expect, test } from './fixtures.ts';
import { send } from '../support/http.ts';

/** What the tests keep in the main process: the tray has no other way to be looked at. */
interface Kept {
  trayMenu?: Menu | undefined;
  notices?: { title: string; body: string; click: () => void }[];
}

/** From now on the menu of the tray can be read and chosen from. */
async function watchTray(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ Tray }) => {
    // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
    const original = Tray.prototype.setContextMenu;
    Tray.prototype.setContextMenu = function keep(menu) {
      (globalThis as Kept).trayMenu = menu ?? undefined;
      original.call(this, menu);
    };
  });
}

function trayItems(app: ElectronApplication): Promise<{ label: string; checked: boolean; enabled: boolean }[]> {
  return app.evaluate(() =>
    ((globalThis as Kept).trayMenu?.items ?? [])
      .filter((item) => item.type !== 'separator')
      .map(({ label, checked, enabled }) => ({ label, checked, enabled })),
  );
}

function chooseInTray(app: ElectronApplication, label: string): Promise<void> {
  return app.evaluate((_electron, wanted) => {
    const item = (globalThis as Kept).trayMenu?.items.find((each) => each.label === wanted);
    // A click on a real menu switches the item first, and so does this.
    item?.click();
  }, label);
}

async function watchNotices(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ Notification }) => {
    const kept = globalThis as Kept;
    kept.notices = [];
    Notification.isSupported = () => true;
    Notification.prototype.show = function keep() {
      kept.notices?.push({ title: this.title, body: this.body, click: () => this.emit('click') });
    };
  });
}

function notices(app: ElectronApplication): Promise<{ title: string; body: string }[]> {
  return app.evaluate(() => ((globalThis as Kept).notices ?? []).map(({ title, body }) => ({ title, body })));
}

test('with the tray, the registry goes on when the window closes, and the menu does what it says', async ({
  gatehouse,
  folders,
}) => {
  const { app, page, origin } = gatehouse;
  await watchTray(app);
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('switch', { name: 'Keep running in the tray' }).press('Space');
  await expect
    .poll(() => trayItems(app))
    .toEqual([
      { label: 'Open Gatehouse', checked: false, enabled: true },
      { label: `Copy ${origin}`, checked: false, enabled: true },
      { label: 'Work Offline', checked: false, enabled: true },
      { label: 'Quit Gatehouse', checked: false, enabled: true },
    ]);

  await page.close({ runBeforeUnload: true });
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  expect((await fetch(`${origin}/-/health`)).status).toBe(200);

  await chooseInTray(app, `Copy ${origin}`);
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(origin);
  await chooseInTray(app, 'Work Offline');
  await expect
    .poll(async () => (await trayItems(app)).find((item) => item.label === 'Work Offline')?.checked)
    .toBe(true);
  await chooseInTray(app, 'Work Offline');
  await expect
    .poll(async () => (await trayItems(app)).find((item) => item.label === 'Work Offline')?.checked)
    .toBe(false);

  const reopened = app.waitForEvent('window');
  await chooseInTray(app, 'Open Gatehouse');
  const again = await reopened;
  await expect(again.getByRole('heading', { level: 1 })).toBeVisible();
  await again.close({ runBeforeUnload: true });
  const another = app.waitForEvent('window');
  expect(await launchAgain(folders)).toBe(0);
  await expect((await another).getByRole('heading', { level: 1 })).toBeVisible();

  const { pid } = (await gatehouseState(app)) as { pid: number };
  const exited = once(app.process(), 'exit');
  await chooseInTray(app, 'Quit Gatehouse').catch(() => undefined);
  expect((await exited)[0]).toBe(0);
  await processIsGone(pid);
});

async function gatehouseState(app: ElectronApplication): Promise<unknown> {
  const page = app.windows().at(-1);
  return page?.evaluate(() => window.gatehouse.app.state());
}

test('without the tray switched on there is no icon, and switching it off takes it away', async ({ gatehouse }) => {
  const { app, page } = gatehouse;
  await watchTray(app);
  await app.evaluate(({ Tray }) => {
    // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
    const original = Tray.prototype.destroy;
    Tray.prototype.destroy = function forget() {
      delete (globalThis as Kept).trayMenu;
      original.call(this);
    };
  });
  await page.getByRole('link', { name: 'Settings' }).click();
  const tray = page.getByRole('switch', { name: 'Keep running in the tray' });
  await expect(tray).not.toBeChecked();
  await tray.press('Space');
  await expect.poll(async () => (await trayItems(app)).length).toBe(4);
  await tray.press('Space');
  await expect.poll(() => trayItems(app)).toEqual([]);
});

test('start at login is an entry of the system, written and taken away', async ({ launch, folders }) => {
  const config = path.join(folders.base, 'config');
  const app = await launch({ env: { XDG_CONFIG_HOME: config } });
  await app.until('ready');
  await app.page.getByRole('link', { name: 'Settings' }).click();
  const login = app.page.getByRole('switch', { name: 'Start at login' });
  await login.press('Space');
  const file = path.join(config, 'autostart/gatehouse.desktop');
  await expect(login).toBeChecked();
  const written = () => readFile(file, 'utf8').catch(() => '');
  await expect.poll(written).toContain(`GATEHOUSE_DATA_DIR=${folders.dataDir}`);
  const entry = await written();
  expect(entry).toMatch(/^Exec=.*--started-at-login$/m);
  expect(entry).not.toContain('TOKEN');
  await login.press('Space');
  await expect(login).not.toBeChecked();
  await expect.poll(() => existsSync(file)).toBe(false);
});

test('a start at login opens no window when there is a tray', async ({ folders }) => {
  await writeSettings(folders, { keepInTray: true });
  const app = spawnApp(folders, { switches: ['--remote-debugging-port=0'], args: ['--started-at-login'] });
  try {
    let output = '';
    app.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => /DevTools listening on ws:\/\/(\S+?)\//.exec(output)?.[1] ?? '').not.toBe('');
    const devtools = /DevTools listening on ws:\/\/(\S+?)\//.exec(output)?.[1] ?? '';
    const serves = (): Promise<boolean> =>
      readFile(path.join(folders.dataDir, 'server.json'), 'utf8').then(
        () => true,
        () => false,
      );
    await expect.poll(serves).toBe(true);
    const pages = (await (await fetch(`http://${devtools}/json/list`)).json()) as unknown[];
    expect(pages).toEqual([]);
    // A person who starts Gatehouse now wants a window.
    expect(await launchAgain(folders)).toBe(0);
    await expect
      .poll(async () => ((await (await fetch(`http://${devtools}/json/list`)).json()) as unknown[]).length)
      .toBe(1);
  } finally {
    app.kill();
    await once(app, 'exit');
  }
});

test('notifications are off at first, and tell of a publish when switched on', async ({ gatehouse, npm }) => {
  const { app, page } = gatehouse;
  await watchNotices(app);
  expect((await npm.publish({ name: 'quiet', version: '1.0.0' })).code).toBe(0);
  await expect(page.getByRole('row', { name: /quiet/ })).toBeVisible();
  expect(await notices(app)).toEqual([]);

  await page.getByRole('link', { name: 'Settings' }).click();
  const notifications = page.getByRole('switch', { name: 'Notifications' });
  await notifications.press('Space');
  await expect(notifications).toBeChecked();
  const settings = () => page.evaluate(() => window.gatehouse.app.settings());
  await expect.poll(settings).toMatchObject({ notifications: true });
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  expect((await npm.publish({ name: '@acme/loud', version: '1.0.0' })).code).toBe(0);
  await expect.poll(() => notices(app)).toEqual([{ title: '@acme/loud 1.0.0', body: 'A version was published.' }]);

  await app.evaluate(() => (globalThis as Kept).notices?.[0]?.click());
  await expect(page.getByRole('heading', { level: 1, name: '@acme/loud' })).toBeVisible();
});

test('a login that waits is told', async ({ launch, folders }) => {
  await writeSettings(folders, { notifications: true });
  const gatehouse = await launch();
  const { origin } = await gatehouse.until('ready');
  const { app } = gatehouse;
  await watchNotices(app);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  const answer = await send(origin, 'POST', '/api/v4/packages/npm/-/v1/login', { body: { hostname: 'laptop' } });
  expect(answer.status).toBe(200);
  await expect
    .poll(() => notices(app))
    .toEqual([
      {
        title: 'A client wants to log in',
        body: 'Open Gatehouse to compare the code and to allow or refuse it.',
      },
    ]);
});

test('a registry that does not run is told', async ({ launch, folders }) => {
  await writeSettings(folders, { notifications: true });
  await mkdir(folders.dataDir);
  await writeFile(path.join(folders.dataDir, 'gatehouse.db'), 'this is not a database, '.repeat(1_000));
  const { app, page, until } = await launch();
  await until('failed');
  await watchNotices(app);
  // Hidden before its first show, it would still come up and have the focus.
  const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await expect.poll(isVisible).toBe(true);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  await page.evaluate(() => window.gatehouse.app.retry());
  await expect.poll(async () => (await notices(app)).at(-1)?.title).toBe('The registry is not running');
});

test('a link names a package: at the start, and in an app that runs', async ({ launch, folders }) => {
  const app = await launch({ args: ['gatehouse://package/nothing-like-it'] });
  await app.until('ready');
  const { page } = app;
  await expect(page.getByRole('heading', { name: 'There is no package of this name' })).toBeVisible();
  const { origin } = await app.until('ready');
  const published = await publish(origin, '@acme/boiler');
  expect(published).toBe(200);
  expect(await launchAgain(folders, 'gatehouse://package/@acme%2fboiler')).toBe(0);
  await expect(page.getByRole('heading', { level: 1, name: '@acme/boiler' })).toBeVisible();
  expect(await launchAgain(folders, 'gatehouse://settings/port')).toBe(0);
  await expect(page.getByRole('heading', { level: 1, name: '@acme/boiler' })).toBeVisible();
});

test('dates are written as the system writes them, whatever language its programs have', async ({ launch }) => {
  const app = await launch({ env: { LANG: 'en_US.UTF-8', LC_ALL: undefined, LC_TIME: 'de_DE.UTF-8' } });
  await app.until('ready');
  await app.page.getByRole('link', { name: 'Overview' }).click();
  const today = new Intl.DateTimeFormat('de-DE', { dateStyle: 'full' }).format(Date.now());
  await expect(app.page.locator('main time').first()).toHaveAttribute('data-tip', new RegExp(`^${today}.* \\d\\d:`));
});

test('a window opens where the last one stood', async ({ launch }) => {
  const bounds = { x: 120, y: 90, width: 1010, height: 640 };
  const first = await launch();
  await first.until('ready');
  await first.app.evaluate(({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.setBounds(wanted), bounds);
  await expect
    .poll(() => first.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds()))
    .toEqual(bounds);
  await first.quit();
  const second = await launch();
  expect(await second.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(
    bounds,
  );
});

/** Publishes over HTTP; the status of the answer. */
async function publish(origin: string, name: string): Promise<number> {
  const to = `/api/v4/projects/1/packages/npm/${name.replace('/', '%2f')}`;
  const body = await makePublishDocument({ name, version: '1.0.0' });
  const answer = await send(origin, 'PUT', to, { token: rootToken, body });
  return answer.status;
}
