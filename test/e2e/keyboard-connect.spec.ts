import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { askedDialogs, chooseNext } from './file-dialogs.ts';
import { expect, test } from './keyboard.ts';

test('the .npmrc of a chosen folder is written, works, and is restored', async ({ gatehouse, npm, folders, keys }) => {
  const { app, page, origin } = gatehouse;
  const project = path.join(folders.base, 'project');
  const npmrc = path.join(project, '.npmrc');
  const before = '# mine\nsave-exact=true\n';
  await mkdir(project);
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0' }));
  await writeFile(npmrc, before);
  await keys.go('Connect');
  const choose = page.getByRole('button', { name: 'Folder: Choose a folder…' });
  await chooseNext(app, null);
  await keys.enter(choose);
  await expect.poll(async () => (await askedDialogs(app)).length).toBe(1);
  await expect(choose).toBeFocused();
  await chooseNext(app, project);
  await keys.press('Enter');
  await expect(page.getByRole('button', { name: `Folder: ${project}` })).toBeFocused();
  expect((await askedDialogs(app)).at(-1)).toMatchObject({
    kind: 'open',
    title: 'The folder of your package or app',
    properties: ['openDirectory', 'createDirectory'],
  });

  await keys.enter(page.getByRole('button', { name: 'Connect…' }));
  await expect(page.getByRole('group', { name: npmrc })).toContainText('save-exact=true');
  expect(await readFile(npmrc, 'utf8')).toBe(before);
  await keys.enter(page.getByRole('button', { name: 'Write to the folder' }));
  await expect(page.getByRole('main')).toContainText('Written');
  await keys.settled();
  const written = await readFile(npmrc, 'utf8');
  expect(written).toContain(before);
  expect(written).toContain(`registry=${origin}/api/v4/projects/1/packages/npm/`);
  const token = /_authToken=(\S+)/.exec(written)?.[1] ?? '';
  const whoAmI = (): Promise<Response> =>
    fetch(`${origin}/api/v4/projects/1/packages/npm/-/whoami`, { headers: { authorization: `Bearer ${token}` } });
  expect((await whoAmI()).status).toBe(200);
  expect(await npm.run(project, 'ping')).toMatchObject({ code: 0 });
  await expect(page.getByRole('list', { name: 'Connected clients' })).toContainText('npm');

  await keys.enter(page.getByRole('button', { name: 'Disconnect' }), 'back');
  await expect(page.getByRole('main')).toContainText('Disconnected');
  await expect(page.getByRole('button', { name: 'Disconnect' })).toBeFocused();
  expect(await readFile(npmrc, 'utf8')).toBe(before);
  expect((await whoAmI()).status).toBe(401);
});

test('lines are written for the chosen package manager, and for what was previewed only', async ({
  gatehouse,
  folders,
  keys,
  picture,
}) => {
  const { app, page } = gatehouse;
  const project = path.join(folders.base, 'project');
  const yarnrc = path.join(project, '.yarnrc.yml');
  await mkdir(project);
  await writeFile(yarnrc, 'nodeLinker: node-modules\n');
  await keys.go('Connect');
  await chooseNext(app, project);
  await keys.enter(page.getByRole('button', { name: 'Folder: Choose a folder…' }));
  // The dialog of the system would hold a person up until it is answered.
  await expect(page.getByRole('button', { name: `Folder: ${project}` })).toBeFocused();
  await keys.enter(page.getByRole('button', { name: 'Connect…' }));
  await expect(page.getByRole('group', { name: `${path.join(project, '.npmrc')} (new)` })).toBeVisible();
  await keys.walkTo(page.getByRole('combobox', { name: 'Package manager' }), 'back');
  // Home and End move within an open list.
  await keys.press('ArrowDown', 'End');
  await expect(page.getByRole('option', { name: 'Deno' })).toHaveAttribute('data-combobox-selected', 'true');
  await keys.press('Home', 'ArrowDown', 'ArrowDown', 'Enter');
  const write = page.getByRole('button', { name: 'Write to the folder' });
  await expect(write).toHaveCount(0);
  await keys.enter(page.getByRole('button', { name: 'Connect…' }));
  await expect(page.getByRole('group', { name: yarnrc })).toContainText('nodeLinker: node-modules');
  await expect(page.getByRole('group', { name: yarnrc })).toContainText('npmRegistryServer');
  await picture(gatehouse, 'connect-preview');
  // Another scope needs another look.
  await keys.fill(page.getByRole('textbox', { name: 'Scope' }), '@acme');
  await expect(write).toHaveCount(0);
  await keys.enter(page.getByRole('button', { name: 'Connect…' }));
  await expect(page.getByRole('group', { name: yarnrc })).toContainText('npmScopes');
  await keys.enter(write);
  await expect(page.getByRole('main')).toContainText('Written');
  expect(await readFile(yarnrc, 'utf8')).toMatch(/^nodeLinker: node-modules[\s\S]*"acme":/);
  await keys.settled();
});

test('the lines of each client are chosen by arrows and copied', async ({ gatehouse, keys }) => {
  const { app, page, origin } = gatehouse;
  await keys.go('Connect');
  await keys.fill(page.getByRole('textbox', { name: 'Scope' }), '@acme');
  await keys.switchTo(page.getByRole('radiogroup', { name: 'Client' }), 'radio', 'Yarn');
  await keys.enter(page.getByRole('button', { name: 'Copy the lines for Yarn' }));
  await expect(page.getByRole('button', { name: 'Copied' })).toBeFocused();
  const lines = await app.evaluate(({ clipboard }) => clipboard.readText());
  expect(lines).toContain('acme');
  expect(lines).toContain(origin);
});

test('the self-test runs the clients of this machine, and stops', async ({ gatehouse, keys, rest }) => {
  const { page } = gatehouse;
  await keys.go('Connect');
  await keys.enter(page.getByRole('button', { name: 'Run the test' }));
  const steps = page.getByRole('list', { name: 'Steps of the test' });
  const passed = steps.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'passed' }) });
  await expect(passed.filter({ hasText: /npm .*publish/ }).first()).toBeVisible({ timeout: 60_000 });
  const stop = page.getByRole('button', { name: 'Stop' });
  await expect(stop).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByRole('button', { name: 'Run the test' })).toBeFocused();
  // What it published is taken away again.
  await expect.poll(async () => (await rest('GET', '/projects/1/packages')).body).toEqual([]);
});
