import { expect, test } from './keyboard.ts';
import { addUser } from './fixtures.ts';
import type { Npm } from '../support/npm.ts';

async function publish(npm: Npm, ...names: string[]): Promise<void> {
  for (const name of names) {
    const result = await npm.publish({ name, version: '1.0.0' });
    expect(result, result.stderr).toMatchObject({ code: 0 });
  }
}

test('a row is found by typing its name, opened, and left with Escape to where one was', async ({
  gatehouse,
  npm,
  keys,
}) => {
  const { page } = gatehouse;
  await publish(npm, '@acme/boiler', 'alpha', 'beta', 'gamma');
  await expect(page.getByRole('row', { name: /gamma/ })).toBeVisible();
  // From the heading, where a new screen puts the focus, an arrow leads into the table.
  await keys.go('People');
  await keys.go('Packages');
  await keys.press('ArrowDown');
  await expect(page.getByRole('row', { name: /@acme\/boiler/ })).toBeFocused();
  await keys.typeAhead('ga');
  await expect(page.getByRole('row', { name: /gamma/ })).toBeFocused();
  await keys.press('Home', 'End');
  await expect(page.getByRole('row', { name: /gamma/ })).toBeFocused();
  await keys.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search packages' })).toBeFocused();
  await keys.type('a/');
  await expect(page.getByRole('searchbox')).toHaveValue('a/');
  await keys.type('alp');
  await expect(page.getByRole('row', { name: /gamma/ })).toHaveCount(0);
  await keys.press('ArrowDown', 'Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'alpha' })).toBeVisible();
  await keys.settled();
  // A menu that is open is closed first.
  await keys.enter(page.getByRole('button', { name: 'Actions for alpha' }));
  await expect(page.getByRole('menu')).toBeVisible();
  await keys.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'alpha' })).toBeVisible();
  await keys.press('Escape');
  await expect(page.getByRole('heading', { level: 1, name: 'Packages' })).toBeVisible();
  await expect(page.getByRole('searchbox', { name: 'Search packages' })).toHaveValue('alp');
  await keys.settled();
});

test('the focus stays on a package when another is published above it, and passes to the next when it is unpublished elsewhere', async ({
  gatehouse,
  npm,
  folders,
  keys,
}) => {
  const { page } = gatehouse;
  await publish(npm, 'alpha', 'beta', 'gamma');
  await expect(page.getByRole('row', { name: /gamma/ })).toBeVisible();
  await keys.go('People');
  await keys.go('Packages');
  await keys.press('ArrowDown', 'ArrowDown');
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
  await expect(row('beta')).toBeFocused();
  await publish(npm, 'aaa');
  await expect(row('aaa')).toBeVisible();
  await expect(row('beta')).toBeFocused();
  const { code } = await npm.run(folders.base, 'unpublish', '--force', 'beta');
  expect(code).toBe(0);
  await expect(row('beta')).toHaveCount(0);
  await expect(row('gamma')).toBeFocused();
  await keys.press('ArrowUp');
  await expect(row('alpha')).toBeFocused();
});

test('Ctrl+N adds to the list of the screen, and Ctrl+S saves what is edited', async ({ gatehouse, rest, keys }) => {
  const { page } = gatehouse;
  await addUser(rest, 'ada', 'Ada Lovelace');
  await keys.go('People');
  await keys.press('Control+n');
  const dialog = page.getByRole('dialog', { name: 'Add a user' });
  await expect(dialog).toBeVisible();
  // Behind a dialog nothing is added.
  await keys.press('Control+n');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await keys.press('Escape');
  await expect(dialog).toHaveCount(0);
  await keys.settled();

  // At once: the key waits for the screen.
  await page.keyboard.press('Control+2');
  await page.keyboard.press('Control+n');
  await expect(page.getByRole('form', { name: 'Protect an environment' })).toBeVisible();
  await keys.fill(page.getByRole('combobox', { name: 'Environment' }), 'production');
  await keys.press('Escape');
  await keys.walkTo(page.getByRole('textbox', { name: 'Allowed to deploy' }));
  await keys.type('maint');
  await keys.press('Enter');
  await expect(page.getByRole('list').getByText('Maintainers')).toBeVisible();
  await keys.press('Control+s');
  await expect(page.getByRole('form', { name: 'Rules of production' })).toBeVisible();
  expect((await rest('GET', '/projects/1/protected_environments')).body).toMatchObject([{ name: 'production' }]);
  await keys.settled();
});

test('lists of links and tabs answer to arrows, Home, End and first letters', async ({ gatehouse, keys }) => {
  const { page } = gatehouse;
  const link = (name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
  await keys.walkTo(link('Packages'));
  await keys.press('ArrowDown');
  await expect(link('Inbox')).toBeFocused();
  await keys.press('u');
  await expect(link('Upstream')).toBeFocused();
  await keys.press('Home');
  await expect(page.getByRole('button', { name: /^Go to/ })).toBeFocused();
  await keys.go('People');
  const tab = (name: string) => page.getByRole('tab', { name });
  await keys.walkTo(tab('Users'));
  await keys.press('End');
  await expect(tab('Tokens')).toBeFocused();
  await keys.press('Home');
  await expect(tab('Users')).toBeFocused();
});
