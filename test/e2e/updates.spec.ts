import { expect, test } from './fixtures.ts';
import { writeSettings } from './electron-app.ts';

test('a build without a publish configuration says that it does not update itself', async ({ launch, folders }) => {
  await writeSettings(folders, { checkUpdatesAtStart: true });
  const { page, until } = await launch();
  await until('ready');
  const { version } = await page.evaluate(() => window.gatehouse.app.info());
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: `Gatehouse ${version}` })).toBeVisible();
  await expect(page.getByText('This copy does not update itself.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Check now' })).toHaveCount(0);
  await expect(page.getByRole('switch', { name: 'Check for updates at every start' })).toHaveCount(0);
  await page.evaluate(() => window.gatehouse.updates.check());
  await page.evaluate(() => window.gatehouse.updates.download());
  expect(await page.evaluate(() => window.gatehouse.updates.state())).toEqual({ phase: 'unsupported' });
});

test('a quit, which installs an update, does not happen when the person stays', async ({ gatehouse }) => {
  const { app, page } = gatehouse;
  // The dialog belongs to the system, and no test can reach into it.
  await app.evaluate(({ app: electronApp, dialog }) => {
    const seen = globalThis as { asked?: number; quits?: number };
    seen.asked = seen.quits = 0;
    dialog.showMessageBoxSync = () => {
      seen.asked = (seen.asked ?? 0) + 1;
      return 0;
    };
    // What electron-updater installs on.
    electronApp.on('quit', () => (seen.quits = (seen.quits ?? 0) + 1));
  });
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByRole('tab', { name: 'Tokens' }).click();
  await page.getByRole('button', { name: 'Create a token' }).click();
  const form = page.getByRole('dialog', { name: 'Create a token' });
  await form.getByLabel('Name').fill('laptop');
  await form.getByRole('checkbox', { name: 'read_package_registry' }).check();
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'The new token' });
  await expect(shown).toBeVisible();

  await app.evaluate(({ app: electronApp }) => electronApp.quit());
  const seen = () =>
    app.evaluate(({ BrowserWindow }) => {
      const { asked, quits } = globalThis as { asked?: number; quits?: number };
      return { asked, quits, windows: BrowserWindow.getAllWindows().length };
    });
  await expect.poll(seen).toEqual({ asked: 1, quits: 0, windows: 1 });
  await expect(shown).toBeVisible();
  const status = await page.evaluate(() => window.gatehouse.call('server.status', {}));
  expect(status).toMatchObject({ ok: true });
  await shown.getByRole('button', { name: 'Copy the token' }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
});
