import { chooseInMenu } from './app-menu.ts';
import { expect, test } from './fixtures.ts';

const screens = ['Packages', 'Environments', 'Connect', 'People', 'Activity', 'Settings'];

test('every screen in the menu is one that the window has', async ({ gatehouse, picture }) => {
  const { app, page } = gatehouse;
  for (const screen of screens) {
    await chooseInMenu(app, screen);
    await expect(page.getByRole('heading', { level: 1, name: screen, exact: true })).toBeVisible();
    await picture(gatehouse, `screen-${screen.toLowerCase()}`);
  }
});

test('a second window shows the same registry', async ({ gatehouse, npm }) => {
  const { app, page } = gatehouse;
  const opened = app.waitForEvent('window');
  await chooseInMenu(app, 'New Window');
  const second = await opened;
  await second.getByRole('heading', { name: 'Packages', exact: true }).waitFor();
  const published = await npm.publish({ name: 'seen-twice', version: '1.0.0' });
  expect(published, published.stderr).toMatchObject({ code: 0 });
  await expect(page.getByRole('row', { name: /seen-twice/ })).toBeVisible();
  await expect(second.getByRole('row', { name: /seen-twice/ })).toBeVisible();
});
