import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeNpm, type Npm } from '../support/npm.ts';
import { projectFolder, type RunningApp } from './electron-app.ts';
import { expect, test, addUser, type Rest } from './fixtures.ts';

/**
 * The pictures of the README and the guide, of a registry that real publishes filled. `npm run pictures` writes them; in a common run they are
 * attached to the test only, so that a test does not change the checkout.
 */
const size = { width: 1200, height: 760 };

const packages = [
  ['@acme/boiler', 'Keeps water at a temperature', ['1.0.0', '1.1.0', '1.2.0', '2.0.0-beta.1']],
  ['@acme/valve', 'Opens and closes, politely', ['0.9.0', '1.0.0']],
  ['@acme/thermostat', 'Decides when the boiler runs', ['3.1.4']],
  ['@acme/dashboard', 'Everything about the heating on one page', ['5.0.0', '5.0.1']],
  ['kettle-cli', 'Boils water from the command line', ['0.4.0']],
  ['pressure-gauge', 'Reads a pressure sensor', ['2.2.0']],
  ['tiny-units', 'Degrees, bars and litres without dependencies', ['1.0.0']],
] as const;

const readme = `# Boiler

Keeps water at a temperature, and says what it is doing.

\`\`\`ts
import { Boiler } from '@acme/boiler';

const boiler = new Boiler({ target: 62, unit: 'celsius' });
boiler.on('change', ({ temperature }) => console.log(temperature));
await boiler.start();
\`\`\`

## Options

| option | default | what it does |
| --- | --- | --- |
| \`target\` | 60 | the temperature to keep |
| \`unit\` | \`celsius\` | how temperatures are read |
| \`hysteresis\` | 2 | how far it may drift before the burner starts |

See [@acme/thermostat](https://example.test) for the part that decides.
`;

async function fill(npm: Npm, base: string): Promise<void> {
  for (const [name, description, versions] of packages) {
    const folder = path.join(base, 'packages', name);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'index.js'), 'export {};\n');
    await writeFile(
      path.join(folder, 'README.md'),
      name === '@acme/boiler' ? readme : `# ${name}\n\n${description}.\n`,
    );
    for (const version of versions) {
      await writeFile(
        path.join(folder, 'package.json'),
        JSON.stringify({ name, version, description, license: 'MIT' }),
      );
      const published = await npm.run(folder, 'publish', '--tag', version.includes('-') ? 'next' : 'latest');
      expect(published, published.stderr).toMatchObject({ code: 0 });
    }
  }
  expect((await npm.run(base, 'dist-tag', 'add', '@acme/boiler@1.1.0', 'stable')).code).toBe(0);
}

/** Takes what the window shows in both themes: `NAME-light.png` and `NAME-dark.png`. */
async function take({ app, page }: RunningApp, name: string, folder: string): Promise<void> {
  await app.evaluate(({ BrowserWindow }, wanted) => {
    BrowserWindow.getAllWindows()[0]?.setContentSize(wanted.width, wanted.height);
  }, size);
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((choice) => window.gatehouse.app.saveSettings({ theme: choice }), theme);
    await page.waitForFunction(
      ({ dark, width, height }) =>
        matchMedia('(prefers-color-scheme: dark)').matches === dark && innerWidth === width && innerHeight === height,
      { dark: theme === 'dark', ...size },
    );
    await page.mouse.move(0, 0);
    await page.screenshot({
      path: path.join(folder, `${name}-${theme}.png`),
      animations: 'disabled',
      caret: 'hide',
    });
  }
}

test('pictures of a registry in use', async ({ gatehouse, npm, rest, folders }, testInfo) => {
  test.setTimeout(240_000);
  const { page } = gatehouse;
  // `npm run pictures` updates those of the README and the guide.
  const isUpdate = testInfo.config.updateSnapshots === 'all';
  const pictures = isUpdate ? path.join(projectFolder, 'docs/images') : testInfo.outputPath('pictures');
  await mkdir(pictures, { recursive: true });
  await fill(npm, folders.base);
  await expect(page.getByRole('row', { name: /@acme\/boiler/ })).toBeVisible();
  await take(gatehouse, 'packages', pictures);

  await page.getByRole('row', { name: /@acme\/boiler/ }).click();
  await expect(page.getByRole('heading', { name: 'Boiler', exact: true })).toBeVisible();
  await take(gatehouse, 'package', pictures);

  const linus = await addPeople(rest);
  await page.getByRole('link', { name: 'Environments' }).click();
  await expect(page.getByRole('form', { name: /^Rules of/ })).toBeVisible();
  await take(gatehouse, 'environments', pictures);

  await page.getByRole('link', { name: 'Activity' }).click();
  await expect(page.getByRole('row', { name: /stable/ }).first()).toBeVisible();
  await take(gatehouse, 'activity', pictures);

  await askForRelease(rest, await tokenOf(rest, linus), folders.base, gatehouse.origin);
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Inbox/ })
    .click();
  await expect(page.getByRole('heading', { name: /@acme\/boiler/ }).first()).toBeVisible();
  await take(gatehouse, 'inbox', pictures);
});

async function tokenOf(rest: Rest, user: number): Promise<string> {
  const made = await rest('POST', `/users/${user}/personal_access_tokens`, { name: 'laptop', scopes: ['api'] });
  expect(made.status).toBe(201);
  return (made.body as { token: string }).token;
}

/** Publishes a version that waits for approval. */
async function askForRelease(rest: Rest, token: string, base: string, origin: string): Promise<void> {
  const packages = '/projects/1/packages/npm';
  expect((await rest('PUT', `${packages}/guards/latest`, { environment: 'production' })).status).toBe(200);
  expect((await rest('PUT', `${packages}/-/guard_settings`, { on_refusal: 'stage' })).status).toBe(200);
  const npm = await makeNpm(path.join(base, 'linus'), origin, token);
  const asked = await npm.publish({
    name: '@acme/boiler',
    version: '1.3.0',
    description: 'Keeps water at a temperature',
    license: 'MIT',
    dependencies: { '@acme/valve': '^1.0.0' },
  });
  expect(asked, asked.stderr).toMatchObject({ code: 0 });
}

/** Adds three users with rules for three environments; the id of a Developer who may not deploy to production. */
async function addPeople(rest: Rest): Promise<number> {
  const ids: number[] = [];
  for (const [username, name] of [
    ['ada', 'Ada Lovelace'],
    ['grace', 'Grace Hopper'],
    ['linus', 'Linus Pauling'],
  ] as const) {
    ids.push(await addUser(rest, username, name));
  }
  for (const [index, user_id] of ids.entries()) {
    const added = await rest('POST', '/projects/1/members', { user_id, access_level: index === 0 ? 40 : 30 });
    expect(added.status).toBe(201);
  }
  const [, grace, linus = 0] = ids;
  for (const [name, levels] of [
    ['production', [{ access_level: 40 }, { user_id: grace }]],
    ['staging', [{ access_level: 30 }]],
    ['review/app', [{ access_level: 30 }]],
  ] as const) {
    const made = await rest('POST', '/projects/1/protected_environments', {
      name,
      deploy_access_levels: levels,
      approval_rules: name === 'production' ? [{ access_level: 40 }] : [],
    });
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
  }
  return linus;
}
