import type { Locator } from '@playwright/test';
import { addUser, expect, test } from './fixtures.ts';
import { resize, show, sizes } from './sizes.ts';
import { makePublishDocument } from '../support/publish-document.ts';

/** How many have less room than their text, of the element and all in it. */
const cutWithin = (root: Locator) =>
  root.evaluate(
    (element) =>
      [element, ...element.querySelectorAll('*')].filter((each) => each.scrollWidth > each.clientWidth + 1).length,
  );

test('a request path whose end is too long for its column, too, is cut between two letters', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  const name = 'a-name-that-goes-on-'.repeat(9);
  expect((await rest('GET', `/projects/1/packages/npm/${name}`)).status).toBe(404);
  await resize(gatehouse, sizes[0]);
  await show(gatehouse, '/activity?view=requests');
  const end = page.getByRole('row', { name: new RegExp(name) }).locator('.gh-tail-text > :last-child');
  const { shown, letters, letter } = await end.evaluate((element) => {
    const text = element.querySelector('bdi');
    const letters = text?.textContent.length ?? 0;
    const letter = (text?.getBoundingClientRect().width ?? 0) / letters;
    return { shown: element.getBoundingClientRect().width / letter, letters, letter };
  });
  expect(letter).toBeGreaterThan(5);
  expect(shown).toBeGreaterThan(10);
  expect(shown).toBeLessThan(letters);
  expect(shown).toBeCloseTo(Math.round(shown), 1);
});

test('a request path is cut at a slash, and the row of its change shows all of a short detail', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  await rest('POST', '/users/1/personal_access_tokens', { name: 'laptop', scopes: ['api'] });
  await resize(gatehouse, sizes[4]);
  await show(gatehouse, '/activity?view=requests');
  const end = page
    .getByRole('row', { name: /personal_access_tokens/ })
    .locator('.gh-tail-parts')
    .first();
  const inSight = await end.evaluate((parts) => {
    const box = parts.getBoundingClientRect();
    return [...parts.querySelectorAll('bdi')]
      .filter((part) => {
        const { left, top, bottom } = part.getBoundingClientRect();
        return top < box.bottom && bottom > box.top && left > box.left - 1;
      })
      .map((part) => part.textContent);
  });
  expect(inSight).toEqual(['/personal_access_tokens']);

  await resize(gatehouse, sizes[2]);
  await show(gatehouse, '/activity');
  const detail = page.getByRole('row', { name: /Created the token laptop/ }).locator('.gh-change-detail');
  await expect(detail).toHaveText('user: root · scopes: api');
  expect(await cutWithin(detail)).toBe(0);
});

test('between the ellipsis of a cut name and its end there is neither a gap nor a part of a letter', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  const names = [60, 75, 90, 105, 120].map((length) => `${'Lovely Weather in Wales '.repeat(6).slice(0, length)}-2027`);
  for (const [index, name] of names.entries()) await addUser(rest, `walker-${index}-of-the-night-shift`, name);
  // In letters that are equally wide.
  const long = `${'a-package-with-a-long-name-'.repeat(5)}2027`;
  const publish = await makePublishDocument({ name: long, version: '1.0.0' });
  expect((await rest('PUT', `/projects/1/packages/npm/${long}`, publish)).status).toBe(200);
  let cut = 0;
  for (const [place, size] of ['/people?tab=users', '/packages'].flatMap((each) =>
    sizes.map((size) => [each, size] as const),
  )) {
    await resize(gatehouse, size);
    await show(gatehouse, place);
    await expect(page.getByRole('row', { name: /walker-4|a-package/ }).first()).toBeVisible();
    const gaps = await page.locator('.gh-tail-text').evaluateAll((texts) =>
      texts.flatMap((text) => {
        const [head, tail] = text.children;
        const end = tail?.querySelector('bdi');
        if (!head || !tail || !end?.firstChild) return [];
        const letters = document.createRange();
        letters.selectNodeContents(head);
        // Of a cut line, that of all of it and that of what is in sight.
        const [, shown] = letters.getClientRects();
        if (shown === undefined) return [];
        const ellipsis = document.createElement('i');
        ellipsis.style.fontStyle = 'normal';
        ellipsis.textContent = '…';
        ellipsis.style.flex = 'none';
        head.parentElement?.append(ellipsis);
        const from = shown.right + ellipsis.getBoundingClientRect().width;
        ellipsis.remove();
        const hidden = Number.parseFloat(getComputedStyle(tail).clipPath.split(' ').at(-1) ?? '') || 0;
        const visible = tail.getBoundingClientRect().left + hidden;
        letters.setEndAfter(end.firstChild);
        const starts = Array.from({ length: end.textContent.length }, (_, start) => {
          letters.setStart(end.firstChild ?? end, start);
          return letters.getBoundingClientRect().left;
        });
        return [[visible - from, Math.min(...starts.map((start) => Math.abs(start - visible)))]];
      }),
    );
    for (const [gap = 99, part = 99] of gaps) {
      expect(Math.abs(gap), size.name).toBeLessThan(1);
      expect(part, size.name).toBeLessThan(1);
    }
    cut += gaps.length;
  }
  expect(cut).toBeGreaterThan(10);
});

test('the name that a change is about is whole where the line has room for it, and the detail has what is left', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  for (const path of ['team-of-the-night-shift-30', `team-of-${'the-night-shift-'.repeat(6)}30`]) {
    expect((await rest('POST', '/groups', { name: 'Team 30', path })).status).toBe(201);
  }
  const partsOf = (name: string) =>
    page.locator('.gh-change-text', { hasText: name }).evaluate((line) => {
      const [subject, detail] = [line.querySelector('strong'), line.querySelector('.gh-change-detail')];
      if (subject === null || detail === null) throw new Error('The row has no subject or no detail.');
      const all = [subject, ...subject.querySelectorAll('*')];
      const inSight = detail.getBoundingClientRect().top < line.getBoundingClientRect().bottom;
      return {
        cut: all.some((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0),
        detail: inSight ? detail.clientWidth : 0,
      };
    });
  const [short, long] = ['Added the groupteam-of-the-night-shift-30', 'Added the groupteam-of-the-night-shift-the'];
  for (const size of [sizes[0], sizes[1], sizes[4]]) {
    await resize(gatehouse, size);
    await show(gatehouse, '/activity');
    const part = await partsOf(short);
    expect(part.cut, size.name).toBe(false);
    if (size.zoom === 1) expect(part.detail, size.name).toBeGreaterThan(60);
  }
  // At 200 %, all of the line is for the name.
  expect(await partsOf(long)).toEqual({ cut: true, detail: 0 });
  await resize(gatehouse, sizes[1]);
  expect((await partsOf(long)).detail).toBeGreaterThan(120);
});

test('where a member was added is in sight beside names of every length, also of one that just fits the line', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  // Of the only project it is not said.
  expect((await rest('POST', '/projects', { name: 'tools' })).status).toBe(201);
  const names = [40, 60, 70, 75, 80, 85, 90, 100, 120].map((length) =>
    'a-member-of-the-night-shift-'.repeat(5).slice(0, length),
  );
  for (const name of names) {
    const user_id = await addUser(rest, `${name}x`, name);
    expect((await rest('POST', '/projects/1/members', { user_id, access_level: 40 })).status).toBe(201);
  }
  for (const size of sizes) {
    await resize(gatehouse, size);
    await show(gatehouse, '/activity');
    const lines = page.locator('.gh-change-text', { hasText: 'Added the member' });
    await expect(lines).toHaveCount(names.length);
    const hidden = await lines.evaluateAll((all) =>
      all.flatMap((line) => {
        const detail = line.querySelector('.gh-change-detail');
        const isInSight = detail !== null && detail.getBoundingClientRect().top < line.getBoundingClientRect().bottom;
        return isInSight ? [] : [line.textContent];
      }),
    );
    expect(hidden, size.name).toEqual([]);
  }
});

test('a request path with a version is only cut where there is no room, and the version follows it', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  const stage = await makePublishDocument({ name: 'kettle-cli', version: '0.5.0' });
  expect((await rest('POST', '/projects/1/packages/npm/-/stage/package/kettle-cli', stage)).status).toBe(201);
  const cell = page.getByRole('row', { name: /stage\/package\/kettle-cli/ }).locator('.gh-row');
  const measure = () =>
    cell.evaluate((row) => {
      const box = row.querySelector('.gh-tail-parts')?.getBoundingClientRect();
      const parts = [...row.querySelectorAll('.gh-tail-parts bdi')].filter(
        (part) => part.getBoundingClientRect().top < (box?.bottom ?? 0) - 1,
      );
      const end = Math.max(...parts.map((part) => part.getBoundingClientRect().right));
      const gap = (row.lastElementChild?.getBoundingClientRect().left ?? 0) - end;
      return { shown: parts.map((part) => part.textContent).join(''), gap };
    });
  // A wider window shows no less of it beside another column.
  for (const size of [sizes[0], { name: '860', width: 860, height: 640, zoom: 1 }, sizes[1], sizes[2]]) {
    await resize(gatehouse, size);
    await show(gatehouse, '/activity?view=requests');
    const { shown, gap } = await measure();
    expect(shown, size.name).toBe('/-/stage/package/kettle-cli');
    expect(gap, size.name).toBeLessThan(20);
  }
  // With too little room for all parts, no more of them are left out than needed.
  await resize(gatehouse, { width: 1050, height: 900, zoom: 1.5 });
  await show(gatehouse, '/activity?view=requests');
  expect((await measure()).shown).toBe('/stage/package/kettle-cli');
});

test('a long tag is whole where there is room beside its version, and a long version keeps its number beside it', async ({
  gatehouse,
  npm,
}) => {
  const { page } = gatehouse;
  const [tag, version] = [
    'release-candidate-of-the-branch',
    '12.34.567-beta.20270131.with.a.long.prerelease.identifier',
  ];
  expect((await npm.publish({ name: 'kettle', version: '1.0.0' }, '--tag', tag)).code).toBe(0);
  expect((await npm.publish({ name: 'kettle', version }, '--tag', `${tag}-of-the-night-shift`)).code).toBe(0);
  await page.getByRole('row', { name: /^kettle/ }).click();
  await page.getByRole('tab', { name: /^Versions/ }).click();
  const versions = page.getByRole('grid', { name: 'Versions of kettle' });
  const short = versions.getByRole('row', { name: '1.0.0' });
  await expect(short).toBeVisible();
  expect(await cutWithin(short.locator('.gh-version-cell'))).toBe(0);
  const long = versions.getByRole('row', { name: version }).locator('.gh-mono .gh-tail-text > :first-child');
  const letters = await long.evaluate((each) => {
    const letter = document.createRange();
    letter.setStart(each.firstChild ?? each, 0);
    letter.setEnd(each.firstChild ?? each, 1);
    return each.clientWidth / letter.getBoundingClientRect().width;
  });
  // "12.34.567" and the ellipsis.
  expect(letters).toBeGreaterThan(10);
});

test('in a narrow window, the command that installs a package is one line in the inbox', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  const publish = await makePublishDocument({ name: 'kettle-cli', version: '0.4.0' });
  expect((await rest('PUT', '/projects/1/packages/npm/kettle-cli', publish)).status).toBe(200);
  const stage = await makePublishDocument({ name: 'kettle-cli', version: '0.5.0' });
  expect((await rest('POST', '/projects/1/packages/npm/-/stage/package/kettle-cli', stage)).status).toBe(201);
  await resize(gatehouse, sizes[1]);
  await show(gatehouse, '/inbox');
  const command = page
    .getByRole('table', { name: 'What npm install picks' })
    .getByRole('rowheader', { name: /^npm install kettle-cli@/ });
  const lines = await command.evaluate((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return text.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(cell).lineHeight);
  });
  expect(lines).toBeGreaterThan(0);
  expect(lines).toBeLessThan(1.5);
});

test('the line of the title has room for what chooses environments, and their list for who may deploy', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  // With more than one owner of environments, there is one to choose.
  expect((await rest('POST', '/groups', { name: 'Team', path: 'team' })).status).toBe(201);
  const grace = await addUser(rest, 'grace', 'Grace Hopper');
  expect((await rest('POST', '/projects/1/members', { user_id: grace, access_level: 30 })).status).toBe(201);
  const production = { name: 'production', deploy_access_levels: [{ access_level: 40 }, { user_id: grace }] };
  expect((await rest('POST', '/projects/1/protected_environments', production)).status).toBe(201);
  for (const size of [sizes[0], sizes[1]]) {
    await resize(gatehouse, size);
    await show(gatehouse, '/environments');
    const titleAndAction = page.locator('.gh-page-header').locator('h1, button');
    const [title = 0, action = 0] = await titleAndAction.evaluateAll((parts) =>
      [parts[0], parts.at(-1)].map((part) => {
        const { top, bottom } = part?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
        return (top + bottom) / 2;
      }),
    );
    expect(Math.abs(title - action), size.name).toBeLessThan(4);
    expect(await cutWithin(page.getByText('Maintainers and 1 more')), size.name).toBe(0);
  }
});

test('at 200 %, the name in the outbox is whole, and its project leaves where there is no room for both', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  // Of the only project it is not said.
  expect((await rest('POST', '/projects', { name: 'tools' })).status).toBe(201);
  const names = ['@acme/boiler', '@acme/a-package-whose-name-is-long-but-fits-here'];
  for (const name of names) {
    const publish = await makePublishDocument({ name, version: '1.0.0' });
    expect((await rest('PUT', `/projects/1/packages/npm/${encodeURIComponent(name)}`, publish)).status).toBe(200);
  }
  // Nothing listens there.
  const upstream = { kind: 'npm' as const, name: 'work', url: 'http://127.0.0.1:9/', scopes: ['@acme'] };
  const made = await page.evaluate((input) => window.gatehouse.call('upstream.create', input), upstream);
  expect(made, JSON.stringify(made)).toMatchObject({ ok: true });
  await resize(gatehouse, sizes[4]);
  await show(gatehouse, '/upstream?tab=outbox');
  const lineOf = (name: string) => page.locator('.gh-outbox-name', { hasText: name }).first();
  for (const [index, name] of names.entries()) {
    const line = lineOf(name);
    expect(await cutWithin(line.locator('strong')), name).toBe(0);
    const [nameTop = 0, projectTop = 0] = await line
      .locator('strong, .gh-two-lines > span')
      .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().top)));
    expect(Math.abs(projectTop - nameTop) < 10, name).toBe(index === 0);
  }
});

test('a long name of a user is not cut to its first letter by a long username beside it, and a short one is whole', async ({
  gatehouse,
  rest,
}) => {
  const { page } = gatehouse;
  const username = 'wolfeschlegelsteinhausenbergerdorff-maximiliana-1';
  const long = await addUser(rest, username, 'Wolfeschlegelsteinhausenbergerdorff Maximiliana the Third');
  const short = await addUser(rest, `${username}1`, 'Max the Third');
  const named = page.locator('.gh-page-title').locator('h1, .gh-page-count');
  for (const size of [sizes[0], sizes[1]]) {
    await resize(gatehouse, size);
    await show(gatehouse, `/people/users/${long}`);
    await expect(named).toHaveText([/the Third/, /^@wolfe/]);
    const widths = await named.evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    expect(Math.min(...widths), `${size.name}: ${widths.join(' and ')}`).toBeGreaterThan(150);
    await show(gatehouse, `/people/users/${short}`);
    await expect(named).toHaveText(['Max the Third', /^@wolfe/]);
    expect(await cutWithin(named.first()), size.name).toBe(0);
  }
});
