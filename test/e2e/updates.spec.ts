import { expect, test } from './fixtures.ts';
import { writeSettings } from './electron-app.ts';

test('a build without a publish configuration shows its version, and nothing about updates', async ({
  launch,
  folders,
}) => {
  await writeSettings(folders, { checkUpdatesAtStart: true });
  const { page, until } = await launch();
  await until('ready');
  const { version } = await page.evaluate(() => window.gatehouse.app.info());
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: `Gatehouse ${version}` })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Updates', exact: true })).toHaveCount(0);
  await expect(page.getByRole('switch', { name: 'Check for updates at every start' })).toHaveCount(0);
  await page.evaluate(() => window.gatehouse.updates.check());
  await page.evaluate(() => window.gatehouse.updates.download());
  expect(await page.evaluate(() => window.gatehouse.updates.state())).toEqual({ phase: 'unsupported' });
});
