import { stat } from 'node:fs/promises';
import path from 'node:path';
import { askedDialogs, chooseNext } from './file-dialogs.ts';
import { expect, test } from './keyboard.ts';
import type { Npm } from '../support/npm.ts';

async function published(npm: Npm, folder: string, name: string): Promise<boolean> {
  return (await npm.run(folder, 'view', name, 'version')).code === 0;
}

test('a snapshot is taken, gone back to, and deleted', async ({ gatehouse, npm, folders, keys }) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name: 'before', version: '1.0.0' })).code).toBe(0);
  await keys.go('Backups');
  const name = page.getByRole('textbox', { name: 'Name' });
  await keys.walkTo(name);
  await page.keyboard.type('the demo');
  await keys.press('Enter');
  const list = page.getByRole('list', { name: 'Snapshots' });
  await expect(list).toContainText('the demo1 package version');
  await expect(page.getByRole('alert').filter({ hasText: 'Took a snapshot: the demo' })).toBeVisible();
  await expect(name).toBeFocused();
  expect((await npm.publish({ name: 'after', version: '1.0.0' })).code).toBe(0);

  const actions = page.getByRole('button', { name: 'Actions for the demo' });
  await keys.choose(actions, 'Restore…');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }));
  await expect(list).toContainText('before-restore');
  await expect.poll(() => published(npm, folders.base, 'after')).toBe(false);
  expect(await published(npm, folders.base, 'before')).toBe(true);
  await expect(actions).toBeFocused();

  await keys.choose(actions, 'Delete…');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
  await expect(actions).toHaveCount(0);
  await keys.settled();
});

test('everything goes into a chosen file and comes back from it', async ({
  gatehouse,
  npm,
  folders,
  keys,
  picture,
}) => {
  const { app, page } = gatehouse;
  const file = path.join(folders.base, 'all.backup');
  expect((await npm.publish({ name: 'before', version: '1.0.0' })).code).toBe(0);
  await keys.go('Backups');
  await chooseNext(app, null);
  const backUp = page.getByRole('button', { name: 'Back up…' });
  await keys.enter(backUp);
  await expect.poll(async () => (await askedDialogs(app)).length).toBe(1);
  await expect(backUp).toBeFocused();
  await chooseNext(app, file);
  await keys.press('Enter');
  await expect(page.getByRole('region', { name: 'Jobs' }).getByRole('article').first()).toContainText(
    'Written and verified, with 1 package version.',
  );
  // The file gets its name when the job has ended.
  const size = (): Promise<number> =>
    stat(file).then(
      (found) => found.size,
      () => 0,
    );
  await expect.poll(size).toBeGreaterThan(0);
  expect((await askedDialogs(app)).at(-1)).toMatchObject({
    kind: 'save',
    title: 'Back up to',
    suggested: expect.stringMatching(/^gatehouse-\d{4}-\d\d-\d\d-\d\d\.\d\d\.\d\d\.backup$/),
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });

  await expect(page.getByRole('list', { name: 'Existing backups' })).toContainText('all.backup');
  // The dialog of the system asked whether it may be replaced.
  const { ino } = await stat(file);
  await keys.enter(page.getByRole('button', { name: 'Back up…' }));
  await expect.poll(async () => (await stat(file)).ino).not.toBe(ino);
  await expect(page.getByRole('list', { name: 'Existing backups' }).getByRole('listitem')).toHaveCount(1);
  await picture(gatehouse, 'backups');

  expect((await npm.publish({ name: 'after', version: '1.0.0' })).code).toBe(0);
  await keys.enter(page.getByRole('button', { name: 'Restore…' }));
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }));
  await expect.poll(() => published(npm, folders.base, 'after')).toBe(false);
  expect(await published(npm, folders.base, 'before')).toBe(true);
  await keys.settled();
});

test('every byte is checked, and scheduled backups are switched on', async ({ gatehouse, npm, folders, keys }) => {
  const { app, page } = gatehouse;
  expect((await npm.publish({ name: 'one', version: '1.0.0' })).code).toBe(0);
  await keys.go('Backups');
  await keys.enter(page.getByRole('button', { name: 'Check the data' }));
  await expect(page.getByRole('region', { name: 'Jobs' })).toContainText(/1 version|Everything|nothing/i);
  await keys.settled();

  const folder = path.join(folders.base, 'backups');
  await expect(page.getByRole('button', { name: /^Folder: / })).toHaveCount(0);
  await keys.enter(page.getByRole('group', { name: 'Scheduled backups' }).getByRole('button', { name: 'Set up…' }));
  await expect(page.getByRole('button', { name: /^Folder: / })).toBeFocused();
  await chooseNext(app, folder);
  await keys.enter(page.getByRole('button', { name: /^Folder: / }));
  await expect(page.getByRole('button', { name: `Folder: ${folder}` })).toBeFocused();
  const schedule = () => page.evaluate(() => window.gatehouse.call('maintenance.schedule', {}));
  // Nothing begins before it is said where and when.
  expect(await schedule()).toMatchObject({ ok: true, value: { enabled: false, nextAt: null } });
  await keys.enter(page.getByRole('button', { name: 'Turn on' }));
  await expect.poll(schedule).toMatchObject({ ok: true, value: { enabled: true, folder, everyHours: 24, atHour: 2 } });
  await keys.settled();

  // A backup that the server lists needs no dialog.
  await chooseNext(app, path.join(folder, 'gatehouse-20260102T030405Z.tar'));
  await keys.enter(page.getByRole('button', { name: 'Back up…' }));
  const actions = page.getByRole('list', { name: 'Existing backups' }).getByRole('button');
  await expect(actions).toBeVisible();
  await app.evaluate(({ shell }) => {
    shell.showItemInFolder = (file) => void ((globalThis as { shown?: string }).shown = file);
  });
  const shown = () => app.evaluate(() => (globalThis as { shown?: string }).shown);
  expect(await page.evaluate(() => window.gatehouse.app.showBackup('/etc/passwd'))).toMatchObject({ ok: false });
  expect(await shown()).toBeUndefined();
  await keys.choose(actions, 'Show in folder');
  await expect.poll(shown).toBe(path.join(folder, 'gatehouse-20260102T030405Z.tar'));
  // Its card stays when another job ends, and leads there, too.
  const card = page.getByRole('article', { name: 'Backup' }).first();
  await keys.enter(page.getByRole('button', { name: 'Check the data' }));
  await expect(page.getByRole('article', { name: 'Check' })).toHaveCount(1);
  await app.evaluate(() => void delete (globalThis as { shown?: string }).shown);
  await keys.enter(card.getByRole('button', { name: 'Show in folder' }));
  await expect.poll(shown).toBe(path.join(folder, 'gatehouse-20260102T030405Z.tar'));
  // The folder of the schedule, too.
  await app.evaluate(({ shell }) => {
    shell.openPath = (opened) => {
      (globalThis as { shown?: string }).shown = opened;
      return Promise.resolve('');
    };
  });
  await keys.enter(
    page.getByRole('group', { name: 'Scheduled backups' }).getByRole('button', { name: 'Show in folder' }),
  );
  await expect.poll(shown).toBe(folder);
  // A folder that cannot be shown is named, with the reason.
  await app.evaluate(({ shell }) => {
    shell.openPath = () => Promise.resolve('No application handles folders.');
  });
  await keys.press('Control+k');
  await keys.type('show the data');
  await keys.press('Enter');
  await expect(
    page.getByText(`The folder ${folders.dataDir} cannot be shown: No application handles folders.`),
  ).toBeVisible();
  expect((await npm.publish({ name: 'two', version: '1.0.0' })).code).toBe(0);
  // What is in it is said without a restore.
  await keys.choose(actions, 'Show contents');
  const contents = page.getByRole('dialog', { name: 'Contents of the backup' });
  await expect(contents).toContainText('gatehouse-20260102T030405Z.tar');
  await expect(contents.getByRole('definition').filter({ hasText: 'with their tarballs and tags' })).toHaveText(/^1,/);
  await keys.enter(contents.getByRole('button', { name: 'Close' }).last());
  await expect(contents).toHaveCount(0);
  expect(await published(npm, folders.base, 'two')).toBe(true);
  await keys.choose(actions, 'Restore…');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }));
  await expect.poll(() => published(npm, folders.base, 'two')).toBe(false);
  expect(await published(npm, folders.base, 'one')).toBe(true);
  await keys.settled();
});
