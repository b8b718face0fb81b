import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addUser } from './fixtures.ts';
import { askedDialogs, chooseNext } from './file-dialogs.ts';
import { expect, test } from './keyboard.ts';

test('what happened is searched, and a tag change undone', async ({ gatehouse, npm, folders, keys }) => {
  const { page } = gatehouse;
  for (const version of ['1.0.0', '1.1.0']) {
    expect((await npm.publish({ name: '@acme/boiler', version })).code).toBe(0);
  }
  expect((await npm.publish({ name: 'other', version: '1.0.0' })).code).toBe(0);
  for (const version of ['1.0.0', '1.1.0']) {
    expect((await npm.run(folders.base, 'dist-tag', 'add', `@acme/boiler@${version}`, 'stable')).code).toBe(0);
  }
  await keys.go('Activity');
  await expect(page.getByRole('row', { name: /other/ })).toBeVisible();
  await keys.find('boiler');
  await expect(page.getByRole('row', { name: /other/ })).toHaveCount(0);

  const change = page.getByRole('row', { name: /Moved the tag stable of @acme\/boiler 1.0.0 → 1.1.0/ });
  await keys.walkTo(page.getByRole('grid', { name: 'Activity' }).locator('[role=row][tabindex="0"]'));
  await expect(change).toBeFocused();
  await keys.enter(change.getByRole('button', { name: /^Undo/ }));
  // At once, with what it came to; it is a change like any other.
  await expect(page.getByText('stable of @acme/boiler points to 1.0.0 again.')).toBeVisible();
  const undone = page.getByRole('row', { name: /Moved the tag stable of @acme\/boiler 1.1.0 → 1.0.0/ });
  await expect(undone.getByRole('button', { name: /^Undo/ })).toBeVisible();
  // An older change of the tag is not undone: that would overwrite the newer one.
  await expect(change.getByRole('button', { name: /^Undo/ })).toHaveCount(0);
  await expect(change).toContainText('Undone');
  await expect.poll(() => change.evaluate((row) => row.contains(document.activeElement))).toBe(true);
  expect((await npm.run(folders.base, 'dist-tag', 'ls', '@acme/boiler')).stdout).toContain('stable: 1.0.0');

  // From the change to its undo, and back.
  await keys.enter(change);
  const dialog = page.getByRole('dialog', { name: 'Moved the tag stable of @acme/boiler' });
  await keys.enter(dialog.getByRole('button', { name: /^by / }), 'back');
  await expect(dialog.getByRole('row', { name: 'Version 1.1.0 1.0.0' })).toBeVisible();
  await keys.enter(dialog.getByRole('button', { name: /^the change by / }));
  await expect(dialog.getByRole('row', { name: 'Version 1.0.0 1.1.0' })).toBeVisible();
});

test('a change opens in full, under its day, and the list is narrowed by kind and person', async ({
  gatehouse,
  npm,
  rest,
  keys,
  picture,
}) => {
  const { page } = gatehouse;
  const ada = await addUser(rest, 'ada', 'Ada Lovelace');
  expect((await npm.publish({ name: '@acme/boiler', version: '1.0.0' })).code).toBe(0);
  const levels = { name: 'production', deploy_access_levels: [{ access_level: 40 }, { access_level: 30 }] };
  expect((await rest('POST', '/projects/1/members', { user_id: ada, access_level: 30 })).status).toBe(201);
  expect((await rest('POST', '/projects/1/protected_environments', levels)).status).toBe(201);
  await keys.go('Activity');
  const grid = page.getByRole('grid', { name: 'Activity' });
  await expect(grid.getByRole('row', { name: 'Today', exact: true })).toBeVisible();
  // Members may be of a group: theirs is named, although there is one project only.
  await expect(grid.getByRole('row', { name: /member.*ada/i })).toContainText('in local/packages');
  await expect(grid.getByRole('row', { name: /Protected production/ })).not.toContainText('local/packages');
  await picture(gatehouse, 'activity');

  await keys.enter(grid.getByRole('row', { name: /Protected production/ }));
  const dialog = page.getByRole('dialog', { name: 'Protected production' });
  await expect(dialog.getByRole('row', { name: /Who may deploy Maintainers.*Developers/ })).toBeVisible();
  await expect(dialog.getByText(/\d{4} at \d/)).toBeVisible();
  await expect(dialog.getByText('127.0.0.1')).toBeVisible();
  await picture(gatehouse, 'activity-change');

  // Of rules, the undo says first what it comes to.
  await keys.enter(dialog.getByRole('button', { name: 'Undo this change' }));
  const question = page.getByRole('dialog', { name: 'Undo this change of “production”?' });
  await expect(question).toContainText('production is no longer protected.');
  await picture(gatehouse, 'activity-undo');
  await keys.enter(question.getByRole('button', { name: 'Undo', exact: true }));
  await expect(grid.getByRole('row', { name: /Unprotected production/ })).toBeVisible();
  expect((await rest('GET', '/projects/1/protected_environments')).body).toEqual([]);

  await keys.walkTo(page.getByRole('combobox', { name: 'Kind' }), 'back');
  await keys.press('ArrowDown', 'Home', 'Enter');
  await expect(grid.getByRole('row', { name: /production/ })).toHaveCount(0);
  const published = grid.getByRole('row', { name: /Published @acme\/boiler/ });
  await expect(published).toBeVisible();
  await keys.walkTo(page.getByRole('combobox', { name: 'User' }));
  await keys.press('ArrowDown', 'Enter');
  await expect(page.getByText('No change matches')).toBeVisible();
  await keys.enter(page.getByRole('button', { name: 'All users' }));
  await keys.enter(published.getByRole('link', { name: /@acme\/boiler/ }));
  await expect(page.getByRole('heading', { level: 1, name: '@acme/boiler' })).toBeFocused();
});

test('requests are searched, opened, copied as curl, and exported into a file', async ({
  gatehouse,
  npm,
  folders,
  keys,
}) => {
  const { app, page, origin } = gatehouse;
  expect((await npm.publish({ name: 'wanted', version: '1.0.0' })).code).toBe(0);
  expect((await npm.run(folders.base, 'view', 'missing')).code).not.toBe(0);
  await keys.go('Activity');
  await keys.switchTo(page.getByRole('radiogroup', { name: 'View' }), 'radio', 'HTTP requests');
  const grid = page.getByRole('grid', { name: 'HTTP requests' });
  await expect(grid.getByRole('row', { name: /PUT .*\/wanted 1\.0\.0 200/ })).toBeVisible();
  await keys.switchTo(page.getByRole('radiogroup', { name: 'Which requests' }), 'radio', 'Failed');
  await expect(grid.getByRole('row', { name: /\/wanted 1\.0\.0 200/ })).toHaveCount(0);
  await expect(grid.getByRole('row', { name: /\/missing .*not found.* 404/i })).toBeVisible();
  await keys.press('ArrowLeft');
  await keys.find('put wanted');
  const row = grid.getByRole('row', { name: /PUT .*\/wanted 1\.0\.0 200/ });
  await expect(grid.getByRole('row')).toHaveCount(2);

  await keys.walkTo(row);
  await keys.press('Enter');
  const opened = page.getByRole('dialog', { name: 'PUT request' });
  await expect(opened).toContainText('/api/v4/projects/1/packages/npm/wanted');
  await keys.walkTo(opened.getByRole('button', { name: 'Copy as curl' }), 'back');
  await keys.press('Enter');
  const command = new RegExp(`^curl .*${origin}/api/v4/projects/1/packages/npm/wanted`, 's');
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toMatch(command);
  await keys.press('Escape');
  await expect(row).toBeFocused();
  await app.evaluate(({ clipboard }) => clipboard.clear());
  await keys.choose(row.getByRole('button'), 'Copy as curl');
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toMatch(command);
  await expect(row.getByRole('button')).toBeFocused();

  const file = path.join(folders.base, 'requests.jsonl');
  const exporting = page.getByRole('button', { name: 'Export' });
  await chooseNext(app, null);
  await keys.walkTo(exporting, 'back');
  await keys.choose(exporting, 'Save as JSON Lines…');
  await expect.poll(async () => (await askedDialogs(app)).length).toBe(1);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
  await chooseNext(app, file);
  await keys.choose(exporting, 'Save as JSON Lines…');
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('');
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ method: 'PUT', status: 200 }]);
  expect(await askedDialogs(app)).toMatchObject([
    { kind: 'save' },
    { kind: 'save', suggested: 'gatehouse-requests.jsonl' },
  ]);
  await keys.settled();
});
