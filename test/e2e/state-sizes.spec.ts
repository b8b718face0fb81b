import path from 'node:path';
import type { Locator } from '@playwright/test';
import type { AppState } from '../../server/contract/bridge.ts';
import { freePort } from '../support/free-port.ts';
import { writeSettings, type RunningApp } from './electron-app.ts';
import { chooseNext } from './file-dialogs.ts';
import { expect, test } from './fixtures.ts';
import {
  faultsOf,
  longName,
  longSnapshot,
  longVersion,
  pictureFolder,
  resize,
  setTheme,
  show,
  sizes,
  take,
} from './sizes.ts';

/** Runs in the page. */
function twoFrames(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Runs in the page: how many characters of a line there is room for, in a font of equal widths, with its ellipsis. */
function shownCharacters(element: Element): number {
  return Math.round((element.clientWidth / element.scrollWidth) * (element.textContent ?? '').length);
}

/**
 * Looks at what the window shows now at each size, in both themes if pictures of it are wanted, which go to a folder.
 * @param part what is scrolled into sight
 */
async function checkShown(
  running: RunningApp,
  name: string,
  pictures: string | undefined,
  part?: Locator,
): Promise<void> {
  const faults: Record<string, string[]> = {};
  await running.page.mouse.move(0, 0);
  for (const theme of pictures === undefined ? (['light'] as const) : (['light', 'dark'] as const)) {
    await setTheme(running, theme);
    for (const size of sizes) {
      await resize(running, size);
      // Lists measure themselves after they are drawn.
      await running.page.evaluate(twoFrames);
      // Playwright's own way takes no notice of the zoom.
      await part?.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      await running.page.evaluate(twoFrames);
      const found = await faultsOf(running);
      if (found.length > 0) faults[`${name} at ${size.name}`] = found;
      if (pictures !== undefined) await take(running, path.join(pictures, `${name}-${size.name}-${theme}.png`));
    }
  }
  expect(faults).toEqual({});
  await resize(running, sizes[2]);
}

test('what comes of work on a screen is whole at every size', async ({ gatehouse, npm, folders }, testInfo) => {
  test.setTimeout(300_000);
  const { app, page, origin } = gatehouse;
  const pictures = await pictureFolder(testInfo, 'states');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [name, version] of [
    [longName, longVersion],
    ['@acme/boiler', '1.0.0'],
  ] as const) {
    const published = await npm.publish({ name, version }, '--tag', 'latest');
    expect(published, published.stderr).toMatchObject({ code: 0 });
  }
  const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).press('Enter');

  const started = await page.evaluate(async () => {
    // Nothing listens there.
    const upstream = { kind: 'npm' as const, name: 'npm', url: 'http://127.0.0.1:9/', scopes: ['*'] };
    await window.gatehouse.call('upstream.create', upstream);
    return window.gatehouse.call('upstream.prefetch', {
      packages: ['left-pad', 'a-package-that-nobody-has-with-a-name-as-long-as-the-line@^1'],
    });
  });
  expect(started).toMatchObject({ ok: true });
  await show(gatehouse, '/upstream?tab=prefetch');
  await expect(
    page.getByRole('region', { name: 'Prefetch jobs' }).getByRole('button', { name: /^Dismiss/ }),
  ).toBeVisible();
  await checkShown(gatehouse, 'prefetch-ended', pictures, page.getByRole('region', { name: 'Prefetch jobs' }));

  await show(gatehouse, '/upstream?tab=bundles');
  const bundle = path.join(folders.base, 'packages-2027-01-31-21.04.05.gatehouse');
  await chooseNext(app, bundle);
  await page.getByLabel('Packages', { exact: true }).and(page.locator('input')).fill('@acme/*');
  await press('Export…');
  await expect(page.getByText(/^Exported 2 versions/)).toBeVisible();
  await checkShown(gatehouse, 'bundle-exported', pictures);
  expect((await npm.run(folders.base, 'unpublish', '--force', '@acme/boiler')).code).toBe(0);
  await press('Bundle: Choose a file…');
  await expect(page.getByText('1 version to import, 1 already here')).toBeVisible();
  const contents = page.getByRole('grid', { name: 'Bundle contents' });
  await checkShown(gatehouse, 'bundle-preview', pictures, contents);
  for (const size of sizes) {
    await resize(gatehouse, size);
    await page.evaluate(twoFrames);
    expect(await contents.getByText('@12.34.567-beta').evaluate(shownCharacters), size.name).toBeGreaterThan(9);
  }
  await resize(gatehouse, sizes[2]);
  await press('Import');
  await expect(page.getByText('1 version imported, 1 already here')).toBeVisible();
  await checkShown(gatehouse, 'bundle-imported', pictures, contents);

  const published = await npm.publish({ name: '@acme/boiler', version: '1.1.0' });
  expect(published, published.stderr).toMatchObject({ code: 0 });
  const reason = 'Use 1.1.0: this one loses pressure after an hour and tells nobody.';
  expect((await npm.run(folders.base, 'deprecate', '@acme/boiler@1.0.0', reason)).code).toBe(0);
  const id = await page.evaluate(async () => {
    const listed = await window.gatehouse.call('packages.list', {});
    return listed.ok && listed.value.packages.find(({ name }) => name === '@acme/boiler')?.id;
  });
  await show(gatehouse, `/packages/${id}?tab=versions`);
  const versions = page.getByRole('grid', { name: 'Versions of @acme/boiler' });
  await expect(versions.getByText(reason)).toBeVisible();
  await checkShown(gatehouse, 'version-deprecated', pictures, versions);
  expect(await versions.getByText(reason).evaluate(shownCharacters)).toBeGreaterThan(40);

  await show(gatehouse, '/backups');
  await chooseNext(app, path.join(folders.base, 'gatehouse-2027-01-31-21.04.05.backup'));
  await press('Back up…');
  await expect(page.getByRole('button', { name: 'Show in folder' })).toBeVisible();
  await press('Check the data');
  await expect(page.getByRole('button', { name: 'Dismiss Check' })).toBeVisible();
  await press('Set up…');
  await checkShown(gatehouse, 'backups-done', pictures);
  await checkShown(gatehouse, 'backups-schedule', pictures, page.getByRole('button', { name: 'Turn on' }));

  await show(gatehouse, '/settings');
  await page.getByRole('textbox', { name: 'Port', exact: true }).fill('4900');
  await checkShown(gatehouse, 'settings-port', pictures, page.getByRole('button', { name: 'Save: Port' }));

  await show(gatehouse, '/packages');
  const body = JSON.stringify({ hostname: 'laptop-of-a-person-with-a-long-name' });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${origin}/api/v4/packages/npm/-/v1/login`, { method: 'POST', headers, body })).ok).toBe(true);
  await expect(page.getByRole('alert', { name: 'A client wants to log in' })).toBeVisible();
  await checkShown(gatehouse, 'login', pictures);
});

test('what an outbox sends stands level with the field of its registry, also on two lines', async ({ gatehouse }) => {
  const { page } = gatehouse;
  const made = await page.evaluate(() =>
    window.gatehouse.call('upstream.create', {
      kind: 'npm',
      name: 'company',
      url: 'http://127.0.0.1:9/',
      pushSelection: ['@acme', '@tools'],
      pushFrom: { projectIds: [1] },
    }),
  );
  expect(made, JSON.stringify(made)).toMatchObject({ ok: true });
  await show(gatehouse, '/upstream?tab=outbox');
  const centreOf = (found: Locator) =>
    found.evaluate((element) => {
      const { top, bottom, height } = element.getBoundingClientRect();
      return { at: (top + bottom) / 2, height };
    });
  for (const size of sizes) {
    await resize(gatehouse, size);
    await page.evaluate(twoFrames);
    const field = await centreOf(page.getByRole('combobox', { name: 'Registry' }));
    const text = await centreOf(page.getByText('What is sent: @acme/*'));
    expect(Math.abs(text.at - field.at), size.name).toBeLessThan(1);
    if (size.name === '200-percent') expect(text.height).toBeGreaterThan(field.height);
  }
});

test('a field that gets the focus in a dialog comes into view with its label, also on the way back', async ({
  gatehouse,
}) => {
  const { page } = gatehouse;
  await show(gatehouse, '/upstream?tab=registries');
  await page.getByRole('button', { name: 'Fetch from another registry…' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Add a registry' });
  await form.getByText('Sending (outbox)').press('Enter');
  await expect(form.getByLabel('Packages to send')).toBeVisible();
  await resize(gatehouse, { width: 780, height: 560, zoom: 2 });
  /** Pixels of a field with its label that are out of sight; its name to tell it. */
  const hidden = () =>
    page.evaluate(() => {
      const focused = document.activeElement;
      const field = focused?.closest('.mantine-InputWrapper-root') ?? focused;
      const around = field?.closest('.gh-dialog-scroll')?.getBoundingClientRect();
      const { top, bottom } = field?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      const pixels = around ? Math.max(0, around.top - top, bottom - around.bottom) : 0;
      return { field: field?.textContent ?? '', pixels: Math.round(pixels), isInside: around !== undefined };
    });
  const seen = new Set<string>();
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < 16; step += 1) {
      await page.keyboard.press(key);
      await page.evaluate(twoFrames);
      const found = await hidden();
      expect(found, key).toMatchObject({ pixels: 0 });
      if (found.isInside) seen.add(found.field);
    }
  }
  expect(seen.size).toBeGreaterThan(8);
});

const folder = `/home/ada/${'a-folder-with-a-long-name/'.repeat(3)}registry`;
const report = {
  remedy: 'Nothing was changed. Restore a snapshot or a backup, or use another folder.',
  logTail: [`gatehouse: ${folder}/gatehouse.db is not a database`, 'a line of the log '.repeat(12)],
};
const states: Record<string, AppState> = {
  'starting-again': { phase: 'starting' },
  moving: { phase: 'moving', from: folder, to: `/media/disk${folder}`, done: 700_000_000, total: 2_400_000_000 },
  restarting: {
    phase: 'restarting',
    attempt: 2,
    restartAt: Date.now() + 90_000,
    ...report,
    cause: 'It was killed or crashed.',
    remedy: 'If you were publishing, publish again.',
  },
  damaged: { phase: 'failed', failure: 'databaseDamaged', cause: `${folder}/gatehouse.db is damaged.`, ...report },
  restoring: {
    phase: 'failed',
    failure: 'databaseDamaged',
    cause: `${folder}/gatehouse.db is damaged.`,
    recovery: {
      task: { kind: 'backup', file: '/media/disk/gatehouse-2027-01-31.backup', folder: `${folder}-restored` },
      step: 'Unpacking the archive',
      percent: 41,
      isStopping: false,
    },
    ...report,
  },
  crashed: {
    phase: 'failed',
    failure: 'crashed',
    ...report,
    cause: 'It ended with exit code 70.',
    remedy: 'Try again, or check and repair the data. The log below may say why.',
  },
  'port-taken': {
    phase: 'failed',
    failure: 'portTaken',
    ...report,
    cause: 'Port 4899 is taken by "node server.js" (process 4711).',
    remedy: 'Free the port and try again, or use another one.',
  },
};

test('the window is whole at every size while there is no registry', async ({ launch, folders }, testInfo) => {
  test.setTimeout(300_000);
  // What the environment sets could not be changed on these screens.
  await writeSettings(folders, { port: await freePort() });
  const running = await launch({ env: { GATEHOUSE_DATA_DIR: undefined, GATEHOUSE_PORT: undefined } });
  await running.until('ready');
  await running.page.emulateMedia({ reducedMotion: 'reduce' });
  const pictures = await pictureFolder(testInfo, 'states');
  const found = [longSnapshot, 'friday'].map((name) => ({
    name,
    createdAt: Date.now() - 3_600_000,
    size: 1_234_567,
    packages: 1_234,
    versions: 12_345,
    automatic: false,
  }));
  await running.app.evaluate(({ ipcMain }, snapshots) => {
    ipcMain.removeHandler('app:recoverySnapshots');
    ipcMain.handle('app:recoverySnapshots', () => ({ ok: true, value: snapshots }));
  }, found);
  for (const [name, state] of Object.entries(states)) {
    await running.app.evaluate(({ BrowserWindow }, shown) => {
      BrowserWindow.getAllWindows()[0]?.webContents.send('app:state-changed', shown);
    }, state);
    await expect(running.page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    await checkShown(running, name, pictures);
  }
});
