import type { Page } from '@playwright/test';
import { chooseInMenu } from './app-menu.ts';
import { expect, test } from './fixtures.ts';

/** Presses a side button of the mouse, which Playwright's own mouse does not have. */
async function pressSide(page: Page, button: 'back' | 'forward'): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const type of ['mousePressed', 'mouseReleased'] as const) {
    await session.send('Input.dispatchMouseEvent', { type, button, x: 600, y: 400, clickCount: 1 });
  }
}

test('the side buttons of the mouse lead back and forward, one screen at a time', async ({ gatehouse }) => {
  const { page } = gatehouse;
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  for (const screen of ['People', 'Activity', 'Backups']) {
    await page.getByRole('link', { name: screen }).click();
    await expect(heading(screen)).toBeVisible();
  }
  await pressSide(page, 'back');
  await expect(heading('Activity')).toBeVisible();
  await pressSide(page, 'back');
  await expect(heading('People')).toBeVisible();
  await pressSide(page, 'forward');
  await expect(heading('Activity')).toBeVisible();
});

test('what is cut off is shown in full where the pointer rests and where the keyboard leads', async ({
  gatehouse,
  npm,
}) => {
  const { page } = gatehouse;
  const name = `@acme/${'a-name-that-goes-on-'.repeat(9)}end`;
  for (const each of ['short', name]) expect((await npm.publish({ name: each, version: '1.0.0' })).code).toBe(0);
  const tooltip = page.getByRole('tooltip');
  const row = page.getByRole('row', { name: new RegExp(`^${name.slice(0, 40)}`) });
  await row.getByText(name.slice(0, 40)).hover();
  await expect(tooltip).toHaveText(name);
  await page
    .getByRole('row', { name: /^short/ })
    .getByText('short')
    .hover();
  await expect(tooltip).toHaveCount(0);
  await page.mouse.move(0, 0);
  await page.keyboard.press('Control+f');
  await page.keyboard.press('ArrowDown');
  await expect(row).toBeFocused();
  await expect(tooltip).toHaveText(name);
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
  // A relative time says the exact one.
  await row.locator('time').hover();
  await expect(tooltip).toContainText(String(new Date().getFullYear()));
});

test('a right click on a row offers what its menu has, there and where the pointer is', async ({ gatehouse, npm }) => {
  const { app, page } = gatehouse;
  expect((await npm.publish({ name: '@acme/boiler', version: '1.0.0' })).code).toBe(0);
  const row = page.getByRole('row', { name: /@acme\/boiler/ });
  const button = row.getByRole('button', { name: 'Actions for @acme/boiler' });
  const labels = () => page.getByRole('menuitem').allTextContents();
  await button.click();
  await expect(page.getByRole('menu')).toBeVisible();
  const inMenu = await labels();
  // The same button closes it.
  await button.click();
  await expect(page.getByRole('menu')).toHaveCount(0);

  await row.click({ button: 'right', position: { x: 300, y: 20 } });
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await labels()).toEqual(inMenu);
  // The menu is placed once it was drawn and measured.
  const offset = async (): Promise<number> => {
    const [pointer, menu] = [await row.boundingBox(), await page.getByRole('menu').boundingBox()];
    return Math.abs((menu?.x ?? 0) - (pointer?.x ?? 0) - 300);
  };
  await expect.poll(offset).toBeLessThan(8);
  await page.getByRole('menuitem', { name: 'Copy name' }).click();
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe('@acme/boiler');
  await expect(page.getByRole('heading', { level: 1, name: 'Packages' })).toBeVisible();

  await row.focus();
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row).toBeFocused();
});

test('text of a table is selected by dragging, which opens nothing', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name: '@acme/boiler', version: '1.0.0' })).code).toBe(0);
  const name = page
    .getByRole('row', { name: /@acme\/boiler/ })
    .locator('.gh-mono')
    .first();
  const box = await name.boundingBox();
  if (box === null) throw new Error('The name is not drawn.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 1, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 1, y, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain('acme/boile');
  await expect(page.getByRole('heading', { level: 1, name: 'Packages' })).toBeVisible();
  // A plain click opens it as before.
  await page.getByRole('heading', { level: 1 }).click();
  await name.click();
  await expect(page.getByRole('heading', { level: 1, name: '@acme/boiler' })).toBeVisible();
});

test('a text field has the system menu with Copy and Paste', async ({ gatehouse }) => {
  const { app, page } = gatehouse;
  await page.getByRole('link', { name: 'Backups' }).click();
  const field = page.getByRole('textbox', { name: 'Name' });
  await field.fill('before the demo');
  await app.evaluate(({ Menu }) => {
    const shown = globalThis as unknown as { shownRoles: string[] };
    Menu.prototype.popup = function (this: Electron.Menu) {
      shown.shownRoles = this.items.flatMap((item) => item.role ?? []);
    };
  });
  await field.click({ button: 'right' });
  const roles = () => app.evaluate(() => (globalThis as unknown as { shownRoles?: string[] }).shownRoles?.join(' '));
  await expect.poll(roles).toMatch(/cut copy paste selectall/i);
});

test('the side buttons of the mouse, keys and links leave neither a dialog nor a token that was not copied', async ({
  gatehouse,
}) => {
  const { app, page } = gatehouse;
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('tab', { name: 'Tokens' }).click();
  await page.keyboard.press('Control+n');
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill('laptop');
  const leave = async (): Promise<void> => {
    await pressSide(page, 'back');
    await page.keyboard.press('Control+2');
    await chooseInMenu(app, 'Environments');
  };
  await leave();
  await expect(form.getByLabel('Name')).toHaveValue('laptop');
  await form.getByRole('checkbox', { name: 'read_package_registry' }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'The new token' });
  await expect(shown).toBeVisible();
  await leave();
  // Also not by what opens over a dialog, and not from outside.
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')).toBeFocused();
  await page.keyboard.type('overview');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toHaveCount(0);
  await page.evaluate(() => {
    location.hash = '/overview';
  });
  await expect(page.getByRole('heading', { level: 1, name: 'People', includeHidden: true })).toHaveCount(1);
  await shown.getByRole('button', { name: 'Copy the token' }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toHaveCount(0);
  await chooseInMenu(app, 'Environments');
  await expect(page.getByRole('heading', { level: 1, name: 'Environments' })).toBeVisible();
});

test('a reload or a close of the window asks before a token that was not copied, or changed rules, are lost', async ({
  gatehouse,
}) => {
  const { app, page } = gatehouse;
  // The dialog belongs to the system, and no test can reach into it.
  const answerNext = (answer: 'Stay' | 'Leave') =>
    app.evaluate(({ dialog }, wanted) => {
      const asked = globalThis as { askedToLeave?: string[] };
      dialog.showMessageBoxSync = (...args: unknown[]) => {
        const { message, buttons = [] } = args.at(-1) as { message: string; buttons?: string[] };
        asked.askedToLeave = [...(asked.askedToLeave ?? []), message];
        return buttons.indexOf(wanted);
      };
    }, answer);
  const timesAsked = () => app.evaluate(() => (globalThis as { askedToLeave?: string[] }).askedToLeave?.length ?? 0);
  const act = (what: 'reload' | 'close') =>
    app.evaluate(({ BrowserWindow }, action) => {
      const window = BrowserWindow.getAllWindows()[0];
      if (action === 'reload') window?.webContents.reload();
      else window?.close();
    }, what);

  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('tab', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Create a token' }).click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill('laptop');
  await form.getByRole('checkbox', { name: 'read_package_registry' }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'The new token' });
  await expect(shown).toBeVisible();

  await answerNext('Stay');
  await act('reload');
  await expect.poll(timesAsked).toBe(1);
  await act('close');
  await expect.poll(timesAsked).toBe(2);
  await expect(shown).toBeVisible();

  await answerNext('Leave');
  await act('reload');
  await expect.poll(timesAsked).toBe(3);
  await expect(shown).toHaveCount(0);
  // Nothing is left to lose.
  await act('reload');
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible();
  expect(await timesAsked()).toBe(3);

  // Rules that were changed are kept on every screen.
  await page.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('button', { name: 'Protect an environment' }).click();
  await page.getByRole('combobox', { name: 'Environment' }).fill('production');
  await page.getByRole('link', { name: 'Packages' }).click();
  await answerNext('Stay');
  await act('close');
  await expect.poll(timesAsked).toBe(4);
  const unsaved = page.getByRole('link', { name: 'Environments' }).getByRole('img', { name: 'Unsaved changes' });
  await expect(unsaved).toBeVisible();
  await answerNext('Leave');
  await act('reload');
  await expect.poll(timesAsked).toBe(5);
  await expect(unsaved).toHaveCount(0);
});

test('a ticked row keeps its colour under the pointer', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name: 'kettle', version: '1.0.0' })).code).toBe(0);
  await page.getByRole('row', { name: /^kettle/ }).click();
  await page.getByRole('tab', { name: /^Versions/ }).click();
  const row = page.getByRole('grid', { name: 'Versions of kettle' }).getByRole('row', { name: '1.0.0' });
  const colour = () => row.evaluate((each) => getComputedStyle(each).backgroundColor);
  await row.getByRole('checkbox').check();
  await expect(row).toHaveAttribute('aria-selected', 'true');
  await page.mouse.move(0, 0);
  const selected = await colour();
  await row.hover();
  expect(await row.evaluate((each) => each.matches(':hover'))).toBe(true);
  expect(await colour()).toBe(selected);
  expect(await row.evaluate((each) => getComputedStyle(each).backgroundImage)).toContain('gradient');
});
