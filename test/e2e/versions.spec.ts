import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { chooseNext, askedDialogs } from './file-dialogs.ts';
import { expect, test } from './keyboard.ts';

const gate = '@acme/gate';

test('a version has a page of its own, by keyboard: readme, files, dependencies and distribution', async ({
  gatehouse,
  npm,
  folders,
  keys,
  picture,
}) => {
  const { page } = gatehouse;
  const code = (greeting: string) =>
    `${Array.from({ length: 30 }, (_, line) => `export const line${line} = ${line};`).join('\n')}\nexport const greeting = '${greeting}';\n`;
  const publish = async (version: string, files: Record<string, string>) => {
    const folder = path.join(folders.base, `gate-${version}`);
    await mkdir(folder);
    const manifest = {
      name: gate,
      version,
      license: 'MIT',
      engines: { node: '>=20' },
      dependencies: { kettle: '^1.0.0' },
    };
    for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) })) {
      await writeFile(path.join(folder, name), text);
    }
    const result = await npm.run(folder, 'publish');
    expect(result, result.stderr).toMatchObject({ code: 0 });
  };
  await publish('1.0.0', { 'lib.js': code('hello'), 'old.js': '1;\n' });
  await publish('1.1.0', { 'lib.js': code('good evening'), 'new.js': '2;\n', 'README.md': '# The gate\n' });

  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  await keys.switchTo(page.getByRole('tablist', { name: gate }), 'tab', /^Versions/);
  await keys.enter(page.getByRole('row', { name: /^Select 1\.1\.0/ }));
  await expect(page.getByRole('heading', { level: 1, name: `${gate} 1.1.0` })).toBeFocused();
  await expect(page.getByRole('article', { name: 'Readme' })).toContainText('The gate');
  await expect(page.getByRole('complementary', { name: 'About this version' })).toContainText(
    'npm install @acme/gate@1.1.0',
  );

  const tabs = page.getByRole('tablist', { name: `${gate} 1.1.0` });
  await keys.switchTo(tabs, 'tab', 'Files');
  await keys.walkTo(page.getByRole('combobox', { name: 'Compare with' }));
  await keys.type('1.0.0');
  await keys.press('ArrowDown', 'Enter');
  const files = page.getByRole('navigation', { name: 'Files' });
  for (const [file, change] of [
    ['lib.js', 'Modified'],
    ['new.js', 'Added'],
    ['old.js', 'Deleted'],
  ]) {
    await expect(files.getByRole('button', { name: `${file} ${change}` })).toBeVisible();
  }
  await keys.enter(files.getByRole('button', { name: 'lib.js Modified' }));
  const diff = page.getByRole('region', { name: 'lib.js' });
  await expect(diff.locator('mark')).toHaveText(['hello', 'good evening']);
  await expect(diff).not.toContainText('line5');
  await picture(gatehouse, 'version-diff');
  await keys.enter(diff.getByRole('button', { name: '27 unchanged lines' }));
  await expect(diff).toContainText('line5');

  await keys.walkTo(tabs.getByRole('tab', { name: 'Files' }), 'back');
  await keys.switchTo(tabs, 'tab', 'Dependencies');
  await expect(page.getByRole('region', { name: 'Dependencies' })).toContainText('kettle');
  await keys.switchTo(tabs, 'tab', 'Distribution');
  const integrity = (await npm.run(folders.base, 'view', `${gate}@1.1.0`, 'dist.integrity')).stdout.trim();
  await expect(page.getByRole('region', { name: 'Tarball' })).toContainText(integrity);
  await expect(page.getByRole('region', { name: 'Signature' })).toContainText('SHA256:');
  await expect(page.getByRole('region', { name: 'Provenance' })).toContainText('without provenance');
  await picture(gatehouse, 'version-distribution');
  await keys.switchTo(tabs, 'tab', 'Readme');
  await picture(gatehouse, 'version-readme');

  await keys.enter(page.getByRole('main').getByRole('link', { name: gate }), 'back');
  await expect(page.getByRole('grid', { name: `Versions of ${gate}` })).toBeVisible();
  await keys.settled();
});

test('a tarball is saved where the person says, and the file manager shows it', async ({ gatehouse, npm, folders }) => {
  const { app, page } = gatehouse;
  expect((await npm.publish({ name: gate, version: '1.0.0' })).code).toBe(0);
  await app.evaluate(({ shell }) => {
    const kept = globalThis as { shown?: string[] };
    kept.shown = [];
    shell.showItemInFolder = (file) => void kept.shown?.push(file);
  });
  const shown = () => app.evaluate(() => (globalThis as { shown?: string[] }).shown?.at(-1) ?? '');
  await page.getByRole('row', { name: /@acme\/gate/ }).click();
  await page.getByRole('tab', { name: /^Versions/ }).click();
  await page.getByRole('row', { name: /^Select 1\.0\.0/ }).click();

  await page.getByRole('button', { name: 'Show in data folder' }).click();
  await expect.poll(shown).toContain(`${path.sep}tarballs${path.sep}`);

  const download = page.getByRole('button', { name: 'Download tarball…' });
  await chooseNext(app, null);
  await download.click();
  await expect.poll(async () => (await askedDialogs(app)).at(-1)?.suggested).toBe('acme-gate-1.0.0.tgz');
  const file = path.join(folders.base, 'saved.tgz');
  await chooseNext(app, file);
  await download.click();
  await expect(page.getByText(`Saved ${path.basename(file)} to ${path.dirname(file)}`)).toBeVisible();
  const integrity = (await npm.run(folders.base, 'view', gate, 'dist.integrity')).stdout.trim();
  const saved = createHash('sha512').update(await readFile(file));
  expect(`sha512-${saved.digest('base64')}`).toBe(integrity);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await expect.poll(shown).toBe(file);

  await chooseNext(app, path.join(folders.base, 'missing', 'saved.tgz'));
  await download.click();
  await expect(page.getByText(/The tarball could not be saved: ENOENT/)).toBeVisible();
});

test('the page gets no path of a tarball, and cannot name one', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name: gate, version: '1.0.0' })).code).toBe(0);
  const outcomes = await page.evaluate(async () => {
    const call = window.gatehouse.call as (method: string, params: unknown) => Promise<{ ok: boolean }>;
    const download = window.gatehouse.app.downloadTarball as (subject: unknown) => Promise<unknown>;
    return [
      (await call('contents.tarball', { packageId: 1, version: '1.0.0' })).ok,
      ...(await Promise.all(
        [{ packageId: 1, version: '1.0.0', file: '/etc/passwd' }, '/etc/passwd', null].map((subject) =>
          download(subject).then(
            () => 'answered',
            () => 'refused',
          ),
        ),
      )),
    ];
  });
  expect(outcomes).toEqual([false, 'refused', 'refused', 'refused']);
});

test('a long version and a long name leave each other readable, and the tags', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  const longVersion = '10.20.30-nightly.20261122.230457.build-with-a-very-long-name.1234567890';
  const longName = '@acme/a-name-that-is-so-long-that-nobody-would-ever-choose-it-for-a-package-of-theirs';
  const isWhole = (text: Locator) => text.evaluate((element) => element.scrollWidth === element.clientWidth);
  const open = async (name: string, version: string) => {
    expect((await npm.publish({ name, version }, '--tag', 'latest')).code).toBe(0);
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Packages/ })
      .click();
    await page.getByRole('row', { name: new RegExp(name) }).click();
    await page.getByRole('tab', { name: /^Versions/ }).click();
    return page.getByRole('row', { name: new RegExp(version) });
  };
  const heading = page.getByRole('heading', { level: 1 });

  let row = await open('@acme/toolkit', longVersion);
  await expect.poll(() => isWhole(row.locator('.gh-version-tags .gh-chip > *'))).toBe(true);
  await row.click();
  await expect(heading).toHaveText(`@acme/toolkit ${longVersion}`);
  const name = page.getByRole('main').getByRole('link', { name: '@acme/toolkit' });
  await expect.poll(() => isWhole(name.locator('.gh-truncate'))).toBe(true);

  row = await open(longName, '1.0.0');
  await row.click();
  await expect(heading).toHaveText(`${longName} 1.0.0`);
  await expect.poll(() => isWhole(heading)).toBe(true);
  await expect.poll(() => isWhole(heading.locator('.gh-truncate'))).toBe(true);
});
