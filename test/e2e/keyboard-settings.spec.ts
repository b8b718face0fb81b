import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { makePublishDocument } from '../support/publish-document.ts';
import { rootToken, writeSettings } from './electron-app.ts';
import { chooseNext } from './file-dialogs.ts';
import { expect, keyboardOf, test } from './keyboard.ts';
import { freePort } from '../support/free-port.ts';

test('theme, switches and limits are set', async ({ gatehouse, keys }) => {
  const { page } = gatehouse;
  const { pid } = await gatehouse.until('ready');
  await keys.go('Settings');
  await keys.switchTo(page.getByRole('radiogroup', { name: 'Theme' }), 'radio', 'Dark');
  await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
  for (const name of ['Keep running in the tray', 'Notifications']) {
    const toggle = page.getByRole('switch', { name });
    await keys.walkTo(toggle);
    await keys.press('Space');
    await expect(toggle).toBeChecked();
    await expect(toggle).toBeFocused();
  }
  const limit = page.getByRole('textbox', { name: 'Largest tarball' });
  await keys.walkTo(limit);
  await keys.type('1');
  await keys.press('Enter');
  const { origin } = await gatehouse.until('ready', pid);
  await expect(limit).toBeFocused();
  expect(await page.evaluate(() => window.gatehouse.app.settings())).toMatchObject({
    theme: 'dark',
    keepInTray: true,
    notifications: true,
    largestTarball: 1,
  });
  const document = await makePublishDocument({
    name: 'too-large',
    version: '1.0.0',
    tarball: Buffer.alloc(1024 * 1024 + 1, 1),
  });
  const refused = await fetch(`${origin}/api/v4/projects/1/packages/npm/too-large`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${rootToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(document),
  });
  expect(refused.status).toBe(413);
  await keys.walkTo(page.getByRole('switch', { name: 'Keep running in the tray' }), 'back');
  await keys.press('Space');
  await expect(page.getByRole('switch', { name: 'Keep running in the tray' })).not.toBeChecked();
});

test('another port is typed, and the registry answers there', async ({ launch, folders }) => {
  await writeSettings(folders, { port: 0 });
  const { page, until } = await launch({ env: { GATEHOUSE_PORT: undefined } });
  const { pid } = await until('ready');
  const keys = await keyboardOf(page);
  const port = await freePort();
  await keys.go('Settings');
  await keys.walkTo(page.getByRole('textbox', { name: 'Port' }));
  await keys.type(String(port));
  await keys.enter(page.getByRole('button', { name: 'Save: Port' }));
  const ready = await until('ready', pid);
  expect(ready.port).toBe(port);
  expect((await fetch(`${ready.origin}/-/health`)).status).toBe(200);
  await keys.settled();
});

test('the data folder is moved, and the former one deleted', async ({ launch, folders }) => {
  const { app, page, until } = await launch({ env: { GATEHOUSE_DATA_DIR: undefined } });
  const { pid } = await until('ready');
  const keys = await keyboardOf(page);
  const dataDir = (): Promise<string> => page.evaluate(async () => (await window.gatehouse.app.info()).dataDir);
  const from = await dataDir();
  const to = path.join(folders.base, 'elsewhere');
  await keys.go('Settings');
  await chooseNext(app, to);
  await keys.enter(page.getByRole('button', { name: 'Move…' }));
  const { origin } = await until('ready', pid);
  expect((await fetch(`${origin}/-/health`)).status).toBe(200);
  expect(await dataDir()).toBe(to);
  expect(await readdir(to)).toContain('gatehouse.db');

  await keys.enter(page.getByRole('button', { name: 'Delete…' }));
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
  await expect(page.getByText('Previous data folder')).toHaveCount(0);
  await expect(readdir(from)).rejects.toThrow('ENOENT');
  await keys.settled();
});
