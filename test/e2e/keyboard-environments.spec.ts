import type { Page } from '@playwright/test';
import { expect, test, type Keyboard } from './keyboard.ts';
import { addUser, type Rest } from './fixtures.ts';

const environments = '/projects/1/protected_environments';
/** A developer, a group that is invited, and production open to maintainers. */
async function makePeople(rest: Rest): Promise<{ ada: number; pilots: number }> {
  const ada = await addUser(rest, 'ada', 'Ada Adams');
  expect((await rest('POST', '/projects/1/members', { user_id: ada, access_level: 30 })).status).toBe(201);
  const group = await rest('POST', '/groups', { name: 'Pilots', path: 'pilots' });
  const { id: pilots } = group.body as { id: number };
  const share = { group_id: pilots, group_access: 30 };
  expect((await rest('POST', '/projects/1/share', share)).status).toBe(201);
  return { ada, pilots };
}

async function protect(rest: Rest, name = 'production'): Promise<void> {
  const made = await rest('POST', environments, { name, deploy_access_levels: [{ access_level: 40 }] });
  expect(made.status).toBe(201);
}

/** Finds by typing and takes what is offered first, or what `arrows` lead to from there. */
async function addRule(page: Page, keys: Keyboard, typed: string, offered: RegExp, ...arrows: string[]): Promise<void> {
  await keys.walkTo(page.getByRole('textbox', { name: 'Allowed to deploy' }));
  await keys.type(typed);
  const lit = page.locator('[role=option][data-combobox-selected]');
  await expect(lit).toBeVisible();
  await expect(page.getByRole('option', { name: offered })).toBeVisible();
  await keys.press(...arrows);
  await expect(lit).toHaveAccessibleName(offered);
  await keys.press('Enter');
  await expect(page.getByRole('option')).toHaveCount(0);
}

test('an environment is protected, with everything found by typing', async ({ gatehouse, rest, keys }) => {
  const { page } = gatehouse;
  const { ada, pilots } = await makePeople(rest);
  await protect(rest, 'acceptance');
  await keys.go('Environments');
  await keys.enter(page.getByRole('button', { name: 'Protect an environment' }));
  const form = page.getByRole('form', { name: 'Protect an environment' });
  await expect(form.getByLabel('Environment', { exact: true }).and(page.locator('input'))).toBeFocused();
  await keys.type('production');
  await keys.press('Escape');
  await addRule(page, keys, 'maint', /^Maintainers/);
  await addRule(page, keys, 'ada', /^Ada Adams/);
  await addRule(page, keys, 'pil', /^Pilots/);
  await keys.enter(form.getByRole('button', { name: 'Protect', exact: true }));
  await expect(page.getByRole('form', { name: 'Rules of production' })).toBeVisible();
  await keys.settled();
  await expect(page.getByRole('button', { name: /^production/ })).toBeFocused();
  await expect
    .poll(async () => (await rest('GET', `${environments}/production`)).body)
    .toMatchObject({
      deploy_access_levels: [
        { access_level: 40, user_id: null, group_id: null },
        { user_id: ada },
        { group_id: pilots },
      ],
    });
});

test('rules are edited, looked over, saved, and taken away', async ({ gatehouse, rest, keys }) => {
  const { page } = gatehouse;
  const { ada } = await makePeople(rest);
  await protect(rest);
  await keys.go('Environments');
  const form = page.getByRole('form', { name: 'Rules of production' });
  await addRule(page, keys, 'ada', /^Ada Adams/);
  await keys.enter(form.getByRole('button', { name: 'Remove Maintainers' }));
  await expect(form.getByRole('listitem').filter({ hasText: 'Maintainers' })).toContainText('Removed');
  await expect(form.getByRole('status')).toContainText('Ada Adams');
  // Nothing is changed by looking at it.
  expect((await rest('GET', `${environments}/production`)).body).toMatchObject({
    deploy_access_levels: [{ access_level: 40 }],
  });
  await keys.enter(form.getByRole('button', { name: 'Save', exact: true }));
  await expect(form.getByRole('status')).toHaveText('All changes are saved.');
  await keys.settled();
  const { body } = await rest('GET', `${environments}/production`);
  expect((body as { deploy_access_levels: unknown[] }).deploy_access_levels).toMatchObject([{ user_id: ada }]);

  await keys.enter(form.getByRole('button', { name: /^Unprotect/ }), 'back');
  await keys.enter(page.getByRole('dialog').getByRole('button', { name: 'Unprotect', exact: true }));
  await expect(form).toHaveCount(0);
  await keys.settled();
  await expect.poll(async () => (await rest('GET', `${environments}/production`)).status).toBe(404);
});

test('an edit goes on top of a change made elsewhere, which is shown before it is saved', async ({
  gatehouse,
  rest,
  keys,
}) => {
  const { page } = gatehouse;
  const { ada } = await makePeople(rest);
  await protect(rest);
  await keys.go('Environments');
  const form = page.getByRole('form', { name: 'Rules of production' });
  await addRule(page, keys, 'ada', /^Ada Adams/);
  const theirs = await rest('PUT', `${environments}/production`, { deploy_access_levels: [{ access_level: 30 }] });
  expect(theirs.status).toBe(200);
  await expect(form.getByText('Merged with a change made elsewhere')).toBeVisible();
  await expect(form.getByRole('status')).toHaveText('Adds Ada Adams.');
  await keys.enter(form.getByRole('button', { name: 'Save', exact: true }));
  await expect(form.getByRole('status')).toHaveText('All changes are saved.');
  await keys.settled();
  const { body } = await rest('GET', `${environments}/production`);
  expect((body as { deploy_access_levels: unknown[] }).deploy_access_levels).toMatchObject([
    { access_level: 40 },
    { access_level: 30 },
    { user_id: ada },
  ]);
});

test('the matrix is walked with arrows, and each cell says why', async ({ gatehouse, rest, keys }) => {
  const { page } = gatehouse;
  const { ada } = await makePeople(rest);
  await protect(rest);
  const staging = { name: 'staging', deploy_access_levels: [{ user_id: ada }] };
  expect((await rest('POST', environments, staging)).status).toBe(201);
  await keys.go('Environments');
  await keys.switchTo(page.getByRole('radiogroup', { name: 'View' }), 'radio', 'Who may deploy');
  const table = page.getByRole('table', { name: 'Who may deploy where' });
  await keys.walkTo(table.locator('button[tabindex="0"]'));
  await keys.press('ArrowUp', 'ArrowUp', 'ArrowLeft');
  const why = page.getByRole('main').getByRole('status').last();
  await expect(table.getByRole('button', { name: /^Ada Adams .* production$/ })).toBeFocused();
  await expect(why).toContainText('No rule of production allows @ada, who has');
  await keys.press('ArrowRight');
  await expect(table.getByRole('button', { name: 'Ada Adams may deploy to staging' })).toBeFocused();
  await expect(why).toContainText('The rules of staging allow @ada by name.');
  await keys.press('ArrowDown');
  await expect(table.getByRole('button', { name: /^Administrator|^root/i }).last()).toBeFocused();

  // The views change places: the focus is on what was asked for, not on what is first there.
  await keys.enter(table.getByRole('link', { name: 'Rules of staging' }), 'back');
  await expect(page.getByRole('form', { name: 'Rules of staging' })).toBeVisible();
  const entries = page.getByRole('navigation', { name: 'Protected environments' });
  await expect(entries.getByRole('button', { name: /^staging/ })).toBeFocused();
  await keys.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox')).toBeFocused();
  await keys.type('who may deploy');
  await keys.press('Enter');
  await expect(table).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Environments', level: 1 })).toBeFocused();
  // The answer, of what is asked for only, leads there, too.
  await expect(page.getByText('Click a tick or cross to see why.')).toBeVisible();
  await keys.walkTo(table.locator('button[tabindex="0"]'));
  await keys.enter(page.getByRole('link', { name: 'Show the rules' }));
  await expect(page.getByRole('form', { name: 'Rules of production' })).toBeVisible();
});

test('back from the access of the project, the matrix explains the cell that it was left at, not the first one', async ({
  gatehouse,
  rest,
  keys,
}) => {
  const { page } = gatehouse;
  const { ada } = await makePeople(rest);
  const grace = await addUser(rest, 'grace', 'Grace Green');
  expect((await rest('POST', '/projects/1/members', { user_id: grace, access_level: 30 })).status).toBe(201);
  await protect(rest);
  const staging = { name: 'staging', deploy_access_levels: [{ user_id: ada }] };
  expect((await rest('POST', environments, staging)).status).toBe(201);
  await keys.go('Environments');
  await keys.switchTo(page.getByRole('radiogroup', { name: 'View' }), 'radio', 'Who may deploy');
  const table = page.getByRole('table', { name: 'Who may deploy where' });
  const cell = table.getByRole('button', { name: 'Grace Green may not deploy to staging' });
  await keys.walkTo(table.locator('button[tabindex="0"]'));
  await keys.press('ArrowRight', 'ArrowDown', 'ArrowDown');
  await expect(cell).toBeFocused();
  await keys.enter(page.getByRole('link', { name: 'Change roles' }));
  await expect(page.getByRole('heading', { name: 'local/packages', level: 1 })).toBeVisible();
  await expect(page.locator('.gh-table-row:has(.gh-table-flash)')).toHaveText(/Grace Green/);
  await keys.press('Alt+ArrowLeft');
  await expect(cell).toHaveAttribute('tabindex', '0');
  await expect(page.getByRole('main').getByRole('status').last()).toContainText('allows @grace');
  await keys.enter(page.getByRole('link', { name: 'Change roles' }));
  await keys.enter(page.getByRole('link', { name: 'Back to staging' }));
  await expect(cell).toHaveAttribute('tabindex', '0');
});
