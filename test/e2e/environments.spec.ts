import { expect, test } from './fixtures.ts';

const environments = '/projects/1/protected_environments';

test('a rule set in the window is seen by REST', async ({ gatehouse, rest, picture }) => {
  const { page } = gatehouse;
  await page.getByRole('link', { name: 'Environments' }).click();
  await page.getByText('No protected environments').waitFor();
  await picture(gatehouse, 'environments-empty');
  // The other view, which has nobody to show yet, has the same button.
  await page.getByText('Who may deploy', { exact: true }).click();
  await expect(page.getByText('Protect one to see here who may deploy to it, and why.')).toBeVisible();
  await page.getByRole('button', { name: 'Protect an environment' }).click();
  const form = page.getByRole('form', { name: 'Protect an environment' });
  // The form has its own primary button; the one that opened it leads into the form.
  const opener = page.getByRole('button', { name: 'Protect an environment' });
  await expect(opener).toHaveAttribute('data-variant', 'default');
  await opener.click();
  await expect(form.getByRole('combobox', { name: 'Environment' })).toBeFocused();
  await form.getByLabel('Environment', { exact: true }).and(page.locator('input')).fill('production');
  await form.getByRole('textbox', { name: 'Allowed to deploy' }).fill('maint');
  await page.getByRole('option', { name: /^Maintainers/ }).click();
  await form.getByRole('textbox', { name: 'Allowed to deploy' }).fill('');
  await form.getByRole('button', { name: 'Protect', exact: true }).click();
  await expect(page.getByRole('form', { name: 'Rules of production' })).toBeVisible();
  await expect
    .poll(() => rest('GET', `${environments}/production`))
    .toMatchObject({
      status: 200,
      body: { name: 'production', deploy_access_levels: [{ access_level: 40, user_id: null, group_id: null }] },
    });
  await picture(gatehouse, 'environments');
});

test('an environment protected over REST appears in the open window, and goes', async ({ gatehouse, rest }) => {
  const { page } = gatehouse;
  await page.getByRole('link', { name: 'Environments' }).click();
  await page.getByText('No protected environments').waitFor();
  const created = await rest('POST', environments, { name: 'staging', deploy_access_levels: [{ access_level: 30 }] });
  expect(created).toMatchObject({ status: 201 });
  const item = page
    .getByRole('navigation', { name: 'Protected environments' })
    .getByRole('button', { name: /staging/ });
  await expect(item).toBeVisible();
  expect(await rest('DELETE', `${environments}/staging`)).toMatchObject({ status: 204 });
  await expect(item).toHaveCount(0);
});

test('an environment unprotected in the window is gone over REST', async ({ gatehouse, rest }) => {
  const { page } = gatehouse;
  await rest('POST', environments, { name: 'production', deploy_access_levels: [{ access_level: 40 }] });
  await page.getByRole('link', { name: 'Environments' }).click();
  const form = page.getByRole('form', { name: 'Rules of production' });
  await form.getByRole('button', { name: /^Unprotect/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unprotect', exact: true }).click();
  await expect(form).toHaveCount(0);
  await expect.poll(async () => (await rest('GET', `${environments}/production`)).status).toBe(404);
});

test('an edit over REST is not overwritten by an older one in the window', async ({ gatehouse, rest }) => {
  const { page } = gatehouse;
  await rest('POST', environments, { name: 'production', deploy_access_levels: [{ access_level: 40 }] });
  await page.getByRole('link', { name: 'Environments' }).click();
  const form = page.getByRole('form', { name: 'Rules of production' });
  await form.getByRole('textbox', { name: 'Allowed to deploy' }).fill('root');
  await page.getByRole('option', { name: /root/ }).click();
  const changed = await rest('PUT', `${environments}/production`, { deploy_access_levels: [{ access_level: 30 }] });
  expect(changed).toMatchObject({ status: 200 });
  await expect(form.getByText('Merged with a change made elsewhere')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Remove Developers and Maintainers' })).toBeVisible();
});

test('what a group protects stands beside the rules of the project and is edited in the group', async ({
  gatehouse,
  rest,
  picture,
}) => {
  const { page } = gatehouse;
  const ofGroup = { name: 'production', deploy_access_levels: [{ access_level: 60 }] };
  expect((await rest('POST', '/groups/1/protected_environments', ofGroup)).status).toBe(201);
  await page.getByRole('link', { name: 'Environments' }).click();
  await expect(page.getByText('From the group local')).toBeVisible();
  const rules = { name: 'live', deploy_access_levels: [{ access_level: 40 }], approval_rules: [{ access_level: 40 }] };
  expect((await rest('POST', environments, rules)).status).toBe(201);
  const form = page.getByRole('form', { name: 'Rules of live' });
  await expect(form.getByRole('list', { name: 'Allowed to deploy by local' })).toContainText('Administrators');
  await form.getByRole('textbox', { name: 'Approvals of Maintainers' }).fill('2');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(async () => (await rest('GET', `${environments}/live`)).body)
    .toMatchObject({ approval_rules: [{ access_level: 40, required_approvals: 2 }] });
  await picture(gatehouse, 'environments-inherited');

  await form.getByRole('link', { name: 'Edit them in the group' }).click();
  const ofLocal = page.getByRole('form', { name: 'Rules of production' });
  await ofLocal.getByRole('textbox', { name: 'Allowed to deploy' }).click();
  await page.getByRole('option', { name: /^Maintainers/ }).click();
  await ofLocal.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(async () => (await rest('GET', '/groups/1/protected_environments/production')).body)
    .toMatchObject({ deploy_access_levels: [{ access_level: 60 }, { access_level: 40 }] });
  await picture(gatehouse, 'environments-group');
  await page.getByRole('combobox', { name: 'Project or group' }).click();
  await page.getByRole('option', { name: 'local/packages' }).click();
  await expect(form.getByRole('list', { name: 'Allowed to deploy by local' })).toContainText('Maintainers');
});

test('without a project, the screen leads to the form of a new one', async ({ gatehouse, rest }) => {
  const { page } = gatehouse;
  expect((await rest('DELETE', '/projects/1')).status).toBe(202);
  await page.getByRole('link', { name: 'Environments' }).click();
  await page.getByRole('button', { name: 'Add a project' }).click();
  await expect(page.getByRole('dialog', { name: 'Add a project' })).toBeVisible();
});

test('an environment could not be protected while the empty tag approvals were shown', async ({ gatehouse }) => {
  const { page } = gatehouse;
  await page.evaluate(() => {
    location.hash = '/environments?view=tags';
  });
  await expect(page.getByText('No tag requires approval')).toBeVisible();
  await page.getByRole('button', { name: 'Protect an environment' }).click();
  await expect(page.getByRole('combobox', { name: 'Environment', exact: true })).toBeVisible();
});
