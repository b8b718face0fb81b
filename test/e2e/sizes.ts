import { mkdir, writeFile } from 'node:fs/promises';
import type { Page, TestInfo } from '@playwright/test';
import type { RunningApp } from './electron-app.ts';
import { addUser, expect, type Rest } from './fixtures.ts';
import { formFaults } from './form-faults.ts';
import { layoutFaults } from './layout-faults.ts';
import type { Npm } from '../support/npm.ts';
import { makePublishDocument } from '../support/publish-document.ts';

/** Content sizes of the window in pixels of the screen; `zoom` as in the menu View. */
export const sizes = [
  { name: '780', width: 780, height: 560, zoom: 1 },
  { name: '940', width: 940, height: 640, zoom: 1 },
  { name: '1280', width: 1280, height: 800, zoom: 1 },
  { name: '1920', width: 1920, height: 1080, zoom: 1 },
  { name: '200-percent', width: 1280, height: 1120, zoom: 2 },
] as const;

/** Makes the window as large as one of `sizes`, and waits until the page has it. */
export async function resize(
  { app, page }: RunningApp,
  { width, height, zoom }: Record<'width' | 'height' | 'zoom', number>,
): Promise<void> {
  await app.evaluate(
    ({ BrowserWindow }, wanted) => {
      const window = BrowserWindow.getAllWindows()[0];
      window?.setContentSize(wanted.width, wanted.height);
      window?.webContents.setZoomFactor(wanted.zoom);
    },
    { width, height, zoom },
  );
  await page.waitForFunction((wanted) => innerWidth === wanted.width && innerHeight === wanted.height, {
    width: width / zoom,
    height: height / zoom,
  });
}

/** Goes to a screen by its address, and waits until it is drawn. */
export async function show({ page }: RunningApp, address: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.gh-waiting, .gh-package .mantine-Loader-root')).toHaveCount(0);
  // Lists measure themselves after they are drawn.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Switches the theme, and waits until the page has it. */
export async function setTheme({ page }: RunningApp, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate((choice) => window.gatehouse.app.saveSettings({ theme: choice }), theme);
  await page.waitForFunction((dark) => matchMedia('(prefers-color-scheme: dark)').matches === dark, theme === 'dark');
}

/** What is not whole in the window as it is now. */
export async function faultsOf({ page }: RunningApp): Promise<string[]> {
  return [...(await page.evaluate(layoutFaults, undefined)), ...(await page.evaluate(formFaults))];
}

/** A picture of what is shown, of the window and not of the page, as Playwright's own take no notice of the zoom. */
export async function take({ app }: RunningApp, file: string): Promise<void> {
  const png = await app.evaluate(async ({ BrowserWindow }) => {
    const image = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage();
    return image?.toPNG().toString('base64') ?? '';
  });
  await writeFile(file, Buffer.from(png, 'base64'));
}

/** Where the pictures go; undefined if none are wanted. */
export async function pictureFolder(testInfo: TestInfo, name: string): Promise<string | undefined> {
  if (testInfo.config.updateSnapshots !== 'all') return undefined;
  const folder = testInfo.outputPath('pictures', name);
  await mkdir(folder, { recursive: true });
  return folder;
}

export const longName = `@acme/${'a-package-whose-name-is-as-long-as-npm-allows-'.repeat(5)}`.slice(0, 210) + '-end';
export const longVersion = '12.34.567-beta.20270131.with.a.long.prerelease.identifier';
export const longTag = `release-candidate-of-the-branch-${'feature-with-a-long-name-'.repeat(3)}2027`;
export const longSnapshot = `before-the-demo-${'with-a-long-name-'.repeat(2)}2027`;
export const longUser =
  'Wolfeschlegelsteinhausenbergerdorff Maximiliana Konstantinopolitanskaya-Featherstonehaugh the Third';

/** It guards a tag, and nothing protects it. */
export const unprotectedName = `preview/${'a-branch-that-nothing-protects-'.repeat(5)}7`;

/** Fills a registry with names that are as long as they can be, beside short ones. */
export async function fillWithLongNames(page: Page, npm: Npm, rest: Rest): Promise<void> {
  for (const [name, version, tag] of [
    [longName, '1.0.0', 'latest'],
    [longName, longVersion, longTag],
    ['@acme/boiler', '1.0.0', 'latest'],
    ['@acme/boiler', '2.0.0', 'latest'],
    ['kettle-cli', '0.4.0', 'latest'],
  ] as const) {
    const published = await npm.publish(
      {
        name,
        version,
        description:
          'Keeps water at a temperature, says what it is doing, and has a description of two lines or so at the least.',
        license: 'MIT',
        keywords: ['boiler', 'temperature', 'a-keyword-that-is-much-longer-than-others'],
        homepage: 'https://example.test/a/path/that/is/quite/long/and/goes/on/for/a/while/index.html',
        dependencies: { [longName]: '^1.0.0', 'kettle-cli': '>=0.4.0 <1.0.0 || ^2.0.0 || 3.x' },
      },
      '--tag',
      tag,
    );
    expect(published, published.stderr).toMatchObject({ code: 0 });
  }
  const ada = await addUser(rest, 'ada', 'Ada Lovelace');
  const long = await addUser(rest, `wolfeschlegelsteinhausenbergerdorff-${'maximiliana-'.repeat(4)}1`, longUser);
  for (const user_id of [ada, long]) {
    expect((await rest('POST', '/projects/1/members', { user_id, access_level: 40 })).status).toBe(201);
  }
  for (const name of ['production', `review/${'a-branch-with-a-long-name-'.repeat(6)}7`, 'tag-approvers']) {
    const rules = { name, deploy_access_levels: [{ access_level: 40 }, { user_id: long }] };
    const made = await rest('POST', '/projects/1/protected_environments', rules);
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
  }
  for (const [pattern, environment] of [
    ['latest', 'production'],
    [longTag.slice(0, 90), 'production'],
    ['release-candidate-*', 'tag-approvers'],
  ]) {
    const made = await rest('POST', '/projects/1/packages/npm/guards', { pattern, environment });
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
  }
  expect((await rest('PUT', '/projects/1/packages/npm/-/guard_settings', { on_refusal: 'stage' })).status).toBe(200);
  const unprotected = { pattern: 'next', environment: unprotectedName };
  expect((await rest('POST', '/projects/1/packages/npm/guards', unprotected)).status).toBe(201);
  const scripts = { postinstall: `node ${'scripts/in/a/deep/folder/'.repeat(4)}install.js` };
  for (const document of [
    await makePublishDocument({
      name: longName,
      version: '13.0.0',
      tag: longTag,
      manifest: { scripts, license: 'MIT' },
    }),
    await makePublishDocument({ name: 'kettle-cli', version: '0.5.0', manifest: { scripts } }),
  ]) {
    const staged = await rest(
      'POST',
      `/projects/1/packages/npm/-/stage/package/${encodeURIComponent(document.name)}`,
      document,
    );
    expect(staged, JSON.stringify(staged.body)).toMatchObject({ status: 201 });
  }
  for (const [where, name] of [
    ['groups', 'Release crew'],
    ['groups', longUser],
  ] as const) {
    const made = await rest('POST', `/${where}`, { name, path: name.toLowerCase().replaceAll(/[^a-z]+/g, '-') });
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
    const { id } = made.body as { id: number };
    const project = await rest('POST', '/projects', { name: `${name} project`, namespace_id: id });
    expect(project, JSON.stringify(project.body)).toMatchObject({ status: 201 });
    const invited = await rest('POST', '/projects/1/share', { group_id: id, group_access: 30 });
    expect(invited, JSON.stringify(invited.body)).toMatchObject({ status: 201 });
  }
  for (const [index, name] of ['a-registry-with-a-name-as-long-as-it-can', 'npm'].entries()) {
    // As GitLab's, of one host, they differ near their end.
    const url = `http://127.0.0.1:9/api/v4/${'groups/with/a/long/path/'.repeat(5)}projects/${12 + index}/packages/npm/`;
    const scopes = name === 'npm' ? ['*'] : ['@acme', '@a-scope-with-a-long-name', '@another'];
    const made = await page.evaluate(
      (upstream) => window.gatehouse.call('upstream.create', { kind: 'npm', ...upstream }),
      { name, url, scopes },
    );
    expect(made, JSON.stringify(made)).toMatchObject({ ok: true });
  }
  expect((await npm.run('/', 'view', 'kettle-cli')).code).toBe(0);
}
