import type { Page } from '@playwright/test';
import { makeNpm, type Npm } from '../support/npm.ts';
import { axeViolations } from './axe.ts';
import { addUser, expect, test, type Rest } from './fixtures.ts';
import { typeAtOnce } from './keyboard.ts';

const name = '@acme/boiler';
const password = 'correct horse battery staple';
const guards = '/projects/1/packages/npm/guards';

interface Team {
  /** npm with dan's token, who may publish and may not deploy to production. */
  dan: Npm;
  /** A token of rob, with the scope api. */
  robsToken: string;
}

/** `latest` is guarded by production: maintainers deploy there, and two of mia, rob and the group of the rules approve. What is refused waits. */
async function makeTeam(rest: Rest, npm: Npm, base: string, origin: string): Promise<Team> {
  const people: Record<string, number> = {};
  for (const [username, fullName, access_level] of [
    ['dan', 'Dan Developer', 30],
    ['mia', 'Mia Maintainer', 40],
    ['rob', 'Rob Releaser', 40],
  ] as const) {
    const user_id = await addUser(rest, username, fullName);
    people[username] = user_id;
    expect((await rest('POST', '/projects/1/members', { user_id, access_level })).status).toBe(201);
  }
  const token = async (username: string) => {
    const made = await rest('POST', `/users/${people[username]}/personal_access_tokens`, {
      name: 'laptop',
      scopes: ['api'],
    });
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 });
    return (made.body as { token: string }).token;
  };
  const first = await npm.publish({ name, version: '1.0.0', license: 'MIT', dependencies: { left: '^1.0.0' } });
  expect(first, first.stderr).toMatchObject({ code: 0 });
  const environment = {
    name: 'production',
    deploy_access_levels: [{ access_level: 40 }],
    approval_rules: [{ access_level: 40, required_approvals: 2 }],
  };
  expect((await rest('POST', '/projects/1/protected_environments', environment)).status).toBe(201);
  expect(await rest('PUT', `${guards}/latest`, { environment: 'production' })).toMatchObject({ status: 200 });
  expect(await rest('PUT', '/projects/1/packages/npm/-/guard_settings', { on_refusal: 'stage' })).toMatchObject({
    status: 200,
  });
  return { dan: await makeNpm(`${base}/dan`, origin, await token('dan')), robsToken: await token('rob') };
}

async function latest(rest: Rest): Promise<string | undefined> {
  const { body } = await rest('GET', `/projects/1/packages/npm/${encodeURIComponent(name)}`);
  return (body as { 'dist-tags': Record<string, string> })['dist-tags']['latest'];
}

/** Chooses who approves, and signs as that person. */
async function sign(page: Page, person: RegExp, secret: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: /^(Approve|Reject) / });
  await dialog.getByRole('combobox', { name: / as$/ }).click();
  await page.getByRole('option', { name: person }).click();
  await dialog.getByLabel(/^Password or token of/).fill(secret);
}

test('a release of a guarded tag waits, two maintainers approve it in the window, and everybody reads why', async ({
  gatehouse,
  folders,
  npm,
  rest,
  picture,
}) => {
  const { page, origin } = gatehouse;
  const { dan, robsToken } = await makeTeam(rest, npm, folders.base, origin);
  const asked = await dan.publish({
    name,
    version: '1.1.0',
    license: 'Apache-2.0',
    engines: { node: '>=20' },
    dependencies: { left: '^2.0.0', right: '^1.0.0' },
    scripts: { postinstall: 'node install.js' },
  });
  expect(asked.code, asked.stderr).toBe(0);
  expect(asked.stderr).toContain('NOT PUBLISHED');
  expect(await latest(rest)).toBe('1.0.0');

  await expect(page.getByRole('status').filter({ hasText: '1 request waits for approval' })).toBeVisible();
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Inbox/ })
    .click();
  await expect(page.getByRole('link', { name: 'Inbox 1 waiting' })).toBeVisible();
  const detail = page.getByRole('region', { name: `${name}@1.1.0` });
  await expect(detail.getByText('Needs 2 approvals from Maintainers.')).toBeVisible();
  await expect(detail.getByRole('link', { name: 'Show the rules' })).toHaveAttribute(
    'href',
    /\/environments\?.*name=production/,
  );
  await expect(detail.getByRole('alert')).toContainText('node install.js');
  await expect(detail.getByRole('table', { name: 'Facts' })).toContainText('Apache-2.0');
  await expect(detail.getByRole('table', { name: 'Dependencies' })).toContainText('right');
  const picks = detail.getByRole('table', { name: 'What npm install picks' });
  await expect(picks.getByRole('row', { name: `npm install ${name} 1.0.0 1.1.0`, exact: true })).toBeVisible();
  await picture(gatehouse, 'inbox');
  expect(await axeViolations(gatehouse.page)).toEqual([]);

  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: `Approve ${name}@1.1.0` });
  await expect(dialog.getByText('It still needs 1 approval')).toBeVisible();
  await sign(page, /@mia/, 'not the password');
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByLabel(/^Password or token of @mia/).fill(password);
  await dialog.getByLabel('Comment').fill('Tried it on the test bench.');
  await picture(gatehouse, 'inbox-approve');
  expect(await axeViolations(gatehouse.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(dialog).toHaveCount(0);
  await expect(detail.getByText('Needs 1 approval from Maintainers.')).toBeVisible();
  await expect(detail.getByRole('list', { name: 'Given approvals' })).toContainText('Tried it on the test bench.');
  expect(await latest(rest)).toBe('1.0.0');

  await detail.getByRole('button', { name: 'Approve…' }).click();
  await sign(page, /@rob/, robsToken);
  await expect(dialog.getByText('published at once, and latest points to it')).toBeVisible();
  await dialog.getByRole('button', { name: 'Approve and publish' }).click();
  await expect(page.getByText('Nothing waits for approval')).toBeVisible();
  await expect(page.getByText(`Published ${name}@1.1.0`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Inbox', exact: true })).toBeVisible();
  expect(await latest(rest)).toBe('1.1.0');

  await page.getByRole('link', { name: 'Activity' }).click();
  const activity = page.getByRole('grid', { name: 'Activity' });
  for (const row of [/dan.*Asked to publish/, /mia.*Approved/, /rob.*Approved and published.*requested by: dan/]) {
    await expect(activity.getByRole('row', { name: row })).toHaveCount(1);
  }
  await picture(gatehouse, 'inbox-activity');
});

test('a move of a guarded tag is rejected with a reason by keyboard, and the inbox explains itself when it is empty', async ({
  gatehouse,
  folders,
  npm,
  rest,
  picture,
}) => {
  const { page, origin } = gatehouse;
  const { dan } = await makeTeam(rest, npm, folders.base, origin);
  const published = await npm.publish({ name, version: '1.1.0' }, '--tag', 'next');
  expect(published, published.stderr).toMatchObject({ code: 0 });
  for (const tag of ['latest'] as const) {
    const asked = await dan.run(folders.base, 'dist-tag', 'add', `${name}@1.1.0`, tag);
    expect(asked, asked.stderr).toMatchObject({ code: 0 });
  }
  const staged = await dan.publish({ name, version: '1.2.0' });
  expect(staged, staged.stderr).toMatchObject({ code: 0 });
  await page.keyboard.press('Control+i');
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible();
  const list = page.getByRole('list', { name: 'Waiting for approval' });
  await expect(list.getByRole('button')).toHaveCount(2);
  await page.keyboard.press('j');
  await expect(list.getByRole('button', { name: /boiler ?@1\.1\.0/ })).toBeFocused();
  const detail = page.getByRole('region', { name: `${name}@1.1.0` });
  await expect(detail.getByRole('link', { name: 'Compare the files line by line' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(detail).toBeFocused();
  await picture(gatehouse, 'inbox-tag');
  // Back to the list, which answers to the keys of every list.
  await page.keyboard.press('Escape');
  const entry = (version: string) => list.getByRole('button', { name: new RegExp(`boiler ?@${version}`) });
  await expect(entry('1.1.0')).toBeFocused();
  await page.keyboard.press('Home');
  await expect(entry('1.2.0')).toBeFocused();
  await page.keyboard.press('End');
  await expect(entry('1.1.0')).toBeFocused();
  await typeAtOnce(page, `${name}@1.2`);
  await expect(entry('1.2.0')).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem')).toHaveText([
    'Approve…',
    'Reject…',
    'Open the package',
    'Copy name and version',
  ]);
  await page.keyboard.press('Escape');
  await expect(entry('1.1.0')).toBeFocused();
  // What a right click offers is about the entry under the pointer.
  await entry('1.2.0').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Reject…' }).click();
  const byMenu = page.getByRole('dialog', { name: `Reject ${name}@1.2.0` });
  await expect(byMenu).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(byMenu).toBeHidden();
  await entry('1.1.0').focus();
  await page.keyboard.press('r');
  const dialog = page.getByRole('dialog', { name: `Reject moving latest of ${name} to 1.1.0` });
  await expect(dialog.getByRole('combobox', { name: 'Reject as' })).toBeFocused();
  await sign(page, /@mia/, password);
  await dialog.getByLabel('Reason').fill('The changelog is missing.');
  await picture(gatehouse, 'inbox-reject');
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(list.getByRole('button')).toHaveCount(1);
  expect(await latest(rest)).toBe('1.0.0');
  await page.getByRole('link', { name: 'Activity' }).click();
  await page
    .getByRole('grid', { name: 'Activity' })
    .getByRole('row', { name: /mia.*Rejected/ })
    .click({ position: { x: 20, y: 20 } });
  await expect(page.getByRole('dialog')).toContainText('The changelog is missing.');
});

test('a dialog decides about the release that it was opened for, and about no other when that one is gone', async ({
  gatehouse,
  folders,
  npm,
  rest,
}) => {
  const { page, origin } = gatehouse;
  const { dan, robsToken } = await makeTeam(rest, npm, folders.base, origin);
  for (const version of ['1.1.0', '1.2.0']) {
    const asked = await dan.publish({ name, version });
    expect(asked.code, asked.stderr).toBe(0);
  }
  await page.keyboard.press('Control+i');
  const list = page.getByRole('list', { name: 'Waiting for approval' });
  await expect(list.getByRole('button')).toHaveCount(2);
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: `Approve ${name}@1.2.0` });
  await sign(page, /@mia/, password);
  const waiting = await rest('GET', '/projects/1/packages/npm/-/requests');
  const { items } = waiting.body as { items: { id: string; version: string }[] };
  const gone = items.find(({ version }) => version === '1.2.0')?.id ?? '';
  const rejection = await fetch(`${origin}/api/v4/projects/1/packages/npm/-/requests/${gone}/approval`, {
    method: 'POST',
    headers: { 'private-token': robsToken, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'rejected', comment: 'Not now.' }),
  });
  expect(rejection.status, await rejection.text()).toBe(201);
  await expect(list.getByRole('listitem', { includeHidden: true })).toHaveCount(1);
  await expect(dialog.getByText('It no longer waits')).toBeVisible();
  await expect(dialog.getByRole('button', { name: /^Approve/ })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: `${name}@1.1.0` })).toContainText('Needs 2 approvals');
});

test('an empty inbox lets publishes to latest wait by one dialog, and the next one by a Developer comes there', async ({
  gatehouse,
  folders,
  npm,
  rest,
  picture,
}) => {
  const { page, origin } = gatehouse;
  expect((await npm.publish({ name, version: '1.0.0' })).code).toBe(0);
  const user_id = await addUser(rest, 'dan', 'Dan Developer');
  expect((await rest('POST', '/projects/1/members', { user_id, access_level: 30 })).status).toBe(201);
  const made = await rest('POST', `/users/${user_id}/personal_access_tokens`, { name: 'laptop', scopes: ['api'] });
  const dan = await makeNpm(`${folders.base}/dan`, origin, (made.body as { token: string }).token);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('button', { name: 'Require approval…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Require approval' });
  await expect(dialog.getByLabel('Tag', { exact: true })).toBeFocused();
  // Who publishes packages need not know of environments.
  await expect(dialog.getByText(/environment/i)).toHaveCount(0);
  await expect(dialog.getByRole('combobox')).toHaveCount(0);
  await picture(gatehouse, 'require-approval');
  expect(await axeViolations(gatehouse.page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/^Publishing to a tag that requires approval, or moving it, waits here/)).toBeVisible();
  expect((await dan.publish({ name, version: '1.1.0' })).code).toBe(0);
  await expect(page.getByRole('region', { name: `${name}@1.1.0` })).toContainText('Needs 1 approval');
  expect(await latest(rest)).toBe('1.0.0');
  expect((await npm.publish({ name, version: '1.2.0' })).code).toBe(0);
  expect(await latest(rest)).toBe('1.2.0');

  const protectedOnes = async () => (await rest('GET', '/projects/1/protected_environments')).body;
  expect(await protectedOnes()).toMatchObject([{ name: 'tag-approvers' }]);
  // A Maintainer publishes at once, until those who may deploy have to wait, too.
  expect((await rest('PUT', `/projects/1/members/${user_id}`, { access_level: 40 })).status).toBe(200);
  await page.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('button', { name: /^Tag approvals/ }).click();
  await page.getByRole('button', { name: 'Change what needs approval for latest' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'It waits for another approver' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Approvers need approval, too\./)).toBeVisible();
  expect((await dan.publish({ name, version: '1.2.1' })).code).toBe(0);
  expect(await latest(rest)).toBe('1.2.0');

  // It is taken back where it shows.
  await page.getByRole('link', { name: 'Packages' }).click();
  await page.getByRole('row', { name: /@acme\/boiler/ }).click();
  await page.getByRole('button', { name: 'Change latest' }).click();
  await page.getByRole('menuitem', { name: 'No longer require approval…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: /^latest requires approval/ })).toBeHidden();
  // Its approvers were for this tag alone.
  await expect.poll(protectedOnes).toEqual([]);
  expect((await dan.publish({ name, version: '1.3.0' })).code).toBe(0);
  expect(await latest(rest)).toBe('1.3.0');
});

test('a tag is guarded on the environments screen, which says what a publish becomes, and shows a lock on the package', async ({
  gatehouse,
  npm,
  rest,
  picture,
}) => {
  const { page } = gatehouse;
  expect((await npm.publish({ name, version: '1.0.0' })).code).toBe(0);
  const user_id = await addUser(rest, 'dan', 'Dan Developer');
  expect((await rest('POST', '/projects/1/members', { user_id, access_level: 30 })).status).toBe(201);
  const rules = { name: 'production', deploy_access_levels: [{ access_level: 40 }] };
  expect((await rest('POST', '/projects/1/protected_environments', rules)).status).toBe(201);
  await page.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('button', { name: /^Tag approvals/ }).click();
  await expect(page.getByText('No tag requires approval')).toBeVisible();
  await page.getByRole('button', { name: 'Require approval…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tag', { exact: true }).fill('lat*');
  await dialog.getByRole('combobox', { name: 'Approvers' }).click();
  await page.getByRole('option', { name: 'Whoever may deploy to production' }).click();
  await expect(dialog.getByText('Matches latest.')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Approvers' })).toContainText('Maintainers');
  await picture(gatehouse, 'guard-dialog');
  await dialog.getByRole('button', { name: 'Require approval' }).click();
  const guarded = page.getByRole('list', { name: 'Tags that require approval' });
  await expect(guarded.getByRole('listitem')).toContainText(['lat*']);
  await page.getByRole('button', { name: 'Let it fail instead…' }).click();
  await dialog.getByRole('radio', { name: 'It fails with an error' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Publishing to these tags, or moving them, fails with an error/)).toBeVisible();
  await expect(guarded.getByText('May publish: Maintainers')).toBeVisible();
  // The inbox, which stays empty so, leads to the choice.
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByRole('button', { name: 'Let them wait here…' }).click();
  await expect(dialog.getByRole('radio', { name: 'It fails with an error' })).toBeFocused();
  await dialog.getByRole('radio', { name: 'It waits for approval in the inbox' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(guarded.getByText(/^Approvers publish without approval\./)).toBeVisible();
  await expect
    .poll(() => rest('GET', '/projects/1/packages/npm/-/guard_settings'))
    .toMatchObject({ body: { on_refusal: 'stage' } });
  await guarded.getByRole('button', { name: 'Change what needs approval for lat*' }).click();
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Allow self-approval' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(guarded.getByText('Self-approval allowed')).toBeVisible();
  await guarded.scrollIntoViewIfNeeded();
  await picture(gatehouse, 'guards');
  expect(await axeViolations(gatehouse.page)).toEqual([]);
  await page.getByRole('button', { name: 'Check who may publish…' }).click();
  const preview = page.getByRole('list', { name: 'What npm publish --tag latest becomes' });
  await expect(preview.getByRole('listitem').filter({ hasText: '@dan' })).toContainText('Waits for approval');
  await expect(preview.getByRole('listitem').filter({ hasText: '@root' })).toContainText('May publish');
  await picture(gatehouse, 'guard-preview');
  expect(await axeViolations(gatehouse.page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Packages' }).click();
  await page.getByRole('row', { name: /@acme\/boiler/ }).click();
  await expect(page.getByRole('button', { name: 'latest requires approval: who may publish' })).toBeVisible();
  await page.getByRole('button', { name: 'Add a tag' }).click();
  await page.getByRole('dialog').getByLabel('Tag', { exact: true }).fill('latest');
  await expect(page.getByRole('dialog').getByText('This tag requires approval')).toBeVisible();
  await picture(gatehouse, 'guarded-tag');
  await page.keyboard.press('Escape');
  expect((await rest('DELETE', '/projects/1/protected_environments/production')).status).toBe(204);
  const staging = { name: 'staging', deploy_access_levels: [{ access_level: 40 }] };
  expect((await rest('POST', '/projects/1/protected_environments', staging)).status).toBe(201);
  await page.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('navigation', { name: 'Environments' }).getByText('staging').click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'lat* should wait for approvers of production, which is not protected. Everyone who may publish can move these tags.',
  );
  // What guards without a protection is shown like any other; the warning leads there.
  const guardsOnly = page.getByRole('form', { name: 'Guards of production' });
  await expect(guardsOnly).toHaveCount(0);
  await page.getByRole('alert').getByRole('link', { name: 'production' }).click();
  await expect(guardsOnly.getByText('Not protected: everyone with the Developer role')).toBeVisible();
  await picture(gatehouse, 'guards-unprotected');
  expect(await axeViolations(gatehouse.page)).toEqual([]);
  await guardsOnly.getByRole('link', { name: 'lat*' }).click();
  await expect(guarded.getByText('No effect')).toBeVisible();
  await guarded.getByRole('link', { name: 'production' }).click();
  await guardsOnly.getByRole('button', { name: 'Protect…' }).click();
  await expect(page.getByRole('combobox', { name: 'Environment' })).toHaveValue('production');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect((await rest('DELETE', '/projects/1/protected_environments/staging')).status).toBe(204);
  await guardsOnly.getByRole('link', { name: 'lat*' }).click();
  await guarded.getByRole('button', { name: 'Remove approval for lat*' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No tag requires approval')).toBeVisible();
  await page.getByRole('link', { name: 'Packages' }).click();
  await page.getByRole('link', { name: 'Environments' }).click();
  await expect(page.getByText('No protected environments')).toBeVisible();
});
