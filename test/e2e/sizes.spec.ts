import path from 'node:path';
import type { RunningApp } from './electron-app.ts';
import { addUser, expect, test } from './fixtures.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import {
  faultsOf,
  fillWithLongNames,
  longName,
  longVersion,
  pictureFolder,
  resize,
  setTheme,
  show,
  sizes,
  take,
  unprotectedName,
} from './sizes.ts';

/** Addresses of the screens and of their parts, after the hash. */
const screens = {
  packages: '/packages',
  inbox: '/inbox',
  environments: '/environments',
  'environments-access': '/environments?view=access',
  'environments-tags': '/environments?view=tags',
  'environments-group': '/environments?groupId=1',
  connect: '/connect',
  'people-users': '/people',
  'people-groups': '/people?tab=groups',
  'people-projects': '/people?tab=projects',
  'people-tokens': '/people?tab=tokens',
  'access-user': '/people/users/1',
  'access-project': '/people/projects/1',
  'access-group': '/people/groups/1',
  activity: '/activity',
  'activity-requests': '/activity?view=requests',
  'upstream-registries': '/upstream',
  'upstream-cache': '/upstream?tab=cache',
  'upstream-prefetch': '/upstream?tab=prefetch',
  'upstream-outbox': '/upstream?tab=outbox',
  'upstream-bundles': '/upstream?tab=bundles',
  overview: '/overview',
  backups: '/backups',
  settings: '/settings',
};

/** Looks at each screen at each size; with `npm run pictures`, pictures of them in both themes go to test-results. */
async function checkSizes(
  running: RunningApp,
  addresses: Record<string, string>,
  pictures: string | undefined,
): Promise<void> {
  const faults: Record<string, string[]> = {};
  await running.page.emulateMedia({ reducedMotion: 'reduce' });
  await running.page.mouse.move(0, 0);
  for (const theme of pictures === undefined ? (['light'] as const) : (['light', 'dark'] as const)) {
    await setTheme(running, theme);
    for (const size of sizes) {
      await resize(running, size);
      for (const [name, address] of Object.entries(addresses)) {
        await show(running, address);
        const found = await faultsOf(running);
        if (found.length > 0) faults[`${name} at ${size.name}`] = found;
        if (pictures !== undefined) await take(running, path.join(pictures, `${name}-${size.name}-${theme}.png`));
      }
    }
  }
  expect(faults).toEqual({});
}

test('every screen of an empty registry is whole at every size', async ({ gatehouse }, testInfo) => {
  test.setTimeout(300_000);
  const pictures = await pictureFolder(testInfo, 'empty');
  await checkSizes(gatehouse, screens, pictures);
});

test('every screen of a registry with long names is whole at every size', async ({
  gatehouse,
  npm,
  rest,
}, testInfo) => {
  test.setTimeout(600_000);
  const { page } = gatehouse;
  await fillWithLongNames(page, npm, rest);
  const prerelease = await npm.publish({ name: '@acme/valve', version: '12.0.0-beta.20270131' }, '--tag', 'latest');
  expect(prerelease, prerelease.stderr).toMatchObject({ code: 0 });
  for (let index = 1; index <= 30; index += 1) {
    const made = await rest('POST', '/groups', { name: `Team ${index}`, path: `team-of-the-night-shift-${index}` });
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
    const { id } = made.body as { id: number };
    expect((await rest('POST', `/groups/${id}/members`, { user_id: 3, access_level: 40 })).status).toBe(201);
  }
  await page.getByRole('row', { name: new RegExp(`^${longName.slice(0, 40)}`) }).click();
  await expect(page.getByRole('tab', { name: 'Readme' })).toBeVisible();
  const address = (await page.evaluate(() => location.hash)).slice(1);
  const pictures = await pictureFolder(testInfo, 'full');
  await checkSizes(
    gatehouse,
    {
      ...screens,
      'environments-unprotected': `/environments?name=${encodeURIComponent(unprotectedName)}`,
      'environments-approvers': '/environments?name=tag-approvers',
      'access-user-long': '/people/users/3',
      'package-readme': address,
      'package-versions': `${address}?tab=versions`,
      'package-files': `${address}?tab=files`,
      'package-dependencies': `${address}?tab=dependencies`,
      'version-readme': `${address}/versions/${longVersion}`,
      'version-files': `${address}/versions/${longVersion}?tab=files&base=1.0.0`,
      'version-dependencies': `${address}/versions/${longVersion}?tab=dependencies`,
      'version-distribution': `${address}/versions/${longVersion}?tab=distribution`,
    },
    pictures,
  );
});

test('what is chosen in Environments and in the inbox ends below the header, with a scrollbar and without', async ({
  gatehouse,
  npm,
  rest,
}) => {
  const { page } = gatehouse;
  await fillWithLongNames(page, npm, rest);
  const header = page.getByRole('main').locator('header').first();
  for (const size of [
    { width: 940, height: 560, zoom: 1 },
    { width: 940, height: 1080, zoom: 1 },
    { width: 1280, height: 1120, zoom: 2 },
  ]) {
    await resize(gatehouse, size);
    for (const [address, part] of [
      ['/environments?name=production', page.getByRole('list', { name: 'Allowed to deploy' })],
      ['/inbox', page.getByRole('main').getByRole('status').first()],
    ] as const) {
      await show(gatehouse, address);
      await expect(part).toBeVisible();
      const ends = await header.evaluate(
        (element) => element.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(element).paddingRight),
      );
      expect(
        await part.evaluate((element) => element.getBoundingClientRect().right),
        `${address} at ${size.width} x ${size.height}`,
      ).toBeCloseTo(ends, 0);
    }
  }
});

test('in a narrow window, the header of a project is one line, and the group that access comes from keeps its name', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  const ada = await addUser(rest, 'ada', 'Ada Lovelace');
  const made = await rest('POST', '/groups', { name: 'Crew', path: `crew-${'of-the-night-shift-'.repeat(3)}7` });
  const crew = made.body as { id: number };
  expect((await rest('POST', `/groups/${crew.id}/members`, { user_id: ada, access_level: 40 })).status).toBe(201);
  expect((await rest('POST', '/projects/1/share', { group_id: crew.id, group_access: 30 })).status).toBe(201);
  await resize(gatehouse, sizes[0]);
  await show(gatehouse, '/people/projects/1');
  const header = page.locator('.gh-page-header');
  const [title, action] = [
    header.getByRole('heading', { name: 'local/packages' }),
    header.getByRole('link', { name: 'Connect' }),
  ];
  const middleOf = async (part: typeof title) => {
    const box = await part.boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0) / 2;
  };
  for (const size of [sizes[4], sizes[0]]) {
    await resize(gatehouse, size);
    expect(Math.abs((await middleOf(title)) - (await middleOf(action))), size.name).toBeLessThan(3);
  }
  const row = page.getByRole('row', { name: /@ada/ });
  const cell = row.getByRole('gridcell').filter({ hasText: 'Through' });
  const edgeOf = async (part: typeof title) => {
    const box = await part.boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0);
  };
  expect(await edgeOf(cell.getByText(/7$/).last())).toBeLessThanOrEqual((await edgeOf(cell)) + 1);
  // Nobody's access to the group comes from elsewhere.
  await show(gatehouse, '/people/groups/1');
  await expect(page.getByRole('columnheader')).toHaveText(['Name', 'Expires', 'Role', 'Actions']);
});

test('a table in a narrow window leaves columns out from the first time that it is drawn', async ({
  gatehouse,
  rest,
}) => {
  await addUser(rest, 'ada', 'Ada Lovelace');
  await resize(gatehouse, sizes[0]);
  const heads = await gatehouse.page.evaluate(async () => {
    location.hash = '/activity';
    const seen = new Set<string>();
    for (let frames = 0; frames < 30;) {
      await new Promise(requestAnimationFrame);
      const found = [...document.querySelectorAll('[aria-label="Activity"] [role="columnheader"]')];
      if (found.length > 0) frames += 1;
      for (const head of found) seen.add(head.textContent);
    }
    return [...seen];
  });
  expect(heads).toContain('Change');
  expect(heads).not.toContain('From');
});

test('the columns of a table stay where they are when its scrollbar comes, its lines reach the edge, and its head stays in sight', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  for (let index = 0; index < 12; index += 1) await addUser(rest, `user-${index}`, `User ${index}`);
  const look = async (height: number) => {
    await resize(gatehouse, { width: 1280, height, zoom: 1 });
    await show(gatehouse, '/people');
    await expect(page.getByRole('row')).toHaveCount(14);
    return page.getByRole('grid').evaluate((grid) => ({
      bar: (grid as HTMLElement).offsetWidth - grid.clientWidth,
      heads: [...grid.querySelectorAll('[role="columnheader"]')].map((head) => head.getBoundingClientRect().right),
      edge: innerWidth - (grid.querySelector('.gh-table-row')?.getBoundingClientRect().right ?? 0),
    }));
  };
  const head = page.getByRole('columnheader').first();
  const [high, low] = [await look(1080), await look(560)];
  expect(high).toMatchObject({ bar: 0, edge: 0 });
  expect(low.bar).toBeGreaterThan(0);
  expect(low.heads).toEqual(high.heads);
  const before = await head.boundingBox();
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  expect(await head.boundingBox()).toEqual(before);
});

test('what is below a header ends where it does beside a scrollbar, and the facts of the overview stand on even lines', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  await resize(gatehouse, sizes[0]);
  const right = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((each) => each.getBoundingClientRect().right);
  await expect(page.getByText('No packages')).toBeVisible();
  const header = await page.locator('.gh-page-header').evaluate((each) => {
    return each.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(each).paddingRight);
  });
  expect(await right('.gh-first-publish .gh-snippet')).toBe(header);
  const document = await makePublishDocument({ name: 'kettle', version: '1.0.0' });
  expect((await rest('PUT', '/projects/1/packages/npm/kettle', document)).status).toBe(200);
  const next = await makePublishDocument({ name: 'kettle', version: '1.1.0' });
  expect((await rest('POST', '/projects/1/packages/npm/-/stage/package/kettle', next)).status).toBe(201);
  await page.getByRole('row', { name: /^kettle/ }).click();
  expect(await right('[aria-label="Add a tag"]')).toBe(header);
  // What waits for approval reaches the edge.
  await expect(page.getByText('1 request waits for approval')).toBeVisible();
  expect(await right('.gh-waiting-releases')).toBe(sizes[0].width);
  await resize(gatehouse, sizes[2]);
  await show(gatehouse, '/overview');
  for (const facts of await page.locator('.gh-card .gh-facts').all()) {
    const tops = await facts
      .locator('dt')
      .evaluateAll((terms) => terms.map((term) => term.getBoundingClientRect().top));
    const [first = 0, second = 0] = tops;
    expect(tops.map((top) => Math.round(10 * (top - first)))).toEqual(
      tops.map((_, index) => Math.round(10 * index * (second - first))),
    );
  }
});

test('the switch between the views of Environments stays where it is when it is pressed', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  const rules = { name: 'production', deploy_access_levels: [{ access_level: 40 }] };
  expect((await rest('POST', '/projects/1/protected_environments', rules)).status).toBe(201);
  await show(gatehouse, '/environments');
  const switched = page.getByRole('radiogroup', { name: 'View' });
  const before = await switched.boundingBox();
  await switched.getByText('Who may deploy').click();
  await expect(page.getByRole('table', { name: 'Who may deploy where' })).toBeVisible();
  expect(await switched.boundingBox()).toEqual(before);
  await page.getByRole('button', { name: 'Protect an environment' }).click();
  const form = page.getByRole('form', { name: 'Protect an environment' });
  await expect(form.getByRole('textbox').or(form.getByRole('combobox')).first()).toBeFocused();
});

test('a change has beside it where it was made in a zoomed window, too, with a long name before it', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  // Of the only project it is not said.
  expect((await rest('POST', '/projects', { name: 'tools' })).status).toBe(201);
  const user_id = await addUser(rest, 'ada', 'Ada Lovelace');
  expect((await rest('POST', '/projects/1/members', { user_id, access_level: 40 })).status).toBe(201);
  const name = 'a-user-whose-name-is-as-long-as-the-line';
  const long = await addUser(rest, name, name);
  expect((await rest('POST', '/projects/1/members', { user_id: long, access_level: 40 })).status).toBe(201);
  await resize(gatehouse, sizes[4]);
  await show(gatehouse, '/activity');
  const detailOf = (user: string) =>
    page
      .getByRole('row')
      .filter({ hasText: 'Added the member' })
      .filter({ hasText: user })
      .getByText('in local/packages', { exact: true });
  await expect(detailOf('ada')).toBeInViewport({ ratio: 0.9 });
  await expect(detailOf(name)).toBeInViewport({ ratio: 0.9 });
});

test('a list without rows has no search, and one whose search finds nothing keeps it', async ({ gatehouse, rest }) => {
  const { page } = gatehouse;
  const search = page.getByRole('searchbox');
  const user_id = await addUser(rest, 'ada', 'Ada Lovelace');
  await show(gatehouse, `/people/users/${user_id}`);
  await expect(page.getByText('In no group or project')).toBeVisible();
  await expect(search).toBeHidden();
  expect((await rest('POST', '/projects/1/members', { user_id, access_level: 40 })).status).toBe(201);
  await expect(page.getByRole('row', { name: /local\/packages/ })).toBeVisible();
  await search.fill('nothing');
  await expect(page.getByText('No access matches')).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();
  await expect(search).toBeVisible();
});

test('the versions of a package in a narrow window scroll with its page, and the keys keep the current one in sight', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  for (let minor = 0; minor < 30; minor += 1) {
    const document = await makePublishDocument({ name: 'kettle', version: `1.${minor}.0` });
    expect((await rest('PUT', '/projects/1/packages/npm/kettle', document)).status).toBe(200);
  }
  await resize(gatehouse, sizes[0]);
  await page.getByRole('row', { name: /^kettle/ }).click();
  await page.getByRole('tab', { name: /^Versions/ }).click();
  const rows = page.getByRole('grid', { name: 'Versions of kettle' }).locator('[data-index]');
  await rows.first().focus();
  const scrolling = await page
    .getByRole('main')
    .evaluate((main) =>
      [main, ...main.querySelectorAll('*')]
        .filter((each) => /auto|scroll/.test(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight)
        .map((each) => each.className),
    );
  expect(scrolling).toEqual(['gh-package']);
  for (const [key, name] of [
    ['End', '1.0.0'],
    ['Home', '1.29.0'],
    ['PageDown', '.0'],
  ] as const) {
    await page.keyboard.press(key);
    const current = page.locator('[data-index]:focus');
    await expect(current).toContainText(name);
    await expect(current).toBeInViewport({ ratio: 1 });
    // It is not covered by what stays at the top.
    const box = await current.boundingBox();
    const bar = await page.locator('.gh-panel-bar').boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
  }
});
