import { expect, test } from './fixtures.ts';

test('a package is read, opened and looked into by keyboard alone', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name: '@acme/boiler', version: '1.0.0' })).code).toBe(0);
  await expect(page.getByRole('row', { name: /@acme\/boiler/ })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search packages' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '@acme/boiler' })).toBeFocused();
  await page.getByRole('tab', { name: 'Readme' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(
    page.getByRole('navigation', { name: 'Files' }).getByRole('button', { name: /package.json/ }),
  ).toBeVisible();
  await expect(page.getByRole('region', { name: 'package.json' })).toContainText('@acme/boiler');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('region', { name: 'Dependents' })).toBeVisible();
});

test('the palette finds a package and opens it', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name: '@acme/boiler', version: '1.0.0' })).code).toBe(0);
  await expect(page.getByRole('row', { name: /@acme\/boiler/ })).toBeVisible();
  await page.getByRole('button', { name: /^Go to/ }).click();
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('boil');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '@acme/boiler' })).toBeVisible();
});

test('a tag change is undone from the activity, and npm sees it', async ({ gatehouse, npm, folders }) => {
  const { page } = gatehouse;
  for (const version of ['1.0.0', '1.1.0']) {
    expect((await npm.publish({ name: '@acme/boiler', version })).code).toBe(0);
  }
  expect((await npm.run(folders.base, 'dist-tag', 'add', '@acme/boiler@1.0.0', 'stable')).code).toBe(0);
  expect((await npm.run(folders.base, 'dist-tag', 'add', '@acme/boiler@1.1.0', 'stable')).code).toBe(0);
  await page.getByRole('link', { name: 'Activity' }).click();
  await page
    .getByRole('row', { name: /Moved the tag stable of .* 1.0.0 → 1.1.0/ })
    .getByRole('button', { name: /^Undo/ })
    .click();
  await expect(page.getByRole('row', { name: /Moved the tag stable of .* 1.1.0 → 1.0.0/ })).toBeVisible();
  const listed = await npm.run(folders.base, 'dist-tag', 'ls', '@acme/boiler');
  expect(listed.stdout).toContain('stable: 1.0.0');
});

test('a page that is loaded anew stays where it was, whichever screen that is', async ({ gatehouse }) => {
  const { page } = gatehouse;
  for (const name of ['People', 'Overview', 'Settings']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
});
