import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { axeViolations } from './axe.ts';
import type { RunningApp } from './electron-app.ts';
import { addUser, expect, test } from './fixtures.ts';

const themes = ['light', 'dark'] as const;
const screens = [
  'Packages',
  'Inbox',
  'Environments',
  'Connect',
  'People',
  'Activity',
  'Upstream',
  'Overview',
  'Backups',
  'Settings',
] as const;

/** What axe has to say in both themes. */
async function violations({ page }: RunningApp): Promise<string[]> {
  const found: string[] = [];
  for (const theme of themes) {
    await page.evaluate((choice) => window.gatehouse.app.saveSettings({ theme: choice }), theme);
    await page.waitForFunction(
      (dark) =>
        matchMedia('(prefers-color-scheme: dark)').matches === dark &&
        document.documentElement.dataset['mantineColorScheme'] === (dark ? 'dark' : 'light'),
      theme === 'dark',
    );
    found.push(...(await axeViolations(page)).map((violation) => `${theme}: ${violation}`));
  }
  return found;
}

async function openEvery(
  app: RunningApp,
  picture: (app: RunningApp, name: string) => Promise<void>,
  suffix: string,
): Promise<void> {
  const navigation = app.page.getByRole('navigation', { name: 'Main' });
  for (const name of screens) {
    await navigation.getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await expect(app.page.getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(app.page.getByRole('alert')).toHaveCount(0);
    await picture(app, `screen-${name.toLowerCase()}-${suffix}`);
    expect(await violations(app), name).toEqual([]);
  }
}

test('every screen of an empty registry', async ({ gatehouse, picture }) => {
  await openEvery(gatehouse, picture, 'empty');
});

test('every screen of a registry in use', async ({ gatehouse, npm, rest, picture }) => {
  for (const version of ['1.0.0', '1.1.0']) {
    const published = await npm.publish({ name: '@acme/boiler', version, description: 'Heats things' });
    expect(published, published.stderr).toMatchObject({ code: 0 });
  }
  const rules = { name: 'production', deploy_access_levels: [{ access_level: 40 }] };
  expect((await rest('POST', '/projects/1/protected_environments', rules)).status).toBe(201);
  await openEvery(gatehouse, picture, 'full');
});

test('the access to a project', async ({ gatehouse, rest, picture }) => {
  const ada = await addUser(rest, 'ada', 'Ada Lovelace');
  expect((await rest('POST', '/projects/1/members', { user_id: ada, access_level: 40 })).status).toBe(201);
  await gatehouse.page.evaluate(() => {
    location.hash = '/people/projects/1';
  });
  await expect(gatehouse.page.getByRole('row', { name: /@ada/ })).toBeVisible();
  await picture(gatehouse, 'access');
  expect(await violations(gatehouse)).toEqual([]);
  await gatehouse.page.getByRole('button', { name: 'Invite a group' }).click();
  await expect(gatehouse.page.getByRole('dialog')).toBeVisible();
  await picture(gatehouse, 'invite-group');
  expect(await violations(gatehouse)).toEqual([]);
});

test('every part of a package', async ({ gatehouse, npm, picture }) => {
  const { page } = gatehouse;
  for (const version of ['1.0.0', '1.1.0']) {
    expect((await npm.publish({ name: '@acme/boiler', version })).code).toBe(0);
  }
  await page.getByRole('row', { name: /@acme\/boiler/ }).click();
  for (const name of ['Readme', 'Versions', 'Files', 'Dependencies']) {
    await page.getByRole('tab', { name: new RegExp(`^${name}`) }).click();
    await expect(page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true })).toBeVisible();
    await expect(page.getByRole('tabpanel')).toBeVisible();
    await picture(gatehouse, `package-${name.toLowerCase()}`);
    expect(await violations(gatehouse), name).toEqual([]);
  }
});

test('the palette, the list of shortcuts, and the screen of a failure', async ({ launch, folders, picture }) => {
  const first = await launch();
  await first.until('ready');
  await first.page.keyboard.press('Control+k');
  await expect(first.page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
  await picture(first, 'palette');
  expect(await violations(first), 'the palette').toEqual([]);
  await first.page.keyboard.press('Escape');
  await first.page.keyboard.press('Control+/');
  await expect(first.page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await picture(first, 'shortcuts');
  expect(await violations(first), 'the list of shortcuts').toEqual([]);
  await first.quit();
  await mkdir(folders.dataDir, { recursive: true });
  await writeFile(path.join(folders.dataDir, 'gatehouse.db'), 'this is not a database, '.repeat(1_000));
  const second = await launch();
  await second.until('failed');
  await expect(second.page.getByRole('heading', { level: 1 })).toBeVisible();
  await picture(second, 'failure');
  expect(await violations(second), 'the failure').toEqual([]);
});
