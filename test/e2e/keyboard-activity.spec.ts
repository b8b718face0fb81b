import { readFile } from 'node:fs/promises';
import path from 'node:path';
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
  await keys.press('Control+f');
  await expect(page.getByRole('searchbox', { name: 'Search the activity' })).toBeFocused();
  await keys.type('boiler');
  await expect(page.getByRole('row', { name: /other/ })).toHaveCount(0);

  const change = page.getByRole('row', { name: /stable: 1.0.0 → 1.1.0/ });
  await keys.walkTo(page.getByRole('grid', { name: 'Activity' }).locator('[role=row][tabindex="0"]'));
  await expect(change).toBeFocused();
  await keys.enter(change.getByRole('button', { name: /^Undo/ }));
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }));
  await expect(page.getByRole('row', { name: /stable: 1.1.0 → 1.0.0/ })).toBeVisible();
  await expect(change.getByRole('button', { name: /^Undo/ })).toBeFocused();
  expect((await npm.run(folders.base, 'dist-tag', 'ls', '@acme/boiler')).stdout).toContain('stable: 1.0.0');
});

test('requests are searched, copied as curl, and exported into a file', async ({ gatehouse, npm, folders, keys }) => {
  const { app, page, origin } = gatehouse;
  expect((await npm.publish({ name: 'wanted', version: '1.0.0' })).code).toBe(0);
  expect((await npm.run(folders.base, 'view', 'missing')).code).not.toBe(0);
  await keys.go('Activity');
  await keys.switchTo(page.getByRole('radiogroup', { name: 'View' }), 'radio', 'Requests');
  const grid = page.getByRole('grid', { name: 'Requests' });
  await expect(grid.getByRole('row', { name: /PUT .*\/wanted 200/ })).toBeVisible();
  await keys.switchTo(page.getByRole('radiogroup', { name: 'Which requests' }), 'radio', 'Failed');
  await expect(grid.getByRole('row', { name: /\/wanted 200/ })).toHaveCount(0);
  await expect(grid.getByRole('row', { name: /\/missing 404/ })).toBeVisible();
  await keys.press('ArrowLeft');
  await keys.press('Control+f');
  await keys.type('put wanted');
  const row = grid.getByRole('row', { name: /PUT .*\/wanted 200/ });
  await expect(grid.getByRole('row')).toHaveCount(2);

  await keys.walkTo(row);
  await keys.choose(row.getByRole('button'), 'Copy as curl');
  await expect
    .poll(() => app.evaluate(({ clipboard }) => clipboard.readText()))
    .toMatch(new RegExp(`^curl .*${origin}/api/v4/projects/1/packages/npm/wanted`, 's'));
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
