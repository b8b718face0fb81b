import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Npm } from '../support/npm.ts';
import { expect, test } from './keyboard.ts';
import { resize, sizes } from './sizes.ts';

const gate = '@acme/gate';

async function publishThree(npm: Npm): Promise<void> {
  for (const [version, ...flags] of [['1.0.0'], ['1.1.0'], ['2.0.0-beta.1', '--tag', 'beta']]) {
    const result = await npm.publish({ name: gate, version: version ?? '' }, ...flags);
    expect(result, result.stderr).toMatchObject({ code: 0 });
  }
}

async function tags(npm: Npm, folder: string): Promise<string[]> {
  return (await npm.run(folder, 'dist-tag', 'ls', gate)).stdout.trim().split('\n').sort();
}

async function view(npm: Npm, folder: string, spec: string, field: string): Promise<string> {
  return (await npm.run(folder, 'view', spec, field)).stdout.trim();
}

test('the line of the first screen, pasted into a shell, publishes a package', async ({
  gatehouse,
  folders,
  keys,
  picture,
}) => {
  const { app, page } = gatehouse;
  await keys.enter(page.getByRole('button', { name: 'Copy the line', exact: true }));
  await picture(gatehouse, 'first-screen');
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toContain('npm publish');
  const line = await app.evaluate(({ clipboard }) => clipboard.readText());
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folders.base,
    npm_config_cache: path.join(folders.base, 'cache'),
  };
  await promisify(execFile)('sh', ['-c', line], { cwd: folders.base, env, timeout: 60_000 });
  await keys.enter(page.getByRole('row', { name: /@demo\/hello/ }));
  await expect(page.getByRole('heading', { level: 1, name: '@demo/hello' })).toBeVisible();
  await expect(page.getByText('require("@demo/hello")("Ada")')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'About this package' })).toContainText('Says hello.');
  await keys.switchTo(page.getByRole('tablist', { name: '@demo/hello' }), 'tab', 'Files');
  await expect(page.getByRole('navigation', { name: 'Files' }).getByRole('button')).toHaveText([
    /README\.md/,
    /index\.js/,
    /package\.json/,
  ]);
  // There is nothing to compare with.
  await expect(page.getByText('Compare with')).toHaveCount(0);
  await promisify(execFile)('node', ['-e', 'if (require("./hello")("Ada") !== "Hello Ada") process.exit(1)'], {
    cwd: folders.base,
    env,
  });
});

test('a package is found by typing and opened', async ({ gatehouse, npm, keys }) => {
  const { page } = gatehouse;
  await publishThree(npm);
  expect((await npm.publish({ name: 'other', version: '1.0.0' })).code).toBe(0);
  await expect(page.getByRole('row', { name: /other/ })).toBeVisible();
  await keys.find('gat');
  await expect(page.getByRole('row', { name: /other/ })).toHaveCount(0);
  await keys.press('ArrowDown', 'Enter');
  await expect(page.getByRole('heading', { level: 1, name: gate })).toBeFocused();
  await keys.enter(page.getByRole('main').getByRole('link', { name: 'Packages' }));
  await expect(page.getByRole('heading', { level: 1, name: 'Packages' })).toBeVisible();
  await keys.settled();
});

test('a version that was pasted, or typed and left with Tab, is the one that a tag gets', async ({
  gatehouse,
  npm,
  folders,
  keys,
}) => {
  const { app, page } = gatehouse;
  await publishThree(npm);
  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  const add = page.getByRole('region', { name: 'Dist-tags' }).getByRole('button', { name: 'Add a tag' });
  const dialog = page.getByRole('dialog', { name: 'Add a dist-tag' });
  const version = dialog.getByRole('combobox', { name: 'Version' });
  await app.evaluate(({ clipboard }) => clipboard.writeText('1.0.0'));
  for (const [tag, enterVersion] of [
    ['pasted', () => keys.press('Control+v', 'Enter')],
    ['typed', () => page.keyboard.type('1.0.0')],
  ] as const) {
    await keys.enter(add);
    await expect(dialog.getByRole('textbox', { name: 'Tag' })).toBeFocused();
    await page.keyboard.type(tag);
    await keys.walkTo(version);
    await enterVersion();
    await keys.press('Tab');
    await expect(version).toHaveValue('1.0.0');
    await keys.enter(dialog.getByRole('button', { name: 'Add tag' }));
    await expect(dialog).toHaveCount(0);
    await expect.poll(() => tags(npm, folders.base)).toContain(`${tag}: 1.0.0`);
  }
});

test('a dist-tag is added, moved and removed, and npm sees each', async ({ gatehouse, npm, folders, keys }) => {
  const { page } = gatehouse;
  await publishThree(npm);
  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  const panel = page.getByRole('region', { name: 'Dist-tags' });

  const add = panel.getByRole('button', { name: 'Add a tag' });
  await keys.enter(add);
  const dialog = page.getByRole('dialog', { name: 'Add a dist-tag' });
  await expect(dialog.getByRole('textbox', { name: 'Tag' })).toBeFocused();
  await keys.type('stable');
  await keys.walkTo(dialog.getByRole('combobox', { name: 'Version' }));
  await keys.type('1.0.0');
  await keys.press('Enter', 'Enter');
  await expect(dialog).toHaveCount(0);
  await expect(add).toBeFocused();
  await expect.poll(() => tags(npm, folders.base)).toEqual(['beta: 2.0.0-beta.1', 'latest: 1.1.0', 'stable: 1.0.0']);

  const change = panel.getByRole('button', { name: 'Change stable' });
  await keys.choose(change, /^Move /);
  const moving = page.getByRole('dialog', { name: 'Move stable' });
  await expect(moving.getByRole('combobox', { name: 'Version' })).toBeFocused();
  // Typing replaces what is selected, and what is no version is refused in place.
  await page.keyboard.type('1.1.09');
  await keys.press('Enter');
  await expect(moving.getByText('There is no version 1.1.09.')).toBeVisible();
  await keys.press('Backspace', 'Enter');
  await keys.enter(moving.getByRole('button', { name: 'Move tag' }));
  await expect(moving).toHaveCount(0);
  await expect(change).toBeFocused();
  await expect.poll(() => tags(npm, folders.base)).toEqual(['beta: 2.0.0-beta.1', 'latest: 1.1.0', 'stable: 1.1.0']);

  await keys.choose(change, 'Remove');
  await expect(change).toHaveCount(0);
  await expect.poll(() => tags(npm, folders.base)).toEqual(['beta: 2.0.0-beta.1', 'latest: 1.1.0']);
  await keys.settled();
});

test('a tag is moved from the list of versions, where others drag it', async ({ gatehouse, npm, folders, keys }) => {
  const { page } = gatehouse;
  await publishThree(npm);
  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  await keys.switchTo(page.getByRole('tablist', { name: gate }), 'tab', /^Versions/);
  const row = page.getByRole('row', { name: /^Select 1\.0\.0/ });
  await keys.walkTo(page.getByRole('grid', { name: /^Versions/ }).locator('[role=row][tabindex="0"]'));
  await keys.press('End');
  await expect(row).toBeFocused();
  const actions = row.getByRole('button', { name: 'Actions for 1.0.0' });
  await keys.choose(actions, 'Add a tag…');
  const dialog = page.getByRole('dialog', { name: 'Add a dist-tag' });
  await expect(dialog.getByRole('textbox', { name: 'Tag' })).toBeFocused();
  await keys.type('beta');
  await keys.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(actions).toBeFocused();
  await expect.poll(() => tags(npm, folders.base)).toEqual(['beta: 1.0.0', 'latest: 1.1.0']);

  // A bad release: the one before it is the latest again, and that too can be undone.
  await keys.choose(actions, 'Move latest here');
  await expect.poll(() => tags(npm, folders.base)).toEqual(['beta: 1.0.0', 'latest: 1.0.0']);
  await expect(page.getByText('latest of @acme/gate now points to 1.0.0')).toBeVisible();
  await keys.choose(actions, 'Move latest…');
  const move = page.getByRole('dialog', { name: 'Move latest' });
  await expect(move.getByRole('combobox', { name: 'Version' })).toBeFocused();
  await keys.type('1.1.0');
  await keys.press('Enter');
  await keys.enter(move.getByRole('button', { name: 'Move tag' }));
  // The dialog is gone by the time that the tag is moved; the way back is offered nevertheless.
  await expect(page.getByText('latest of @acme/gate now points to 1.1.0')).toBeVisible();
  // The former one fades out beside it for a moment.
  const moved = page.getByRole('alert').filter({ hasText: /now points to\s*1\.1\.0/ });
  await keys.enter(moved.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => tags(npm, folders.base)).toEqual(['beta: 1.0.0', 'latest: 1.0.0']);
  await expect(page.getByText('latest of @acme/gate points to 1.0.0 again')).toBeVisible();
});

test('two versions are chosen and compared, Escape chooses none, and Enter in the search opens a package', async ({
  gatehouse,
  npm,
  keys,
}) => {
  const { page } = gatehouse;
  await publishThree(npm);
  await keys.press('/');
  await keys.type('gate');
  await keys.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: gate })).toBeVisible();
  await keys.switchTo(page.getByRole('tablist', { name: gate }), 'tab', /^Versions/);
  await keys.walkTo(page.getByRole('grid', { name: /^Versions/ }).locator('[role=row][tabindex="0"]'));
  await keys.press('End', 'Enter');
  await expect(page.getByRole('heading', { level: 1, name: '1.0.0' })).toBeVisible();
  await keys.press('Escape', 'ArrowDown');
  await expect(page.getByRole('row', { name: /^Select 1\.0\.0/ })).toBeFocused();
  await keys.press('Home', 'Space', 'End', 'Space');
  await expect(page.getByRole('status').filter({ hasText: 'selected' })).toHaveText('2 selected');
  await keys.press('Escape');
  await expect(page.getByText('2 selected')).toHaveCount(0);
  await expect(page.getByRole('row', { name: /^Select 1\.0\.0/ })).toBeFocused();
  await keys.press('Space');
  // Says what it waits for.
  const compare = page.getByRole('button', { name: 'Compare' });
  await expect(compare).toHaveAttribute('aria-disabled', 'true');
  await expect(compare).toHaveAccessibleDescription('Select two versions to compare them');
  await keys.press('Home', 'Space');
  await keys.enter(compare, 'back');
  await expect(page.getByText(/changed from 1\.0\.0 to/)).toBeVisible();
});

test('a version is deprecated, another unpublished, then all of them', async ({ gatehouse, npm, folders, keys }) => {
  const { app, page } = gatehouse;
  await publishThree(npm);
  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  await keys.switchTo(page.getByRole('tablist', { name: gate }), 'tab', /^Versions/);
  await keys.walkTo(page.getByRole('grid', { name: /^Versions/ }).locator('[role=row][tabindex="0"]'));
  await keys.press('End');
  const first = page.getByRole('row', { name: /^Select 1\.0\.0/ });
  await keys.choose(first.getByRole('button'), 'Deprecate…');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByText('Enter a message.')).toBeVisible();
  await keys.type('Use 1.1 instead.');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Deprecate' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(first.getByRole('button')).toBeFocused();
  await expect.poll(() => view(npm, folders.base, `${gate}@1.0.0`, 'deprecated')).toBe('Use 1.1 instead.');
  await expect(first).toContainText('Use 1.1 instead.');
  await keys.enter(
    page
      .getByRole('alert')
      .filter({ hasText: `Deprecated ${gate} 1.0.0` })
      .getByRole('button', { name: 'Undo' }),
  );
  await expect.poll(() => view(npm, folders.base, `${gate}@1.0.0`, 'deprecated')).toBe('');
  await expect(page.getByText(`The deprecation of ${gate} 1.0.0 is as it was`)).toBeVisible();
  await keys.walkTo(first.getByRole('button'), 'back');

  await keys.choose(first.getByRole('button'), 'Copy tarball URL');
  const url = await view(npm, folders.base, `${gate}@1.0.0`, 'dist.tarball');
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe(url);

  // Thinking better of it changes nothing, and leads back to where one was.
  await keys.choose(first.getByRole('button'), 'Unpublish…');
  await expect(page.getByRole('dialog', { name: `Unpublish “${gate} 1.0.0”?` })).toBeVisible();
  await keys.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(first.getByRole('button')).toBeFocused();

  await keys.choose(first.getByRole('button'), 'Unpublish…');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Unpublish', exact: true }));
  await expect(first).toHaveCount(0);
  // Where the row was, the button of another has the focus, so that one goes on from there.
  await expect(page.getByRole('row', { name: /^Select 1\.1\.0/ }).getByRole('button')).toBeFocused();
  await expect.poll(() => view(npm, folders.base, gate, 'versions')).toBe("[ '1.1.0', '2.0.0-beta.1' ]");

  await keys.walkTo(page.getByRole('button', { name: `Actions for ${gate}` }), 'back');
  await keys.choose(page.getByRole('button', { name: `Actions for ${gate}` }), 'Unpublish all versions…');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Unpublish', exact: true }));
  await expect(page.getByRole('heading', { level: 1, name: 'Packages' })).toBeFocused();
  await expect.poll(async () => (await npm.run(folders.base, 'view', gate)).stderr).toContain('E404');
});

test('the list of versions that scrolls with a narrow page is where it was when one comes back', async ({
  gatehouse,
  npm,
  keys,
}) => {
  const { page } = gatehouse;
  await publishThree(npm);
  await resize(gatehouse, sizes[0]);
  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  await keys.switchTo(page.getByRole('tablist', { name: gate }), 'tab', /^Versions/);
  await keys.walkTo(page.getByRole('grid', { name: /^Versions/ }).locator('[role=row][tabindex="0"]'));
  const scroller = page.locator('.gh-package');
  const offset = () => scroller.evaluate((element) => element.scrollTop);
  // The window hears of it with the next frame, which is before anybody presses a key.
  await scroller.evaluate(
    (element) =>
      new Promise((resolve) => {
        element.addEventListener('scroll', resolve, { once: true });
        element.scrollTo(0, 60);
      }),
  );
  expect(await offset()).toBe(60);
  await keys.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: '2.0.0-beta.1' })).toBeVisible();
  await keys.press('Escape');
  await expect(page.getByRole('grid', { name: /^Versions/ })).toBeVisible();
  await expect.poll(offset).toBe(60);
});

test('several versions are selected by keys, deprecated at once, and unpublished together', async ({
  gatehouse,
  npm,
  folders,
  keys,
  picture,
}) => {
  const { page } = gatehouse;
  await publishThree(npm);
  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  await keys.switchTo(page.getByRole('tablist', { name: gate }), 'tab', /^Versions/);
  const grid = page.getByRole('grid', { name: /^Versions/ });
  await keys.walkTo(grid.locator('[role=row][tabindex="0"]'));
  await keys.press('Home', 'Space', 'ArrowDown', 'ArrowDown', 'Shift+Space');
  await expect(page.getByText('3 selected')).toBeVisible();
  await expect(grid.getByRole('checkbox', { name: 'Select all' })).toBeChecked();
  await keys.enter(page.getByRole('button', { name: 'Deprecate…' }), 'back');
  await expect(page.getByRole('dialog', { name: `Deprecate 3 versions of ${gate}` })).toBeVisible();
  await keys.type('Use @acme/door.');
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveText([/2\.0\.0-beta\.1/, /1\.1\.0/, /1\.0\.0/]);
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Deprecate' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  for (const version of ['1.0.0', '1.1.0', '2.0.0-beta.1']) {
    await expect.poll(() => view(npm, folders.base, `${gate}@${version}`, 'deprecated')).toBe('Use @acme/door.');
  }
  await expect(page.getByText('3 selected')).toHaveCount(0);

  await keys.walkTo(grid.locator('[role=row][tabindex="0"]'));
  await keys.press('Home', 'Space', 'ArrowDown', 'ArrowDown', 'Shift+Space');
  // What the search hides is not acted on.
  await keys.find('1.');
  await expect(page.getByText('2 selected')).toBeVisible();
  await keys.type('latest');
  await expect(page.getByText('1 selected')).toBeVisible();
  await keys.press('Escape');
  await keys.walkTo(page.getByRole('button', { name: 'Clear the selection' }));
  await keys.press('Enter');
  await keys.walkTo(grid.locator('[role=row][tabindex="0"]'));
  await keys.press('Home', 'Space', 'ArrowDown', 'Space');
  await keys.enter(page.getByRole('button', { name: 'Unpublish…' }), 'back');
  const dialog = page.getByRole('dialog', { name: `Unpublish 2 versions of “${gate}”?` });
  await expect(dialog.getByRole('listitem')).toHaveText([/2\.0\.0-beta\.1.*beta/, /1\.1\.0.*latest/]);
  await expect(dialog).toContainText('latest moves to 1.0.0, which is deprecated');
  await expect(dialog).toContainText('Use @acme/door.');
  await expect(dialog).toContainText('The tag beta is removed with them.');
  await picture(gatehouse, 'unpublish-several');
  await keys.enter(dialog.getByRole('button', { name: 'Unpublish' }));
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(`Unpublished 2 versions of ${gate} and moved latest to 1.0.0`)).toBeVisible();
  await expect.poll(() => view(npm, folders.base, gate, 'versions')).toBe('1.0.0');
  await keys.settled();
  await keys.go('Activity');
  await expect(page.getByRole('row', { name: /Unpublished @acme\/gate/ })).toHaveCount(2);
  await expect(page.getByRole('row', { name: /Unpublished @acme\/gate ?@1\.1\.0.*latest → 1\.0\.0/ })).toBeVisible();
});

test('the files of a version are read and compared with another', async ({ gatehouse, npm, keys }) => {
  const { page } = gatehouse;
  await publishThree(npm);
  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  await keys.switchTo(page.getByRole('tablist', { name: gate }), 'tab', 'Files');
  const files = page.getByRole('navigation', { name: 'Files' });
  await keys.enter(files.getByRole('button', { name: /^index\.js/ }));
  const code = page.getByRole('region', { name: 'index.js' });
  await expect(code).toContainText("module.exports = '1.1.0'");
  await keys.walkTo(code);

  await keys.walkTo(page.getByRole('combobox', { name: 'Compare with' }), 'back');
  await keys.type('1.0.0');
  await keys.press('ArrowDown', 'Enter');
  await expect(page.getByText('2 files changed from 1.0.0 to 1.1.0')).toBeVisible();
  await keys.enter(files.getByRole('button', { name: /^index\.js/ }));
  await expect(code).toContainText("module.exports = '1.0.0'");
  await expect(code).toContainText("module.exports = '1.1.0'");
  await keys.enter(page.getByRole('button', { name: 'Stop comparing' }), 'back');
  await expect(page.getByText('3 files', { exact: true })).toBeVisible();
  await keys.settled();
});

test('the install command of another client is chosen and copied, and all versions are deprecated', async ({
  gatehouse,
  npm,
  folders,
  keys,
}) => {
  const { app, page } = gatehouse;
  await publishThree(npm);
  await keys.enter(page.getByRole('row', { name: /@acme\/gate/ }));
  const menu = page.getByRole('button', { name: `Actions for ${gate}` });
  await keys.choose(menu, 'Deprecate all versions…');
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused();
  await keys.type('Moved to @acme/door.');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Deprecate' }));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(menu).toBeFocused();
  for (const version of ['1.0.0', '1.1.0', '2.0.0-beta.1']) {
    await expect.poll(() => view(npm, folders.base, `${gate}@${version}`, 'deprecated')).toBe('Moved to @acme/door.');
  }
  await keys.switchTo(page.getByRole('radiogroup', { name: 'Package manager' }), 'radio', 'pnpm');
  await keys.enter(page.getByRole('button', { name: 'Copy the install command' }));
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe(`pnpm add ${gate}`);
  await keys.walkTo(page.getByRole('tab', { name: 'Readme' }), 'back');
  await keys.switchTo(page.getByRole('tablist', { name: gate }), 'tab', 'Dependencies');
  await expect(page.getByRole('region', { name: 'Dependents' })).toBeVisible();
});
