import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { askedDialogs, chooseNext } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';

test('the page cannot say where a file goes, only what it might be called', async ({ gatehouse, folders }) => {
  const { app, page } = gatehouse;
  const target = path.join(folders.base, 'taken');
  await chooseNext(app, target);
  const refused = await page.evaluate(async () => {
    const requests: object[] = [
      { title: 'Save', suggestedName: '../../.npmrc' },
      { title: 'Save', suggestedName: '/etc/passwd' },
      { title: 'Save', suggestedName: 'a\\b' },
      { title: 'Save', defaultPath: '/etc' },
      { title: 'Save', filePath: '/etc/passwd' },
      { title: 'Save', extensions: ['../x'] },
    ];
    const { saveText, chooseFile, chooseFolder, chooseNewFile } = window.gatehouse.app;
    const outcomes: string[] = [];
    for (const request of requests) {
      for (const ask of [saveText, chooseFile, chooseFolder, chooseNewFile] as ((
        request: unknown,
        text?: string,
      ) => Promise<unknown>)[]) {
        const asked = ask === saveText ? ask(request, 'mine now') : ask(request);
        outcomes.push(
          await asked.then(
            () => 'answered',
            () => 'refused',
          ),
        );
      }
    }
    return outcomes;
  });
  expect(new Set(refused)).toEqual(new Set(['refused']));
  expect(await askedDialogs(app)).toEqual([]);
  await expect(readFile(target)).rejects.toThrow('ENOENT');
});

test('the page names no path to the server that the person did not choose', async ({ gatehouse, folders }) => {
  const { app, page } = gatehouse;
  const project = path.join(folders.base, 'project');
  const theirs = path.join(folders.base, 'theirs');
  const backup = path.join(folders.base, 'all.backup');
  await mkdir(project);
  await mkdir(theirs);
  const callWith = (folder: string, file: string): Promise<unknown[]> =>
    page.evaluate(
      async ([inFolder, inFile]) => {
        const { call } = window.gatehouse;
        const replies = [
          await call('connect.write', { projectId: 1, folder: inFolder }),
          await call('connect.undo', { folder: inFolder }),
          await call('maintenance.backup', { file: inFile }),
          await call('bundles.export', { file: inFile, packages: ['a'] }),
          await call('maintenance.setSchedule', {
            enabled: true,
            folder: inFolder,
            everyHours: 24,
            atHour: 2,
            keep: 1,
          }),
          await call('maintenance.restore', { file: inFile }),
          await call('bundles.inspect', { file: inFile }),
        ];
        return replies.map((reply) => (reply.ok ? 'ok' : reply.error.code));
      },
      [folder, file] as const,
    );
  expect(new Set(await callWith(theirs, backup))).toEqual(new Set(['app_path_not_chosen']));
  expect(await readdir(theirs)).toEqual([]);

  await chooseNext(app, project);
  await page.evaluate(() => window.gatehouse.app.chooseFolder({ title: 'Folder' }));
  await chooseNext(app, backup);
  await page.evaluate(() => window.gatehouse.app.chooseFile({ title: 'File' }));
  const replies = await callWith(project, backup);
  expect(replies.slice(0, 5)).toEqual(['ok', 'ok', 'app_path_not_chosen', 'app_path_not_chosen', 'ok']);
  expect(replies.slice(5)).not.toContain('app_path_not_chosen');
  expect(new Set(await callWith(theirs, project))).toEqual(new Set(['app_path_not_chosen']));
  expect(await readdir(folders.base)).not.toContain('all.backup');
});

test('a text is written where the person says, and nowhere when there is no answer', async ({ gatehouse, folders }) => {
  const { app, page } = gatehouse;
  const save = (): Promise<unknown> =>
    page.evaluate(() => window.gatehouse.app.saveText({ title: 'Save', suggestedName: 'log.jsonl' }, '{"a":1}\n'));
  const folder = path.join(folders.base, 'chosen');
  await mkdir(folder);
  await chooseNext(app, null);
  expect(await save()).toEqual({ ok: true, value: null });
  expect(await readdir(folder)).toEqual([]);

  const file = path.join(folder, 'other-name.txt');
  await chooseNext(app, file);
  expect(await save()).toEqual({ ok: true, value: file });
  expect(await readdir(folder)).toEqual(['other-name.txt']);
  expect(await readFile(file, 'utf8')).toBe('{"a":1}\n');
  // The system asks before a file is replaced.
  expect((await askedDialogs(app)).at(-1)?.properties).toContain('showOverwriteConfirmation');

  await chooseNext(app, path.join(folder, 'missing', 'log.jsonl'));
  expect(await save()).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/^The file could not be written: ENOENT/) },
  });
  await chooseNext(app, folder);
  expect(await save()).toMatchObject({ ok: false });
  expect(await readdir(folder)).toEqual(['other-name.txt']);
});

test('a dialog that saves begins in Downloads, then where the last file went, and not in the home folder', async ({
  gatehouse,
  folders,
}) => {
  // The dialogs of other systems do so themselves.
  const begins = (folder: string) => (process.platform === 'linux' ? folder : '');
  const { app, page } = gatehouse;
  const downloads = path.join(folders.base, 'Downloads');
  const other = path.join(folders.base, 'releases');
  await mkdir(downloads);
  await mkdir(other);
  // As where the person's folders are not set up.
  await app.evaluate(({ app: electron }, home) => {
    electron.setPath('home', home);
    electron.setPath('downloads', home);
  }, folders.base);
  const saveTo = async (file: string | null) => {
    await chooseNext(app, file);
    await page.evaluate(() => window.gatehouse.app.saveText({ title: 'Save', suggestedName: 'log.jsonl' }, '{}\n'));
    return (await askedDialogs(app)).at(-1);
  };
  expect(await saveTo(null)).toMatchObject({ folder: begins(downloads), suggested: 'log.jsonl' });
  expect((await saveTo(path.join(other, 'log.jsonl')))?.folder).toBe(begins(downloads));
  expect((await saveTo(null))?.folder).toBe(begins(other));
  await rm(other, { recursive: true });
  expect((await saveTo(null))?.folder).toBe(begins(downloads));
  const own = path.join(folders.base, 'Saved');
  await mkdir(own);
  await app.evaluate(({ app: electron }, folder) => electron.setPath('downloads', folder), own);
  expect((await saveTo(null))?.folder).toBe(begins(own));
});

test('an export that cannot be written says so in the window', async ({ gatehouse, npm, folders }) => {
  const { app, page } = gatehouse;
  expect((await npm.publish({ name: 'wanted', version: '1.0.0' })).code).toBe(0);
  await page.getByRole('link', { name: 'Activity' }).click();
  await page.getByRole('radiogroup', { name: 'View' }).getByText('HTTP requests').click();
  await chooseNext(app, path.join(folders.base, 'missing', 'log.jsonl'));
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Save as JSON Lines…' }).click();
  await expect(page.getByText(/The file could not be written/)).toBeVisible();
});

test('a path that was chosen is shown and no more: nothing of the file comes into the page', async ({
  gatehouse,
  folders,
}) => {
  const { app, page } = gatehouse;
  const file = path.join(folders.base, 'somewhere.gatehouse');
  await chooseNext(app, file);
  const answers = await page.evaluate(async () => {
    const { chooseFile, chooseFolder, chooseNewFile } = window.gatehouse.app;
    return [
      await chooseFile({ title: 'File' }),
      await chooseFolder({ title: 'Folder' }),
      await chooseNewFile({ title: 'New' }),
    ];
  });
  expect(answers).toEqual([file, file, file]);
  expect((await askedDialogs(app)).map(({ properties }) => properties[0])).toEqual([
    'openFile',
    'openDirectory',
    'createDirectory',
  ]);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('a dialog that saves a file adds no ending on Linux, where it would do so after it has asked about the name', async ({
  gatehouse,
}) => {
  const { app, page } = gatehouse;
  await chooseNext(app, null);
  await page.evaluate(async () => {
    const request = { title: 'Back up to', suggestedName: 'all.backup', extensions: ['backup'] };
    await window.gatehouse.app.chooseFile(request);
    await window.gatehouse.app.chooseNewFile(request);
  });
  expect((await askedDialogs(app)).map(({ kind, hasFilters }) => [kind, hasFilters])).toEqual([
    ['open', true],
    ['save', process.platform !== 'linux'],
  ]);
});
