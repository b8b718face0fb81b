import { expect, test } from './fixtures.ts';

test('a package published with npm appears in the open window', async ({ gatehouse, npm, picture }) => {
  const { page } = gatehouse;
  await page.getByRole('heading', { name: 'Packages', exact: true }).waitFor();
  await picture(gatehouse, 'packages-empty');

  const first = await npm.publish({ name: '@acme/boiler', version: '1.0.0', description: 'Heats things' });
  expect(first, first.stderr).toMatchObject({ code: 0 });
  const row = page.getByRole('grid', { name: 'Packages' }).getByRole('row', { name: /@acme\/boiler/ });
  await expect(row).toBeVisible();
  await expect(row).toContainText('1.0.0');

  const second = await npm.publish({ name: '@acme/boiler', version: '1.1.0', description: 'Heats things better' });
  expect(second, second.stderr).toMatchObject({ code: 0 });
  await expect(row).toContainText('1.1.0');

  const unscoped = await npm.publish({ name: 'kettle', version: '0.1.0', description: 'Boils' });
  expect(unscoped, unscoped.stderr).toMatchObject({ code: 0 });
  await expect(page.getByRole('row', { name: /kettle/ })).toBeVisible();
  await picture(gatehouse, 'packages');
});

test('the menu of a package that was just published stands in line with the others', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  for (const name of ['boiler', 'kettle']) expect((await npm.publish({ name, version: '1.0.0' })).code).toBe(0);
  const lefts = await page.waitForFunction(() => {
    const buttons = [...document.querySelectorAll('.gh-table-row [data-row-menu]')];
    // While the one row is highlighted and the other is not any more.
    if (buttons.length < 2 || document.querySelectorAll('.gh-table-flash').length !== 1) return undefined;
    return buttons.map((button) => button.getBoundingClientRect().left);
  });
  const [left, other] = (await lefts.jsonValue()) ?? [];
  expect(left).toBe(other);
});

test('search narrows the list as one types', async ({ gatehouse, npm }) => {
  const { page } = gatehouse;
  for (const name of ['apple', 'pear']) {
    expect((await npm.publish({ name, version: '1.0.0' })).code).toBe(0);
  }
  await expect(page.getByRole('row', { name: /pear/ })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search packages' }).fill('app');
  await expect(page.getByRole('row', { name: /pear/ })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /apple/ })).toBeVisible();
});

test('what npm published can be installed again', async ({ folders, npm }) => {
  expect((await npm.publish({ name: '@acme/valve', version: '2.0.0' })).code).toBe(0);
  const installed = await npm.run(folders.base, 'install', '--prefix', `${folders.base}/consumer`, '@acme/valve');
  expect(installed, installed.stderr).toMatchObject({ code: 0 });
  const listed = await npm.run(folders.base, 'ls', '--json', '--prefix', `${folders.base}/consumer`);
  expect(JSON.parse(listed.stdout)).toMatchObject({ dependencies: { '@acme/valve': { version: '2.0.0' } } });
});

test('a second version of the same number is refused and changes nothing in the window', async ({ gatehouse, npm }) => {
  expect((await npm.publish({ name: 'twice', version: '1.0.0' })).code).toBe(0);
  const again = await npm.publish({ name: 'twice', version: '1.0.0' });
  expect(again.code).not.toBe(0);
  await expect(gatehouse.page.getByRole('row', { name: /twice/ })).toHaveCount(1);
});
