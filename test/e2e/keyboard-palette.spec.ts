import { addUser } from './fixtures.ts';
import { expect, test, type Keyboard } from './keyboard.ts';
import type { Page } from '@playwright/test';

async function find(page: Page, keys: Keyboard, typed: string): Promise<void> {
  await keys.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')).toBeFocused();
  await keys.type(typed);
}

test('the palette stands still while its list changes, and Enter takes the first entry', async ({
  gatehouse,
  keys,
}) => {
  const { page } = gatehouse;
  await keys.press('Control+k');
  const field = page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox');
  await expect(field).toBeFocused();
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Packages/);
  const top = (): Promise<number> => field.evaluate((element) => element.getBoundingClientRect().top);
  const first = await top();
  const height = await page.evaluate(() => innerHeight);
  expect(Math.abs(first - height * 0.12)).toBeLessThan(3);
  for (const typed of ['s', 'se', 'nothing of that name']) {
    await keys.type(typed);
    expect(await top()).toBe(first);
  }
  await expect(page.getByText('Nothing found')).toBeVisible();
  await keys.type('settings');
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await keys.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await keys.settled();
});

test('letters typed right after the keys of the palette are searched for, the first time too', async ({
  gatehouse,
}) => {
  const { page } = gatehouse;
  // It is loaded once the window has nothing better to do.
  const module = page.locator('link[rel="modulepreload"][href*="palette-"]');
  await module.waitFor({ state: 'attached' });
  await module.evaluate((link) => import((link as HTMLLinkElement).href));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('token');
  await expect(page.getByRole('combobox')).toHaveValue('token');
});

test('a command is found by its title before others by their keywords, and by some of its letters', async ({
  gatehouse,
  keys,
}) => {
  const { page } = gatehouse;
  await find(page, keys, 'token');
  await expect(page.getByRole('option').first()).toHaveText(/^Create a token/);
  await keys.type('gof');
  await expect(page.getByRole('option').first()).toHaveText(/^Go offline/);
  await keys.press('Enter');
  await expect
    .poll(() => page.evaluate(() => window.gatehouse.call('offline.get', {})))
    .toMatchObject({
      value: { mode: 'on' },
    });
});

test('actions of other screens are done from the palette', async ({ gatehouse, keys }) => {
  const { page } = gatehouse;
  for (const [typed, dialog] of [
    ['create token', 'Create a token'],
    ['add user', 'Add a user'],
    ['add project', 'Add a project'],
  ] as const) {
    await find(page, keys, typed);
    await keys.press('Enter');
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
    await keys.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await keys.settled();
  }
  await find(page, keys, 'protect');
  await keys.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Environment' })).toBeFocused();
  await find(page, keys, 'export');
  await keys.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Packages' })).toBeFocused();
  await find(page, keys, 'snapshot');
  await keys.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  const before = await gatehouse.state();
  await find(page, keys, 'restart');
  await keys.press('Enter');
  const after = await gatehouse.until('ready', before.phase === 'ready' ? before.pid : 0);
  expect(after.phase).toBe('ready');
});

test('environments, people, projects and settings are opened by name', async ({ gatehouse, rest, keys }) => {
  const { page } = gatehouse;
  await addUser(rest, 'ada', 'Ada Lovelace');
  const protection = { name: 'production', deploy_access_levels: [{ access_level: 40 }] };
  expect((await rest('POST', '/projects/1/protected_environments', protection)).status).toBe(201);

  await find(page, keys, 'produc');
  await expect(page.getByRole('option').first()).toHaveText(/production.*local\/packages.*Environment/);
  await keys.press('Enter');
  await expect(page.getByRole('form', { name: 'Rules of production' })).toBeVisible();

  await find(page, keys, 'lovelace');
  await keys.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible();

  await find(page, keys, 'local/pack');
  await keys.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'local/packages' })).toBeVisible();
  await keys.settled();

  await find(page, keys, 'largest tarball');
  await keys.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Largest tarball' })).toBeFocused();
});

test('back and forward lead through the screens, and not out of a dialog', async ({ gatehouse, keys }) => {
  const { page } = gatehouse;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  await keys.go('People');
  await expect(heading('People')).toBeVisible();
  await keys.go('Activity');
  await expect(heading('Activity')).toBeVisible();
  await keys.press('Alt+ArrowLeft');
  await expect(heading('People')).toBeVisible();
  await keys.press('Alt+ArrowRight');
  await expect(heading('Activity')).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.press('Control+/');
  await expect(dialog).toBeVisible();
  await keys.press('Alt+ArrowLeft');
  await expect(dialog).toBeVisible();
  await keys.press('Escape');
  await expect(heading('Activity')).toBeVisible();
});
