import { makePublishDocument } from '../support/publish-document.ts';
import { rootToken, writeSettings } from './electron-app.ts';
import { expect, keyboardOf, test } from './keyboard.ts';
import { occupyPort } from '../support/free-port.ts';
import { resize, sizes } from './sizes.ts';

test('the palette goes anywhere and does things, and leads back', async ({ gatehouse, npm, keys }) => {
  const { app, page, origin } = gatehouse;
  expect((await npm.publish({ name: '@acme/boiler', version: '1.0.0' })).code).toBe(0);
  await expect(page.getByRole('row', { name: /@acme\/boiler/ })).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search packages' });
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await keys.press('Control+f', 'Control+k');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await keys.press('Escape');
  await expect(palette).toHaveCount(0);
  await expect(search).toBeFocused();

  await keys.press('Control+k');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await keys.type('copy address');
  await keys.press('Enter');
  await expect(palette).toHaveCount(0);
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe(origin);

  await keys.press('Control+k');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await keys.type('boil');
  await keys.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '@acme/boiler' })).toBeVisible();
  await keys.settled();

  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keys.press('Control+/');
  await expect(shortcuts).toBeVisible();
  await expect(shortcuts.getByRole('heading', { name: 'In the inbox' })).toBeVisible();
  await keys.press('Escape');
  await expect(shortcuts).toHaveCount(0);
  await keys.settled();
  for (const screen of ['Environments', 'Connect', 'People', 'Activity', 'Overview', 'Backups', 'Upstream'] as const) {
    await keys.go(screen);
    await keys.settled();
  }
});

test('a screen that a key opens has the focus, also from the sidebar, and is scrolled by keys', async ({
  gatehouse,
  keys,
}) => {
  const { page } = gatehouse;
  await resize(gatehouse, sizes[0]);
  await page.getByRole('link', { name: /^Packages/ }).focus();
  await keys.press('Control+6');
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeFocused();
  const scrolled = () => page.locator('main .gh-page-body').evaluate((body) => body.scrollTop);
  await expect(page.getByRole('heading', { name: 'Disk' })).toBeAttached();
  await keys.press('End');
  await expect.poll(scrolled).toBeGreaterThan(0);
  await keys.press('Home');
  await expect.poll(scrolled).toBe(0);
  await keys.press('PageDown');
  await expect.poll(scrolled).toBeGreaterThan(0);
});

test('the days of the overview are read by arrows', async ({ gatehouse, npm, keys }) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name: '@acme/boiler', version: '1.0.0' })).code).toBe(0);
  await keys.go('Overview');
  const chart = page.getByRole('region', { name: 'Publishes' });
  const bars = chart.getByRole('slider', { name: 'Publishes by day' });
  await expect(chart).toContainText('1 in 30 days');
  await keys.walkTo(bars);
  await expect(bars).toHaveAttribute('aria-valuetext', /: 1 publish$/);
  await keys.press('ArrowLeft');
  await expect(bars).toHaveAttribute('aria-valuetext', /: 0 publishes$/);
  await expect(chart).toContainText(/: 0 publishes/);
  await keys.press('End');
  await expect(chart).toContainText(/: 1 publish/);
  await keys.press('Tab');
  await expect(chart).toContainText('1 in 30 days');
});

test('a login that waits is allowed, and its client gets the token of the chosen user', async ({ gatehouse, keys }) => {
  const { page, origin } = gatehouse;
  const registry = `${origin}/api/v4/packages/npm`;
  const begun = await fetch(`${registry}/-/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { doneUrl } = (await begun.json()) as { doneUrl: string };
  expect((await fetch(doneUrl)).status).toBe(202);
  const notice = page.getByRole('alert', { name: 'A client wants to log in' });
  await keys.enter(notice.getByRole('button', { name: 'Allow' }));
  await expect(notice.getByText('Choose a user.')).toBeVisible();
  await expect(notice.getByRole('combobox', { name: 'Log in as' })).toBeFocused();
  await keys.type('root');
  await keys.press('Enter');
  await keys.enter(notice.getByRole('button', { name: 'Allow' }));
  await expect(notice).toHaveCount(0);
  await keys.settled();
  const { token } = (await (await fetch(doneUrl)).json()) as { token: string };
  const whoAmI = await fetch(`${registry}/-/whoami`, { headers: { authorization: `Bearer ${token}` } });
  expect(await whoAmI.json()).toEqual({ username: 'root' });
});

test('staged versions are looked over, one published and one rejected', async ({ gatehouse, npm, folders, keys }) => {
  const { page, origin } = gatehouse;
  for (const version of ['1.0.0', '1.1.0']) {
    const answer = await fetch(`${origin}/api/v4/projects/1/packages/npm/-/stage/package/@acme%2fboiler`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rootToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(await makePublishDocument({ name: '@acme/boiler', version })),
    });
    expect(answer.ok, await answer.text()).toBe(true);
  }
  await keys.enter(page.getByRole('link', { name: 'Review', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeFocused();
  const list = page.getByRole('list', { name: 'Waiting for approval' });
  await keys.enter(list.getByRole('button', { name: /boiler ?@1\.1\.0/ }));
  await keys.press('k', 'j', 'j', 'a');
  const approve = page.getByRole('dialog', { name: 'Approve @acme/boiler@1.0.0' });
  await keys.enter(approve.getByRole('button', { name: 'Approve and publish' }));
  await expect(list.getByRole('button')).toHaveCount(1);
  await keys.settled();
  await expect
    .poll(async () => (await npm.run(folders.base, 'view', '@acme/boiler', 'versions')).stdout.trim())
    .toMatch(/1\.0\.0/);
  await keys.press('r');
  const reject = page.getByRole('dialog', { name: 'Reject @acme/boiler@1.1.0' });
  await keys.fill(reject.getByLabel('Reason'), 'Not this week.');
  await keys.enter(reject.getByRole('button', { name: 'Reject', exact: true }));
  await expect(page.getByText('Nothing waits for approval')).toBeVisible();
  await keys.settled();
  expect((await npm.run(folders.base, 'view', '@acme/boiler@1.1.0', 'version')).stdout.trim()).toBe('');
});

test('a taken port is read about, and another one chosen', async ({ launch, folders }) => {
  const { port, release } = await occupyPort();
  await writeSettings(folders, { port });
  const { page, until } = await launch({ env: { GATEHOUSE_PORT: undefined } });
  await until('failed');
  await expect(page.getByRole('heading', { name: 'The registry could not start' })).toBeFocused();
  const keys = await keyboardOf(page);
  await keys.walkTo(page.getByRole('textbox', { name: 'Use another port' }));
  await keys.type('0');
  await keys.press('Enter');
  const ready = await until('ready');
  expect(ready.port).not.toBe(port);
  expect((await fetch(`${ready.origin}/-/health`)).status).toBe(200);
  await expect(page.getByRole('heading', { level: 1, name: 'Packages' })).toBeFocused();
  await release();
});
