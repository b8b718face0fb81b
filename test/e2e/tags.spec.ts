import type { Page } from '@playwright/test';
import { chooseInMenu } from './app-menu.ts';
import { expect, test } from './fixtures.ts';
import type { Npm } from '../support/npm.ts';

async function publishTwo(npm: Npm): Promise<void> {
  for (const version of ['1.0.0', '2.0.0-beta.1']) {
    const tag = version.includes('beta') ? ['--tag', 'beta'] : [];
    const result = await npm.publish({ name: '@acme/gate', version }, ...tag);
    expect(result, result.stderr).toMatchObject({ code: 0 });
  }
}

async function openPackage(page: Page): Promise<void> {
  await page.getByRole('row', { name: /@acme\/gate/ }).click();
  await page.getByRole('region', { name: 'Dist-tags' }).waitFor();
}

test('a tag set in the window is seen by npm dist-tag ls', async ({ gatehouse, npm, folders, picture }) => {
  const { page } = gatehouse;
  await publishTwo(npm);
  await openPackage(page);
  const tags = page.getByRole('region', { name: 'Dist-tags' });
  await tags.getByRole('button', { name: 'Add a tag' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a dist-tag' });
  await dialog.getByRole('textbox', { name: 'Tag' }).fill('stable');
  await dialog.getByLabel('Version').and(page.locator('input')).click();
  await page.getByRole('option', { name: '1.0.0' }).click();
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await expect(tags.getByRole('listitem').filter({ hasText: 'stable' })).toContainText('1.0.0');
  const listed = await npm.run(folders.base, 'dist-tag', 'ls', '@acme/gate');
  expect(listed.stdout.trim().split('\n').sort()).toEqual(['beta: 2.0.0-beta.1', 'latest: 1.0.0', 'stable: 1.0.0']);
  await picture(gatehouse, 'package');
});

test('a tag removed in the window is gone for npm', async ({ gatehouse, npm, folders }) => {
  const { page } = gatehouse;
  await publishTwo(npm);
  await openPackage(page);
  await page.getByRole('button', { name: 'Change beta' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Change beta' })).toHaveCount(0);
  await expect
    .poll(async () => (await npm.run(folders.base, 'dist-tag', 'ls', '@acme/gate')).stdout.trim())
    .toBe('latest: 1.0.0');
});

test('the way back from a removed tag was gone once its screen was left', async ({ gatehouse, npm, folders }) => {
  const { page } = gatehouse;
  await publishTwo(npm);
  await openPackage(page);
  await page.getByRole('button', { name: 'Change beta' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const undo = page.getByRole('alert').filter({ hasText: 'Removed beta' }).getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  await page.getByRole('link', { name: 'Backups' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Backups' })).toBeVisible();
  await undo.click();
  await expect(page.getByText('beta of @acme/gate points to 2.0.0-beta.1 again')).toBeVisible();
  expect((await npm.run(folders.base, 'dist-tag', 'ls', '@acme/gate')).stdout).toContain('beta: 2.0.0-beta.1');
});

test('Ctrl+Z and Undo of the menu bring back a removed tag, and what is typed in a field that has the focus', async ({
  gatehouse,
  npm,
  folders,
}) => {
  const { app, page } = gatehouse;
  await publishTwo(npm);
  await openPackage(page);
  const beta = async () => {
    const { stdout } = await npm.run(folders.base, 'dist-tag', 'ls', '@acme/gate');
    return stdout.split('\n').find((line) => line.startsWith('beta'));
  };
  for (const undo of [() => page.keyboard.press('ControlOrMeta+Z'), () => chooseInMenu(app, 'Undo')]) {
    await page.getByRole('button', { name: 'Change beta' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Removed beta' })).toBeVisible();
    await page.getByRole('link', { name: 'Packages', exact: true }).click();
    const search = page.getByLabel('Search packages');
    await search.click();
    await page.keyboard.type('x');
    await expect(search).toHaveValue('x');
    await undo();
    await expect(search).toHaveValue('');
    expect(await beta()).toBe(undefined);
    await page.getByRole('row', { name: /@acme\/gate/ }).focus();
    await undo();
    await expect.poll(beta).toBe('beta: 2.0.0-beta.1');
    await openPackage(page);
  }
});

test('a tag moved with npm moves in the open window', async ({ gatehouse, npm, folders }) => {
  const { page } = gatehouse;
  await publishTwo(npm);
  await openPackage(page);
  const added = await npm.run(folders.base, 'dist-tag', 'add', '@acme/gate@1.0.0', 'next');
  expect(added, added.stderr).toMatchObject({ code: 0 });
  const next = page.getByRole('region', { name: 'Dist-tags' }).getByRole('listitem').filter({ hasText: 'next' });
  await expect(next).toContainText('1.0.0');
  expect((await npm.run(folders.base, 'dist-tag', 'add', '@acme/gate@2.0.0-beta.1', 'next')).code).toBe(0);
  await expect(next).toContainText('2.0.0-beta.1');
  expect((await npm.run(folders.base, 'dist-tag', 'rm', '@acme/gate', 'next')).code).toBe(0);
  await expect(next).toHaveCount(0);
});
