import type { ElectronApplication, Page } from 'playwright';
import { chooseInMenu } from './app-menu.ts';
import { expect, test } from './fixtures.ts';

async function openAnother(app: ElectronApplication): Promise<Page> {
  const opened = app.waitForEvent('window');
  await chooseInMenu(app, 'New Window');
  const page = await opened;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return page;
}

test('what one window sets, the other shows at once', async ({ gatehouse }) => {
  const { app, page } = gatehouse;
  const other = await openAnother(app);
  for (const each of [page, other]) await each.getByRole('link', { name: 'Settings' }).click();
  const tray = other.getByRole('switch', { name: 'Keep running in the tray' });
  await expect(tray).not.toBeChecked();
  await page.getByRole('switch', { name: 'Keep running in the tray' }).press('Space');
  await expect(tray).toBeChecked();
  await other.getByRole('radiogroup', { name: 'Theme' }).getByText('Dark').click();
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked();

  const { pid } = await gatehouse.until('ready');
  await other.getByRole('textbox', { name: 'Largest tarball' }).fill('7');
  await other.getByRole('button', { name: 'Save: Largest tarball' }).click();
  await gatehouse.until('ready', pid);
  await expect(page.getByRole('textbox', { name: 'Largest tarball' })).toHaveValue('7 MiB');
  await page.getByRole('switch', { name: 'Keep running in the tray' }).press('Space');
  await expect(tray).not.toBeChecked();
});

test('two windows that edit one environment: the edits are merged, and saving both loses neither', async ({
  gatehouse,
  rest,
}) => {
  const { app, page } = gatehouse;
  const environments = '/projects/1/protected_environments';
  const rules = { name: 'production', deploy_access_levels: [{ access_level: 40 }] };
  expect((await rest('POST', environments, rules)).status).toBe(201);
  const other = await openAnother(app);
  for (const each of [page, other]) {
    await each.getByRole('link', { name: 'Environments' }).click();
    await each.getByRole('textbox', { name: 'Allowed to deploy' }).fill(each === page ? 'developers' : 'root');
    await each.getByRole('option').first().click();
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('All changes are saved.')).toBeVisible();
  await expect(other.getByText('Merged with a change made elsewhere')).toBeVisible();
  await expect(other.getByText('Adds Developers and Maintainers.')).toBeVisible();
  await other.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Allowed to deploy' }).getByText('Administrator')).toBeVisible();
  const { body } = await rest('GET', `${environments}/production`);
  expect((body as { deploy_access_levels: unknown[] }).deploy_access_levels).toMatchObject([
    { access_level: 40 },
    { access_level: 30 },
    { user_id: 1 },
  ]);
});
