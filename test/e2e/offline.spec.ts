import path from 'node:path';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { GatehouseProcess } from '../support/gatehouse-process.ts';
import { expect, test } from './fixtures.ts';

const token = 'gatehouse-company-root-token-0123456789';
const registryPath = '/api/v4/projects/1/packages/npm';

test('go offline, install, publish, come back, push, and see it arrive', async ({
  folders,
  gatehouse,
  npm,
  picture,
}) => {
  const { page } = gatehouse;
  const company = await GatehouseProcess.start({ dataDir: path.join(folders.base, 'company'), rootToken: token });
  try {
    for (const [name, dependencies] of [
      ['leaf', {}],
      ['branch', { leaf: '^1.0.0' }],
    ] as const) {
      const body = await makePublishDocument({ name, version: '1.0.0', manifest: { dependencies } });
      expect((await send(company.origin, 'PUT', `${registryPath}/${name}`, { token, body })).status).toBe(200);
    }

    await page.getByRole('link', { name: 'Upstream', exact: true }).click();
    await page.getByRole('button', { name: 'Fetch from another registry…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('company');
    await dialog.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: /Gatehouse/ }).click();
    await dialog.getByRole('textbox', { name: 'URL', exact: true }).fill(company.origin);
    await dialog.getByLabel('Token', { exact: true }).fill(token);
    await dialog.getByLabel('Scopes', { exact: true }).fill('*');
    await dialog.getByLabel('Scopes', { exact: true }).press('Enter');
    await dialog.getByText('Sending (outbox)').click();
    await dialog.getByLabel('Destination project').fill('local/typo');
    await dialog.getByLabel('Packages to send').fill('@acme');
    await dialog.getByLabel('Packages to send').press('Enter');
    // The only project there is sends them.
    await expect(dialog.getByText('Projects to send from')).toHaveCount(0);
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).click();
    await dialog.getByRole('button', { name: 'Add registry' }).click();
    await expect(page.getByRole('grid', { name: 'Registries' }).getByRole('row', { name: /company/ })).toBeVisible();

    await page.getByRole('tab', { name: 'Prefetch' }).click();
    await page.getByRole('combobox', { name: 'Names' }).fill('branch');
    await page.getByRole('combobox', { name: 'Names' }).press('Enter');
    await page.getByRole('button', { name: 'Fetch', exact: true }).click();
    await expect(page.getByRole('article', { name: 'branch' })).toContainText('2');
    await picture(gatehouse, 'upstream-prefetched');

    await page.getByRole('button', { name: 'Network: Automatic' }).click();
    await page.getByRole('menuitemradio', { name: 'Offline' }).click();
    await expect(page.getByRole('button', { name: 'Network: Offline' }).last()).toBeVisible();
    const consumer = path.join(folders.base, 'consumer');
    const installed = await npm.run(folders.base, 'install', '--prefix', consumer, 'branch');
    expect(installed, installed.stderr).toMatchObject({ code: 0 });
    const missing = await npm.run(folders.base, 'install', '--prefix', consumer, 'never-fetched');
    expect(missing.stderr).toContain('offline, not cached: never-fetched');
    const published = await npm.publish({ name: '@acme/made-offline', version: '1.0.0' });
    expect(published, published.stderr).toMatchObject({ code: 0 });

    await page.getByRole('tab', { name: 'Outbox' }).click();
    const changes = page.getByRole('grid', { name: 'Changes' });
    const made = changes.getByRole('row', { name: /@acme\/made-offline/ }).first();
    await expect(made).toContainText('Waiting');
    await expect(page.getByText('Nothing is sent while offline')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Send \d+ changes? to company$/ })).toBeDisabled();
    await picture(gatehouse, 'outbox-offline');
    await page.getByRole('main').getByRole('button', { name: 'Network: Offline' }).click();
    await page.getByRole('menuitemradio', { name: 'Automatic' }).click();
    await expect(page.getByRole('button', { name: /^Send \d+ changes? to company$/ })).toBeEnabled();
    await page.getByRole('button', { name: 'Compare with company' }).click();
    const unknownProject = page.getByText('Not compared: company has no project local/typo that its token may see.');
    await expect(unknownProject).toBeVisible();
    await page.getByRole('button', { name: 'Edit…' }).click();
    await dialog.getByLabel('Destination project').fill('local/packages');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(unknownProject).toBeHidden();
    await page.getByRole('button', { name: 'Compare with company' }).click();
    await expect(made).toContainText('Not there yet');
    await picture(gatehouse, 'outbox-plan');
    await page.getByRole('button', { name: /^Send \d+ changes? to company$/ }).click();
    await expect(made).toContainText('Sent');
    await expect
      .poll(async () => (await send(company.origin, 'GET', `${registryPath}/@acme%2fmade-offline`, { token })).status)
      .toBe(200);
    await picture(gatehouse, 'outbox-sent');
  } finally {
    await company.stop();
  }
});

test('what waits to be sent is counted beside Upstream and in the state of other registries', async ({
  gatehouse,
  npm,
}) => {
  const { page } = gatehouse;
  // Nothing listens on that port.
  const made = await page.evaluate(() =>
    window.gatehouse.call('upstream.create', {
      kind: 'gatehouse',
      name: 'company',
      url: 'http://127.0.0.1:9/api/v4/projects/1/packages/npm/',
      pushSelection: ['@acme'],
      pushFrom: { projectIds: [1] },
      autoPush: true,
    }),
  );
  expect(made, JSON.stringify(made)).toMatchObject({ ok: true });
  for (const version of ['1.0.0', '1.1.0']) {
    const published = await npm.publish({ name: '@acme/waits', version });
    expect(published, published.stderr).toMatchObject({ code: 0 });
  }
  const state = page.getByRole('button', { name: /^Network: company unreachable, [1-9]\d* to send$/ });
  await expect(state).toBeVisible({ timeout: 30_000 });
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upstream' });
  // Both are read again until they agree, since the changes of the second version may arrive in between.
  await expect(async () => {
    const count = /(\d+) to send/.exec((await state.getAttribute('aria-label')) ?? '')?.[1];
    expect(await link.textContent()).toBe(`Upstream${count} ${count} changes to send`);
  }).toPass({ timeout: 15_000 });
  await link.click();
  await page.getByRole('tab', { name: 'Outbox' }).click();
  await expect(
    page
      .getByRole('grid', { name: 'Changes' })
      .getByRole('row', { name: /@acme\/waits/ })
      .first(),
  ).toBeVisible();
});

test('another URL is typed over that of the public registry, and what is missing is said at its field', async ({
  gatehouse,
}) => {
  const { page } = gatehouse;
  await page.getByRole('link', { name: 'Upstream', exact: true }).click();
  await page.getByRole('button', { name: 'Fetch from another registry…' }).click();
  const dialog = page.getByRole('dialog');
  const url = dialog.getByRole('textbox', { name: 'URL', exact: true });
  await expect(url).toHaveValue('https://registry.npmjs.org/');
  await url.click();
  await page.keyboard.type('http://127.0.0.1:9/');
  await expect(url).toHaveValue('http://127.0.0.1:9/');
  await url.fill('');
  await dialog.getByRole('button', { name: 'Add registry' }).click();
  await expect(dialog.getByText('Enter the URL of the registry.')).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
});
