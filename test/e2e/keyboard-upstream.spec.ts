import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { send } from '../support/http.ts';
import { makePublishDocument, type PublishInput } from '../support/publish-document.ts';
import { GatehouseProcess } from '../support/gatehouse-process.ts';
import { askedDialogs, chooseNext } from './file-dialogs.ts';
import { expect, test as base } from './keyboard.ts';

const token = 'gatehouse-company-root-token-0123456789';
const registryPath = '/api/v4/projects/1/packages/npm';

interface Company {
  readonly address: string;
  readonly publish: (input: PublishInput) => Promise<void>;
  readonly versions: (name: string) => Promise<string[]>;
}

/** A second registry on this machine, known to the window as "company", which is asked for everything and gets what @acme publishes. */
const test = base.extend<{ company: Company }>({
  company: async ({ folders }, use) => {
    const server = await GatehouseProcess.start({ dataDir: path.join(folders.base, 'company'), rootToken: token });
    try {
      await use({
        address: `${server.origin}${registryPath}`,
        publish: async (input) => {
          const body = await makePublishDocument(input);
          const to = `${registryPath}/${input.name.replace('/', '%2f')}`;
          expect((await send(server.origin, 'PUT', to, { token, body })).status).toBe(200);
        },
        versions: async (name) => {
          const at = `${server.origin}${registryPath}/${name.replace('/', '%2f')}`;
          const answer = await fetch(at, { headers: { authorization: `Bearer ${token}` } });
          if (!answer.ok) return [];
          return Object.keys(((await answer.json()) as { versions: object }).versions);
        },
      });
    } finally {
      await server.stop();
    }
  },
});

test('a registry is added, packages fetched beforehand, and the network switched off', async ({
  company,
  folders,
  gatehouse,
  npm,
  keys,
}) => {
  const { page } = gatehouse;
  await company.publish({ name: 'leaf', version: '1.0.0' });
  await company.publish({ name: 'branch', version: '1.0.0', manifest: { dependencies: { leaf: '^1.0.0' } } });
  await keys.go('Upstream');
  await keys.enter(page.getByRole('button', { name: 'Fetch from another registry…' }));
  const dialog = page.getByRole('dialog', { name: 'Add a registry' });
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await keys.type('company');
  await keys.walkTo(dialog.getByRole('combobox', { name: 'Type' }));
  await keys.press('ArrowDown');
  const kind = page.locator('[role=option][data-combobox-selected]');
  for (let step = 0; step < 4 && !/Gatehouse/.test((await kind.textContent()) ?? ''); step += 1) {
    await keys.press('ArrowDown');
  }
  await keys.press('Enter');
  await keys.fill(dialog.getByRole('textbox', { name: 'URL', exact: true }), company.address);
  await keys.fill(dialog.getByLabel('Token', { exact: true }), token);
  await keys.walkTo(dialog.getByRole('combobox', { name: 'Scopes' }));
  await keys.type('*');
  await keys.press('Enter');
  await keys.enter(dialog.getByRole('button', { name: 'Add registry' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('grid', { name: 'Registries' }).getByRole('row', { name: /company/ })).toBeVisible();
  await keys.settled();

  const tabs = page.getByRole('tablist', { name: 'Upstream' });
  await keys.switchTo(tabs, 'tab', 'Prefetch', 'back');
  await keys.walkTo(page.getByRole('combobox', { name: 'Names' }));
  await keys.type('branch');
  await keys.press('Enter');
  await keys.enter(page.getByRole('button', { name: 'Fetch', exact: true }));
  await expect(page.getByRole('article', { name: 'branch' })).toContainText('2');
  await keys.settled();

  const network = page.getByRole('main').getByRole('button', { name: /^Network: / });
  await keys.walkTo(network, 'back');
  await keys.choose(network, /^Offline/);
  await expect(network).toHaveText('Network: Offline');
  const consumer = path.join(folders.base, 'consumer');
  const installed = await npm.run(folders.base, 'install', '--prefix', consumer, 'branch');
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  const missing = await npm.run(folders.base, 'install', '--prefix', consumer, 'never-fetched');
  expect(missing.stderr).toContain('offline, not cached: never-fetched');
});

test('a lockfile is chosen, and all that it names is fetched', async ({ company, folders, gatehouse, npm, keys }) => {
  const { page } = gatehouse;
  await company.publish({ name: 'leaf', version: '1.0.0' });
  await addCompany(gatehouse.page, company);
  const lockfile = path.join(folders.base, 'package-lock.json');
  const packages = { '': { dependencies: { leaf: '1.0.0' } }, 'node_modules/leaf': { version: '1.0.0' } };
  await writeFile(lockfile, JSON.stringify({ name: 'app', lockfileVersion: 3, packages }));
  await keys.go('Upstream');
  await keys.switchTo(page.getByRole('tablist', { name: 'Upstream' }), 'tab', 'Prefetch');
  const chosen = page.waitForEvent('filechooser');
  await keys.enter(page.getByRole('button', { name: 'Choose…' }));
  await (await chosen).setFiles(lockfile);
  const job = page.getByRole('article', { name: /package-lock\.json/ });
  await expect(job).toContainText('1');
  await expect
    .poll(() => page.evaluate(() => window.gatehouse.call('upstream.prefetchJobs', {})))
    .toMatchObject({ ok: true, value: { jobs: [{ state: 'done' }] } });
  await keys.settled();
  await page.evaluate(() => window.gatehouse.call('offline.set', { mode: 'on' }));
  const installed = await npm.run(folders.base, 'install', '--prefix', path.join(folders.base, 'consumer'), 'leaf');
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
});

test('what was published here is sent, and handed over', async ({ company, folders, gatehouse, npm, keys }) => {
  const { page } = gatehouse;
  await addCompany(page, company);
  for (const name of ['@acme/mine', '@acme/ours']) {
    const published = await npm.publish({ name, version: '1.0.0' });
    expect(published, published.stderr).toMatchObject({ code: 0 });
  }
  await keys.go('Upstream');
  await keys.switchTo(page.getByRole('tablist', { name: 'Upstream' }), 'tab', 'Outbox');
  const mine = page
    .getByRole('grid', { name: 'Changes' })
    .getByRole('row', { name: /@acme\/mine/ })
    .first();
  await expect(mine).toContainText('Waiting');
  await keys.enter(page.getByRole('button', { name: 'Compare with company' }));
  await expect(mine).toContainText('Not there yet');
  expect(await company.versions('@acme/mine')).toEqual([]);
  await keys.enter(page.getByRole('button', { name: /^Send \d+ changes? to company$/ }));
  await expect.poll(() => company.versions('@acme/mine')).toEqual(['1.0.0']);
  await expect.poll(() => company.versions('@acme/ours')).toEqual(['1.0.0']);
  await keys.settled();
  await expect(page.getByText(/^(\d+) of \1 changes sent to company$/)).toBeVisible();
  await keys.enter(page.getByRole('button', { name: 'Check what arrived' }));
  await expect(page.getByText(/^company has all \d+ sent changes\.$/)).toBeVisible();

  // What others publish there is not seen here as long as the package is this registry's own.
  await company.publish({ name: '@acme/ours', version: '2.0.0' });
  const latest = async (name: string): Promise<string> =>
    (await npm.run(folders.base, 'view', name, 'version', '--prefer-online')).stdout.trim();
  expect(await latest('@acme/ours')).toBe('1.0.0');
  const menu = page.getByRole('button', { name: 'Actions for company' });
  await keys.enter(menu);
  await keys.enter(page.getByRole('menuitem', { name: 'Take new versions from company…' }));
  const dialog = page.getByRole('dialog', { name: 'Take new versions from company' });
  const all = dialog.getByRole('checkbox', { name: 'All 2 packages' });
  await expect(all).toBeFocused();
  await keys.press('Space');
  await expect(dialog.getByRole('checkbox', { name: '@acme/mine' })).not.toBeChecked();
  await keys.walkTo(dialog.getByRole('checkbox', { name: '@acme/ours' }));
  await keys.press('Space');
  await expect(all).toBeChecked({ indeterminate: true });
  await keys.enter(dialog.getByRole('button', { name: 'Take from there', exact: true }));
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();
  await expect.poll(() => latest('@acme/ours')).toBe('2.0.0');
  expect(await latest('@acme/mine')).toBe('1.0.0');
  const installed = await npm.run(
    folders.base,
    'install',
    '--prefix',
    path.join(folders.base, 'app'),
    '@acme/ours@1.0.0',
  );
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  await keys.go('Packages');
  await expect(page.getByRole('row', { name: /@acme\/mine/ })).toBeVisible();
  await expect(page.getByRole('row', { name: /@acme\/ours/ })).toHaveCount(0);
});

test('what waits is shown before anything is set up, and sent with a token once it is confirmed', async ({
  company,
  gatehouse,
  npm,
  keys,
}) => {
  const { page } = gatehouse;
  await page.evaluate(
    (url) => window.gatehouse.call('upstream.create', { name: 'company', kind: 'gatehouse', url, scopes: ['*'] }),
    company.address,
  );
  expect((await npm.publish({ name: '@acme/mine', version: '1.0.0' })).code).toBe(0);
  await keys.go('Upstream');
  await keys.switchTo(page.getByRole('tablist', { name: 'Upstream' }), 'tab', 'Outbox');
  await expect(page.getByRole('grid', { name: 'Changes' })).toContainText('@acme/mine');
  await expect(page.getByText('What would be sent: @acme/*', { exact: true })).toBeVisible();
  await keys.enter(page.getByRole('button', { name: 'Add a token…' }));
  await expect(page.getByLabel('Token', { exact: true })).toBeFocused();
  await keys.type(token);
  await keys.enter(page.getByRole('button', { name: 'Save' }));
  await keys.enter(page.getByRole('button', { name: /^Send \d+ changes? to company$/ }));
  const question = page.getByRole('dialog', { name: 'Send 2 changes to “company”?' });
  await expect(question).toContainText('Sends @acme/*, with all versions');
  expect(await company.versions('@acme/mine')).toEqual([]);
  await keys.enter(question.getByRole('button', { name: 'Send', exact: true }));
  await expect.poll(() => company.versions('@acme/mine')).toEqual(['1.0.0']);
});

test('all that failed is sent again with one button', async ({ company, gatehouse, npm, keys }) => {
  const { page } = gatehouse;
  await addCompany(page, company);
  for (const name of ['@acme/mine', '@acme/ours']) {
    expect((await npm.publish({ name, version: '1.0.0' })).code).toBe(0);
  }
  const setToken = (secret: string) =>
    page.evaluate((value) => window.gatehouse.call('upstream.update', { upstreamId: 1, token: value }), secret);
  expect(await setToken('refused')).toMatchObject({ ok: true });
  await page.evaluate(() => window.gatehouse.call('outbox.start', { upstreamId: 1, selection: [] }));
  const states = () =>
    page.evaluate(async () => {
      const reply = await window.gatehouse.call('outbox.status', { upstreamId: 1 });
      if (!reply.ok) return [];
      const { running, operations } = reply.value;
      return running ? [] : operations.map(({ changeId, state }) => ({ changeId, state }));
    });
  await expect.poll(async () => (await states()).filter(({ state }) => state === 'failed')).toHaveLength(2);
  for (const { changeId, state } of await states()) {
    if (state !== 'waiting') continue;
    const skip = { upstreamId: 1, changeId, resolution: 'theirs' } as const;
    expect(await page.evaluate((what) => window.gatehouse.call('outbox.resolve', what), skip)).toMatchObject({
      ok: true,
    });
  }
  expect(await setToken(token)).toMatchObject({ ok: true });
  await keys.go('Upstream');
  await keys.switchTo(page.getByRole('tablist', { name: 'Upstream' }), 'tab', 'Outbox');
  await keys.enter(page.getByRole('button', { name: 'Retry 2 failed changes' }));
  await expect.poll(() => company.versions('@acme/mine')).toEqual(['1.0.0']);
  await expect.poll(() => company.versions('@acme/ours')).toEqual(['1.0.0']);
  await expect(page.getByText('2 of 2 changes sent to company, 2 skipped')).toBeVisible();
});

test('a conflict is looked at and decided, the cache is emptied, and a registry removed', async ({
  company,
  gatehouse,
  npm,
  folders,
  keys,
}) => {
  const { page } = gatehouse;
  await addCompany(page, company);
  await company.publish({ name: 'leaf', version: '1.0.0' });
  await company.publish({ name: '@acme/mine', version: '1.0.0', files: { 'theirs.js': '1' } });
  expect((await npm.publish({ name: '@acme/mine', version: '1.0.0' })).code).toBe(0);
  await keys.go('Upstream');
  const tabs = page.getByRole('tablist', { name: 'Upstream' });
  await keys.switchTo(tabs, 'tab', 'Outbox');
  await page.evaluate(() => window.gatehouse.call('outbox.start', { upstreamId: 1, selection: ['@acme'] }));
  const changes = page.getByRole('grid', { name: 'Changes' });
  // The tag waits behind the version.
  for (const counted of [
    page.getByRole('tab', { name: 'Outbox' }),
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Upstream' }),
  ])
    await expect(counted).toHaveAccessibleName(/ 1 change to send, 1 conflict$/);
  await expect(page.getByRole('main').getByText('1 change to send, 1 conflict', { exact: true }).last()).toBeVisible();
  const held = changes.getByRole('row', { name: /Set the tag latest/ });
  await keys.walkTo(changes.locator('[role=row][tabindex="0"]'));
  await keys.press('End');
  await expect(held).toBeFocused();
  for (const [choice, status] of [
    ['Skip', 'Skipped'],
    ['Send it after all', 'Waiting'],
    ['Skip', 'Skipped'],
  ] as const) {
    await keys.choose(held.getByRole('button'), choice);
    await expect(held).toContainText(status);
    await keys.settled();
  }
  await keys.walkTo(changes.locator('[role=row][tabindex="0"]'), 'back');
  await keys.press('Home');
  await expect(changes.getByRole('row', { name: /Conflict/ })).toBeFocused();
  await keys.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Conflict: Publish 1.0.0 of @acme/mine' });
  const leave = dialog.getByRole('button', { name: 'Leave company as it is' });
  await expect(leave).toBeFocused();
  await keys.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Skipped.*Publish 1\.0\.0/ })).toBeVisible();
  await keys.settled();

  const consumer = path.join(folders.base, 'consumer');
  expect((await npm.run(folders.base, 'install', '--prefix', consumer, 'leaf')).code).toBe(0);
  await keys.switchTo(tabs, 'tab', 'Cache', 'back');
  const kept = page.getByRole('row', { name: /^leaf/ });
  await keys.walkTo(page.getByRole('grid', { name: 'Cached packages' }).locator('[role=row][tabindex="0"]'));
  await keys.press('End');
  await expect(kept).toBeFocused();
  await keys.choose(kept.getByRole('button'), 'Remove…');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }));
  await expect(kept).toHaveCount(0);
  await keys.settled();

  await keys.switchTo(tabs, 'tab', 'Registries', 'back');
  const registry = page.getByRole('grid', { name: 'Registries' }).getByRole('row', { name: /company/ });
  await keys.walkTo(registry);
  await keys.choose(registry.getByRole('button', { name: /^Actions for/ }), /^Remove/);
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }));
  await expect(registry).toHaveCount(0);
  await keys.settled();
  const missing = await npm.run(folders.base, 'view', 'leaf');
  expect(missing.stderr).toContain('E404');
});

test('packages go into a chosen file and come out of it', async ({ folders, gatehouse, npm, keys }) => {
  const { app, page } = gatehouse;
  expect((await npm.publish({ name: '@acme/boiler', version: '1.0.0' })).code).toBe(0);
  const file = path.join(folders.base, 'acme.gatehouse');
  // From the package, at once.
  await keys.enter(page.getByRole('row', { name: /@acme\/boiler/ }));
  await keys.choose(page.getByRole('button', { name: 'Actions for @acme/boiler' }), 'Export as a bundle…');
  const alone = path.join(folders.base, 'alone.gatehouse');
  await chooseNext(app, alone);
  const dialog = page.getByRole('dialog', { name: 'Export @acme/boiler' });
  await expect(dialog.getByRole('button', { name: 'Export…' })).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByText(/^Exported 1 version, /)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect((await stat(alone)).size).toBeGreaterThan(0);
  await app.evaluate(({ shell }) => {
    shell.showItemInFolder = (path) => void ((globalThis as { shown?: string }).shown = path);
  });
  const shown = () => app.evaluate(() => (globalThis as { shown?: string }).shown);
  await page.getByRole('button', { name: 'Show in folder' }).press('Enter');
  await expect.poll(shown).toBe(alone);
  await expect(page.getByText(/^Exported 1 version, /)).toHaveCount(0);
  await keys.go('Upstream');
  await keys.switchTo(page.getByRole('tablist', { name: 'Upstream' }), 'tab', 'Bundles');
  await keys.walkTo(page.getByRole('combobox', { name: 'Packages' }));
  await keys.type('@acme/*');
  await keys.press('Enter');
  const exporting = page.getByRole('button', { name: 'Export…' });
  // What belongs to the export comes before its button.
  await keys.press('Tab');
  await expect(page.getByRole('checkbox', { name: 'Include all dependencies' })).toBeFocused();
  await keys.press('Tab');
  await expect(exporting).toBeFocused();
  await chooseNext(app, null);
  await keys.enter(exporting);
  await expect.poll(async () => (await askedDialogs(app)).length).toBe(2);
  await expect(exporting).toBeFocused();
  await chooseNext(app, file);
  await keys.press('Enter');
  await expect(page.getByText('Exported 1 version')).toBeVisible();
  expect((await stat(file)).size).toBeGreaterThan(0);
  expect(await page.evaluate(() => window.gatehouse.app.showNewFile('/etc/passwd'))).toMatchObject({ ok: false });
  expect(await shown()).toBe(alone);
  await keys.enter(page.getByRole('button', { name: 'Show in folder' }));
  await expect.poll(shown).toBe(file);
  // The dialog of the system asked whether it may be replaced.
  const { ino } = await stat(file);
  await keys.enter(exporting);
  await expect.poll(async () => (await stat(file)).ino).not.toBe(ino);
  await expect(page.getByText('Exported 1 version')).toBeVisible();

  expect((await npm.run(folders.base, 'unpublish', '--force', '@acme/boiler')).code).toBe(0);
  // A registry without packages offers it on its first screen.
  await keys.go('Packages');
  await keys.enter(page.getByRole('button', { name: 'Import a bundle…' }));
  await expect(page.getByRole('button', { name: 'Bundle: Choose a file…' })).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByRole('button', { name: `Bundle: ${file}` })).toBeFocused();
  await expect(page.getByRole('grid', { name: 'Bundle contents' })).toContainText('@acme/boiler@1.0.0');
  await keys.enter(page.getByRole('button', { name: 'Import', exact: true }));
  await expect(page.getByText('1 version imported')).toBeVisible();
  const contents = page.getByRole('grid', { name: 'Bundle contents' });
  await expect(contents).toContainText('Went to local/packages');
  await expect(contents.getByText('Imported', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Show the package' })).toBeVisible();
  await keys.settled();
  expect((await npm.run(folders.base, 'view', '@acme/boiler', 'version')).stdout.trim()).toBe('1.0.0');
  // Nobody published it here, and the package says so.
  await keys.go('Packages');
  await keys.enter(page.getByRole('row', { name: /@acme\/boiler/ }));
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText(/ImportedJust now by root/i);
  expect((await askedDialogs(app)).map(({ kind, title }) => `${kind} ${title}`)).toEqual([
    'save Export to',
    'save Export to',
    'save Export to',
    'save Export to',
    'open Import from',
  ]);
});

/** What the first test does by hand. */
async function addCompany(page: Page, { address }: Company): Promise<void> {
  const reply = await page.evaluate(
    ([url, secret]) =>
      window.gatehouse.call('upstream.create', {
        name: 'company',
        kind: 'gatehouse',
        url: url ?? '',
        token: secret ?? '',
        // A name in use here goes to another registry only if that one is named for it.
        scopes: ['*', '@acme'],
        pushSelection: ['@acme'],
        pushFrom: { projectIds: [1] },
      }),
    [address, token],
  );
  expect(reply).toMatchObject({ ok: true });
}
