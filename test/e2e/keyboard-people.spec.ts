import type { ElectronApplication } from 'playwright';
import { expect, test } from './keyboard.ts';
import { send } from '../support/http.ts';
import { addUser } from './fixtures.ts';

function clipboard(app: ElectronApplication): Promise<string> {
  return app.evaluate((electron) => electron.clipboard.readText());
}

test('a user, a group and a project are made', async ({ gatehouse, rest, keys }) => {
  const { page } = gatehouse;
  await keys.go('People');
  const addUser = page.getByRole('button', { name: 'Add a user' });
  await keys.enter(addUser);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await keys.type('Ada Adams');
  await keys.fill(dialog.getByRole('textbox', { name: 'Username' }), 'ada');
  await keys.fill(dialog.getByRole('textbox', { name: 'Email' }), 'ada@example.com');
  await keys.press('Enter');
  await expect(dialog).toHaveCount(0);
  // The page of what is added opens, where access is given.
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(/Ada Adams/);
  await expect(heading).toBeFocused();
  await expect(page.getByRole('button', { name: 'Add to a project' })).toBeVisible();
  expect((await rest('GET', '/users?username=ada')).body).toMatchObject([{ name: 'Ada Adams' }]);
  await keys.press('Alt+ArrowLeft');

  const tabs = page.getByRole('tablist', { name: 'People' });
  await keys.switchTo(tabs, 'tab', 'Groups');
  await keys.enter(page.getByRole('button', { name: 'Add a group' }));
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await keys.type('Test Pilots');
  await keys.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(heading).toHaveText('test-pilots');
  await expect(heading).toBeFocused();
  expect((await rest('GET', '/groups/test-pilots')).body).toMatchObject({ name: 'Test Pilots' });
  await keys.press('Alt+ArrowLeft');

  await keys.switchTo(tabs, 'tab', 'Projects');
  await keys.enter(page.getByRole('button', { name: 'Add a project' }));
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await keys.type('Rockets');
  await keys.walkTo(dialog.getByRole('combobox', { name: 'Group' }));
  await keys.type('test-p');
  await keys.press('ArrowDown', 'Enter');
  await keys.walkTo(dialog.getByRole('combobox', { name: 'Visibility' }));
  await keys.press('ArrowDown', 'ArrowDown', 'Enter');
  await keys.enter(dialog.getByRole('button', { name: 'Add project' }));
  await expect(dialog).toHaveCount(0);
  await expect(heading).toHaveText('test-pilots/rockets');
  expect((await rest('GET', '/projects/test-pilots%2Frockets')).body).toMatchObject({
    name: 'Rockets',
    visibility: 'internal',
  });
});

test('access to a project is given, changed, sorted and taken away on a page of its own', async ({
  gatehouse,
  rest,
  keys,
  picture,
}) => {
  const { page } = gatehouse;
  const ada = await addUser(rest, 'ada', 'Ada Adams');
  const grace = await addUser(rest, 'grace', 'Grace Hopper');
  expect((await rest('POST', '/groups', { name: 'Pilots', path: 'pilots' })).status).toBe(201);
  expect((await rest('POST', '/groups/pilots/members', { user_id: grace, access_level: 40 })).status).toBe(201);
  await keys.go('People');
  await keys.switchTo(page.getByRole('tablist', { name: 'People' }), 'tab', 'Projects');
  const row = page.getByRole('row', { name: /local\/packages/ });
  await keys.enter(row);
  await expect(page.getByRole('heading', { level: 1, name: 'local/packages' })).toBeFocused();
  const members = (): Promise<unknown> => rest('GET', '/projects/1/members').then(({ body }) => body);
  const access = page.getByRole('grid', { name: 'Access to local/packages' });
  await expect(access.getByRole('row', { name: /@root/ })).toContainText('local');

  await keys.enter(page.getByRole('button', { name: 'Invite a group' }));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Group' })).toBeFocused();
  await keys.type('pil');
  await keys.press('ArrowDown', 'Enter');
  await keys.enter(dialog.getByRole('button', { name: 'Invite group' }));
  await expect(dialog).toHaveCount(0);
  await expect(access.getByRole('row', { name: /@grace/ })).toContainText('Through pilots');
  expect((await rest('GET', '/projects/1')).body).toMatchObject({
    shared_with_groups: [{ group_full_path: 'pilots', group_access_level: 30 }],
  });

  await keys.press('Control+n');
  await expect(dialog.getByRole('combobox', { name: 'User' })).toBeFocused();
  await keys.type('ada');
  await keys.press('ArrowDown', 'Enter');
  await keys.walkTo(dialog.getByRole('combobox', { name: 'Role', exact: true }));
  await keys.press('ArrowDown', 'ArrowDown', 'Enter');
  await keys.enter(dialog.getByRole('button', { name: 'Add member' }));
  await expect(dialog).toHaveCount(0);
  await expect.poll(members).toContainEqual(expect.objectContaining({ username: 'ada', access_level: 40 }));
  await picture(gatehouse, 'project-access');

  const walkToRow = async (name: RegExp) => {
    const wanted = access.getByRole('row', { name });
    await keys.walkTo(access.locator('[role=row][tabindex="0"]'));
    await keys.press('Home');
    for (let step = 0; step < 10; step += 1) {
      if (await wanted.evaluate((element) => element === document.activeElement)) return;
      await keys.press('ArrowDown');
    }
    throw new Error(`No arrow leads to ${String(name)}.`);
  };
  // Roles are changed in place, of a member and of a group.
  await walkToRow(/@ada/);
  await keys.walkTo(access.getByRole('combobox', { name: 'Role of Ada Adams' }));
  await keys.press('ArrowUp', 'ArrowUp', 'Enter');
  await expect.poll(members).toContainEqual(expect.objectContaining({ username: 'ada', access_level: 30 }));
  await expect(page.getByText(/Ada Adams\s+is now a Developer\s+of local\/packages/)).toBeVisible();
  await keys.enter(page.getByRole('button', { name: 'Undo' }));
  await expect.poll(members).toContainEqual(expect.objectContaining({ username: 'ada', access_level: 40 }));
  await keys.walkTo(access.locator('[role=row][tabindex="0"]'), 'back');
  await walkToRow(/Pilots/);
  await keys.walkTo(access.getByRole('combobox', { name: 'Maximum role of Pilots' }));
  await keys.press('ArrowUp', 'ArrowUp', 'Enter');
  await expect
    .poll(async () => (await rest('GET', '/projects/1')).body)
    .toMatchObject({ shared_with_groups: [{ group_access_level: 20 }] });
  await expect(access.getByRole('row', { name: /@grace/ })).toContainText('Reporter');

  const byName = page.getByRole('columnheader', { name: 'Name' });
  await keys.enter(byName.getByRole('button'), 'back');
  await keys.press('Enter');
  await expect(byName).toHaveAttribute('aria-sort', 'descending');
  // Each section is sorted for itself.
  await expect(access.getByRole('row')).toContainText([
    'Name',
    'Members',
    'Ada Adams',
    'Inherited members',
    'Grace Hopper',
  ]);

  await keys.find('ada');
  await expect(access.getByRole('row', { name: /@/ })).toHaveCount(1);
  await walkToRow(/@ada/);
  const remove = page.getByRole('dialog', { name: 'Remove “Ada Adams” from “local/packages”?' });
  await keys.choose(access.getByRole('button', { name: 'Actions for Ada Adams' }), 'Remove…');
  await keys.enter(remove.getByRole('button', { name: 'Remove', exact: true }));
  await expect(page.getByText('No members or groups match')).toBeVisible();
  await keys.settled();
  expect(await members()).not.toContainEqual(expect.objectContaining({ id: ada }));
  await keys.find('');

  await keys.press('Escape');
  await keys.walkTo(page.getByRole('main').getByRole('link', { name: 'Projects' }), 'back');
  await keys.press('Escape');
  await expect(page.getByRole('tab', { name: 'Projects', selected: true })).toBeVisible();
});

test('a user has a page with all access, which is given and taken away there', async ({
  gatehouse,
  rest,
  keys,
  picture,
}) => {
  const { page } = gatehouse;
  const ada = await addUser(rest, 'ada', 'Ada Adams');
  expect((await rest('POST', '/groups', { name: 'Pilots', path: 'pilots' })).status).toBe(201);
  const membership = { user_id: ada, access_level: 40, expires_at: '2999-01-31' };
  expect((await rest('POST', '/groups/pilots/members', membership)).status).toBe(201);
  const pilots = (await rest('GET', '/groups/pilots')).body as { id: number };
  expect((await rest('POST', '/projects/1/share', { group_id: pilots.id, group_access: 30 })).status).toBe(201);
  const rules = { name: 'production', deploy_access_levels: [{ group_id: pilots.id }] };
  expect((await rest('POST', '/projects/1/protected_environments', rules)).status).toBe(201);
  for (const [user, name] of [
    [ada, 'ci'],
    [1, 'other'],
  ] as const) {
    const token = await rest('POST', `/users/${user}/personal_access_tokens`, { name, scopes: ['api'] });
    expect(token.status).toBe(201);
  }
  await keys.go('People');
  await keys.find('ada');
  await keys.enter(page.getByRole('row', { name: /@ada/ }));
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Adams' })).toBeFocused();
  const access = page.getByRole('grid', { name: 'Access of Ada Adams' });
  await expect(access.getByRole('row')).toContainText([
    'Name',
    'Groups',
    'pilots',
    'Projects',
    'local/packages',
    'Protected environments',
    /production.*local\/packages.*pilots.*May deploy/,
  ]);
  await expect(access.getByRole('row', { name: /Direct member/ })).toContainText('2999');
  await expect(access.getByRole('row', { name: /Through pilots/ })).toContainText(/2999.*Developer/);

  await keys.press('Control+n');
  const dialog = page.getByRole('dialog', { name: 'Add Ada Adams to a project' });
  await expect(dialog.getByRole('combobox', { name: 'Project' })).toBeFocused();
  await keys.enter(dialog.getByRole('button', { name: 'Add to project' }));
  await expect(dialog).toHaveCount(0);
  const direct = access.getByRole('row', { name: /local\/packages.*Direct member/ });
  await expect(direct).toBeVisible();
  await picture(gatehouse, 'user-access');
  await keys.walkTo(access.locator('[role=row][tabindex="0"]'));
  await keys.press('End', 'ArrowUp');
  await expect(direct).toBeFocused();
  await keys.choose(direct.getByRole('button', { name: 'Actions for local/packages' }), 'Remove…');
  const remove = page.getByRole('dialog', { name: 'Remove “Ada Adams” from “local/packages”?' });
  await keys.enter(remove.getByRole('button', { name: 'Remove', exact: true }));
  await expect(direct).toHaveCount(0);
  await keys.settled();
  // Enter opens the place.
  await keys.walkTo(access.locator('[role=row][tabindex="0"]'));
  await keys.press('Home', 'Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'pilots' })).toBeVisible();
  await keys.press('Alt+ArrowLeft');
  await keys.walkTo(access.locator('[role=row][tabindex="0"]'));
  await keys.press('End', 'Enter');
  await expect(page.getByRole('heading', { level: 2, name: 'production' })).toBeVisible();
  await keys.press('Alt+ArrowLeft');
  await keys.enter(page.getByRole('link', { name: '1 token' }));
  await expect(page.getByRole('grid', { name: 'Tokens' }).getByRole('row')).toContainText(['Name', /^ci.*@ada/]);
});

test('a project leads to its lines for clients, and a group to its projects and to a new one', async ({
  gatehouse,
  rest,
  keys,
}) => {
  const { page } = gatehouse;
  const pilots = (await rest('POST', '/groups', { name: 'Pilots', path: 'pilots' })).body as { id: number };
  const rockets = { name: 'Rockets', path: 'rockets', namespace_id: pilots.id };
  expect((await rest('POST', '/projects', rockets)).status).toBe(201);
  await keys.go('People');
  const tabs = page.getByRole('tablist', { name: 'People' });
  await keys.switchTo(tabs, 'tab', 'Projects');
  await keys.find('rockets');
  await keys.enter(page.getByRole('row', { name: /pilots\/rockets/ }));
  const main = page.getByRole('main');
  await keys.enter(main.getByRole('link', { name: 'Connect' }));
  await expect(page.getByRole('combobox', { name: 'Project' })).toHaveValue('pilots/rockets');
  await expect(page.getByRole('group', { name: '.npmrc' })).toContainText('/projects/2/');

  await keys.go('People');
  await keys.switchTo(tabs, 'tab', 'Groups');
  await keys.find('pilots');
  await keys.enter(page.getByRole('row', { name: /pilots/ }));
  await keys.enter(main.getByRole('link', { name: 'Projects' }));
  await expect(page.getByRole('grid', { name: 'Projects' }).getByRole('row')).toContainText(['Name', 'pilots/rockets']);
  await keys.press('Control+n');
  await expect(page.getByRole('dialog').getByRole('combobox', { name: 'Group' })).toHaveValue('pilots');
  await keys.press('Escape');
  await keys.choose(page.getByRole('button', { name: 'Actions for pilots/rockets' }), 'Delete…');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
  await expect(page.getByText(/^Deleted\s+pilots\/rockets/)).toBeVisible();
});

test('a token is made, copied, used, and revoked', async ({ gatehouse, keys }) => {
  const { app, page, origin } = gatehouse;
  const whoAmI = (token: string): Promise<Response> =>
    fetch(`${origin}/api/v4/user`, { headers: { 'private-token': token } });
  await keys.go('People');
  await keys.switchTo(page.getByRole('tablist', { name: 'People' }), 'tab', 'Tokens');
  const create = page.getByRole('button', { name: 'Create a token' });
  await keys.enter(create);
  const dialog = page.getByRole('dialog', { name: 'Create a token' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await keys.type('night job');
  await keys.walkTo(dialog.getByRole('checkbox', { name: 'read_api' }));
  await keys.press('Space');
  await keys.enter(dialog.getByRole('button', { name: 'Create token' }));
  const made = page.getByRole('dialog', { name: 'The new token' });
  await expect(made.getByRole('button', { name: 'Close without copying' })).toBeVisible();
  await keys.press('Escape');
  await expect(made.getByRole('button', { name: 'Copy the lines' })).toBeFocused();
  await keys.enter(made.getByRole('button', { name: 'Copy the token' }));
  await expect(made.getByRole('button', { name: 'Copied' })).toBeFocused();
  const secret = await clipboard(app);
  const known = await whoAmI(secret);
  expect(known.status).toBe(200);
  expect(await known.json()).toMatchObject({ username: 'root' });
  const headers = { 'private-token': secret };
  const write = await send(origin, 'POST', '/api/v4/groups', { headers, body: { name: 'no', path: 'no' } });
  expect(write.status).toBe(403);

  await keys.press('Escape');
  await expect(made).toHaveCount(0);
  await expect(create).toBeFocused();
  await keys.walkTo(page.getByRole('grid', { name: 'Tokens' }).locator('[role=row][tabindex="0"]'));
  const row = page.getByRole('row', { name: /night job/ });
  await keys.press('Home');
  if (!(await row.evaluate((element) => element === document.activeElement))) await keys.press('End');
  await expect(row).toBeFocused();
  const actions = row.getByRole('button', { name: 'Actions for night job' });
  await keys.choose(actions, 'Revoke…');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }));
  await expect(row).toContainText('Revoked');
  await expect(actions).toBeFocused();
  expect((await whoAmI(secret)).status).toBe(401);
  // After a leak: what was done with this very token.
  await keys.choose(actions, 'Show activity');
  const search = page.getByRole('searchbox');
  await expect(search).toHaveValue(`night job …${secret.slice(-4)}`);
  await expect(page.getByRole('grid', { name: 'Activity' }).getByRole('row', { name: /the token/ })).toContainText([
    /Revoked the token\s*night job/,
    /Created the token\s*night job/,
  ]);
  const warning = page.getByRole('alert').filter({ hasText: 'with this token' });
  await expect(warning).toContainText(/3 requests with this token\. 2 refused, the last one just now from/);
  await keys.enter(warning.getByRole('link', { name: 'Show requests' }), 'back');
  await keys.settled();
  await expect(search).toHaveValue(`night job …${secret.slice(-4)}`);
  await expect(page.getByRole('grid', { name: 'HTTP requests' }).getByText('/api/v4/groups')).toBeVisible();
});

test('a user is changed, blocked and deleted, and publish times are set', async ({ gatehouse, rest, keys }) => {
  const { page } = gatehouse;
  await addUser(rest, 'ada', 'Ada Adams');
  const ada = async (): Promise<unknown> => ((await rest('GET', '/users?username=ada')).body as unknown[])[0];
  await keys.go('People');
  await keys.find('ada');
  const row = page.getByRole('row', { name: /@ada/ });
  await keys.walkTo(row);
  await keys.choose(row.getByRole('button', { name: 'Actions for Ada Adams' }), 'Edit…');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await keys.type('Ada Byron');
  await keys.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect(await ada()).toMatchObject({ name: 'Ada Byron' });

  const actions = row.getByRole('button', { name: 'Actions for Ada Byron' });
  await keys.choose(actions, 'Block');
  await expect(row).toContainText('Blocked');
  await expect(actions).toBeFocused();
  expect(await ada()).toMatchObject({ state: 'blocked' });
  await expect(page.getByText(/^Blocked\s+Ada Byron/)).toBeVisible();
  // From the page of the user, which the list takes the place of.
  await keys.enter(row);
  await expect(page.getByRole('note')).toContainText('This user cannot sign in');
  await keys.choose(page.getByRole('main').getByRole('button', { name: 'Actions for Ada Byron' }), 'Delete…');
  await keys.enter(dialog.getByRole('button', { name: 'Delete', exact: true }));
  await expect(page.getByRole('tab', { name: 'Users', selected: true })).toBeVisible();
  await expect(row).toHaveCount(0);
  await keys.settled();
  expect(await ada()).toBeUndefined();

  const tabs = page.getByRole('tablist', { name: 'People' });
  await keys.switchTo(tabs, 'tab', 'Projects', 'back');
  const project = page.getByRole('button', { name: 'Actions for local/packages' });
  await keys.choose(project, 'Backdate publish times…');
  await expect(dialog.getByRole('textbox', { name: /^Backdate publish times/ })).toBeFocused();
  await keys.type('48');
  await keys.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(project).toBeFocused();
  await expect
    .poll(() => page.evaluate(() => window.gatehouse.call('publishAge.get', { projectId: 1 })))
    .toMatchObject({ ok: true, value: { hours: 48 } });
});

test('users are sorted by a column, and back', async ({ gatehouse, rest, keys, picture }) => {
  const { page } = gatehouse;
  await addUser(rest, 'zoe', 'Zoe Last');
  await addUser(rest, 'ada', 'Ada Lovelace');
  await keys.go('People');
  const rows = page.getByRole('grid', { name: 'Users' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  const byName = page.getByRole('columnheader', { name: 'Name' });
  await keys.enter(byName.getByRole('button'));
  await expect(byName).toHaveAttribute('aria-sort', 'ascending');
  await expect(rows.nth(1)).toContainText('Ada Lovelace');
  await keys.press('Enter');
  await expect(byName).toHaveAttribute('aria-sort', 'descending');
  await expect(rows.nth(1)).toContainText('Zoe Last');
  await picture(gatehouse, 'people-sorted');
});
