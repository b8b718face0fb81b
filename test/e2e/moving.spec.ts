import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication } from 'playwright';
import { makeNpm } from '../support/npm.ts';
import { rootToken } from './electron-app.ts';
import { chooseNext } from './file-dialogs.ts';
import { expect, keyboardOf, test } from './keyboard.ts';

interface Held {
  letRenamesThrough?: () => void;
}

/** From now on the main process waits before it gives a copied file its name, as a slow disk would make it; the function lets it go on. */
async function holdRenames(app: ElectronApplication): Promise<() => Promise<void>> {
  await app.evaluate(() => {
    const files = process.getBuiltinModule('node:fs/promises');
    const { rename } = files;
    const open = new Promise<void>((resolve) => ((globalThis as Held).letRenamesThrough = resolve));
    files.rename = async (from, to) => {
      if (String(from).endsWith('.moving')) await open;
      return rename(from, to);
    };
    process.getBuiltinModule('node:module').syncBuiltinESMExports();
  });
  return () => app.evaluate(() => (globalThis as Held).letRenamesThrough?.());
}

test('a move of the data folder shows how far it is, and Stop leaves everything where it was', async ({
  launch,
  folders,
  picture,
}) => {
  const gatehouse = await launch({ env: { GATEHOUSE_DATA_DIR: undefined } });
  const { app, page, until } = gatehouse;
  const { origin, pid } = await until('ready');
  const dataDir = (): Promise<string> => page.evaluate(async () => (await window.gatehouse.app.info()).dataDir);
  const from = await dataDir();
  const npm = await makeNpm(folders.base, origin, rootToken);
  expect((await npm.publish({ name: 'stays', version: '1.0.0' })).code).toBe(0);

  const keys = await keyboardOf(page);
  const target = path.join(folders.base, 'target');
  const goOn = await holdRenames(app);
  await keys.go('Settings');
  await chooseNext(app, target);
  await keys.enter(page.getByRole('button', { name: 'Move…' }));

  await expect(page.getByRole('heading', { level: 1, name: 'Moving the data folder' })).toBeVisible();
  await expect(page.getByText(from)).toBeVisible();
  await expect(page.getByText(target)).toBeVisible();
  await expect(page.getByRole('status')).toHaveText(/^\d+% of .* copied and checked$/);
  await expect(page.getByRole('progressbar')).toHaveAttribute('aria-valuemax', '100');
  // Nobody is served meanwhile, so that nothing is written that the copy would miss.
  await expect(fetch(`${origin}/-/health`)).rejects.toThrow();
  expect((await readdir(target)).some((name) => name.endsWith('.moving'))).toBe(true);
  await picture(gatehouse, 'moving');

  const stop = page.getByRole('button', { name: 'Cancel the move' });
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await keys.enter(stop);
  await goOn();
  const ready = await until('ready', pid);
  expect(await dataDir()).toBe(from);
  await expect(readdir(target)).rejects.toThrow('ENOENT');
  const served = await fetch(`${ready.origin}/api/v4/projects/1/packages/npm/stays`, {
    headers: { authorization: `Bearer ${rootToken}` },
  });
  expect(served.status).toBe(200);
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await expect(page.getByText('Previous data folder')).toHaveCount(0);
  await keys.settled();

  // It was stopped, not broken: another try goes through.
  await keys.enter(page.getByRole('button', { name: 'Move…' }));
  await until('ready', ready.pid);
  expect(await dataDir()).toBe(target);
});
