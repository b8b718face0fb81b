import path from 'node:path';
import type { Page } from '@playwright/test';
import { GatehouseProcess } from '../support/gatehouse-process.ts';
import { send } from '../support/http.ts';
import { makePublishDocument } from '../support/publish-document.ts';
import { rootToken, type RunningApp } from './electron-app.ts';
import { chooseNext } from './file-dialogs.ts';
import { expect, test, type Rest } from './fixtures.ts';
import { formFaults } from './form-faults.ts';
import { layerFaults } from './layer-faults.ts';
import { layoutFaults } from './layout-faults.ts';
import {
  fillWithLongNames,
  longName,
  longSnapshot,
  longTag,
  longUser,
  longVersion,
  pictureFolder,
  resize,
  setTheme,
  show,
  sizes,
  take,
} from './sizes.ts';

/** What opens over a screen. Those that stand beside what opened them are opened again at each size. */
const kinds = {
  dialog: { selector: '.mantine-Modal-content', anchored: false },
  menu: { selector: '[role="menu"]', anchored: true },
  list: { selector: '.gh-dropdown:has([role="listbox"])', anchored: true },
  calendar: { selector: '[role="dialog"][aria-label="Choose a day"]', anchored: true },
  message: { selector: '.mantine-Notification-root', anchored: false },
};

/** Does what a person does, by keyboard: a click lands elsewhere while the window is zoomed. */
type Act = (page: Page) => Promise<void>;

interface Layer {
  /** The address of the screen. */
  readonly at: string;
  readonly kind: keyof typeof kinds;
  /** What is done once before. */
  readonly first?: Act;
  readonly open: Act;
  /** The button that closes it where Escape does not. */
  readonly close?: string;
}

const inOrder =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };
const press =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('button', { name, exact: true }).last().press('Enter');
const key =
  (...keys: readonly string[]): Act =>
  async (page) => {
    for (const each of keys) await page.keyboard.press(each);
  };
const unfold: Act = async (page) => {
  for (const summary of await page.locator('summary').all()) await summary.press('Enter');
};
const menuOf = (row: string): Act => press(`Actions for ${row}`);
const choose =
  (item: string | RegExp): Act =>
  (page) =>
    page.getByRole('menuitem', { name: item }).first().press('Enter');
const act = (row: string, item: string | RegExp): Act => inOrder(menuOf(row), choose(item));
/** Of the newest of that name: those before it were revoked by its rotation. */
const actOnToken = (item: string): Act =>
  inOrder(
    (page) =>
      page
        .getByRole('button', { name: `Actions for ${longToken}` })
        .first()
        .press('Enter'),
    choose(item),
  );
const options =
  (label: string | RegExp): Act =>
  async (page) => {
    const field = page.getByLabel(label).and(page.locator('input')).last();
    // It has the focus still, and may have gone out of sight since.
    await field.scrollIntoViewIfNeeded();
    await field.press('ArrowDown');
  };
const type =
  (label: string, text: string): Act =>
  (page) =>
    page.getByLabel(label, { exact: true }).and(page.locator('input, textarea')).last().fill(text);
const search: Act = inOrder(type('Allowed to deploy', ''), type('Allowed to deploy', 'e'));
const tick =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('checkbox', { name }).first().press('Space');

/** Looks at each layer at each size, and closes it; takes pictures of them in both themes if there is a folder for them. */
async function checkLayers(
  running: RunningApp,
  layers: Readonly<Record<string, Layer>>,
  pictures: string | undefined,
): Promise<void> {
  const { page } = running;
  const faults: Record<string, string[]> = {};
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.mouse.move(0, 0);
  for (const theme of pictures === undefined ? (['light'] as const) : (['light', 'dark'] as const)) {
    await setTheme(running, theme);
    for (const [name, layer] of Object.entries(layers)) {
      const { selector } = kinds[layer.kind];
      await checkLayer(running, layer, async (size) => {
        const found = [
          ...(await page.evaluate(layerFaults, { selector, takesFocus: layer.kind !== 'message' })),
          ...(await page.evaluate(layoutFaults, selector)),
          ...(await page.evaluate(formFaults)),
        ];
        if (found.length > 0) faults[`${name} at ${size}`] = found;
        if (pictures !== undefined) await take(running, path.join(pictures, `${name}-${size}-${theme}.png`));
      });
    }
  }
  expect(faults).toEqual({});
}

/** Opens a layer, calls `look` at each size, and closes it. */
async function checkLayer(
  running: RunningApp,
  { at, kind, first, open, close }: Layer,
  look: (size: string) => Promise<void>,
): Promise<void> {
  const { page } = running;
  const { selector, anchored } = kinds[kind];
  const shown = page.locator(selector).filter({ visible: true });
  const dialogs = page.getByRole('dialog').filter({ visible: true });
  const shut = async (): Promise<void> => {
    await (close === undefined ? page.keyboard.press('Escape') : press(close)(page));
    await expect(shown).toHaveCount(0);
    // What it was opened from.
    for (let rest = await dialogs.count(); rest > 0; rest -= 1) await page.keyboard.press('Escape');
    await expect(dialogs).toHaveCount(0);
  };
  await show(running, at);
  if (first !== undefined) await first(page);
  for (const [index, size] of sizes.entries()) {
    await resize(running, size);
    await page.evaluate(standsStill);
    if (anchored || index === 0) {
      await open(page);
      await expect(shown.last()).toBeVisible();
    }
    await page.evaluate(standsStill);
    await look(size.name);
    if (anchored) await shut();
  }
  if (!anchored) await shut();
}

/** Runs in the page: resolves when nothing moves any more, but for what turns without end or follows a scrollbar. */
async function standsStill(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const ends = ({ timeline, effect }: Animation) =>
    timeline instanceof DocumentTimeline && Number.isFinite(effect?.getComputedTiming().endTime);
  await Promise.allSettled(
    document
      .getAnimations()
      .filter(ends)
      .map((animation) => animation.finished),
  );
}

/** No guard matches it. */
const openTag = `nightly-of-the-branch-${'feature-with-a-long-name-'.repeat(3)}2027`;
const longToken = `laptop-of-${'a-person-with-a-long-name-'.repeat(4)}1`;

/** Adds what the screens do not need for their own pictures, but their dialogs do. */
async function addMore({ page }: RunningApp, rest: Rest): Promise<void> {
  const token = await rest('POST', '/users/2/personal_access_tokens', { name: longToken, scopes: ['api', 'read_api'] });
  expect(token, JSON.stringify(token.body)).toMatchObject({ status: 201 });
  for (const name of [longSnapshot, 'friday']) {
    const made = await page.evaluate(
      (snapshot) => window.gatehouse.call('maintenance.createSnapshot', { name: snapshot }),
      name,
    );
    expect(made).toMatchObject({ ok: true });
  }
  const tags = `/projects/1/packages/npm/-/package/${encodeURIComponent(longName)}/dist-tags`;
  expect(await rest('PUT', `${tags}/${openTag}`, '1.0.0')).toMatchObject({ status: 204 });
  const names = ['@acme', '@a-scope-with-a-long-name', longName];
  expect(
    await page.evaluate((claimed) => window.gatehouse.call('upstream.claim', { names: claimed }), names),
  ).toMatchObject({ ok: true });
}

/** Of the shell, of people, of rules and of the rest that has no packages. */
const layersWithoutPackages: Record<string, Layer> = {
  palette: { at: '/packages', kind: 'dialog', open: key('Control+k') },
  'palette-results': {
    at: '/packages',
    kind: 'dialog',
    open: inOrder(key('Control+k'), type('Search packages and commands', 'a-package')),
  },
  'palette-nothing': {
    at: '/packages',
    kind: 'dialog',
    open: inOrder(key('Control+k'), type('Search packages and commands', 'qqqqqq')),
  },
  shortcuts: { at: '/packages', kind: 'dialog', open: key('Control+/') },
  'theme-menu': { at: '/packages', kind: 'menu', open: press('Theme') },
  'offline-menu': { at: '/packages', kind: 'menu', open: press(/^Network/) },

  'user-new': { at: '/people', kind: 'dialog', open: press('Add a user') },
  'user-refused': {
    at: '/people',
    kind: 'dialog',
    open: inOrder(
      press('Add a user'),
      type('Name', longUser),
      type('Username', 'root'),
      type('Email', 'ada@example.test'),
      key('Enter'),
      // Both are taken, and both are marked at once.
      (page) => expect(page.getByRole('dialog').locator('[aria-invalid="true"]')).toHaveCount(2),
    ),
  },
  'user-lacking': {
    at: '/people',
    kind: 'dialog',
    open: inOrder(press('Add a user'), type('Email', 'no address'), key('Enter'), (page) =>
      page.getByRole('dialog').locator('[aria-invalid="true"]').first().waitFor(),
    ),
  },
  'user-edit': { at: '/people', kind: 'dialog', open: act(longUser, 'Edit…') },
  'user-to-project': { at: '/people', kind: 'dialog', open: act(longUser, 'Add to a project…') },
  'user-page-menu': { at: '/people/users/3', kind: 'menu', open: menuOf(longUser) },
  'user-menu': { at: '/people', kind: 'menu', open: menuOf(longUser) },
  'user-delete': { at: '/people', kind: 'dialog', open: act(longUser, 'Delete…') },
  'group-new': { at: '/people?tab=groups', kind: 'dialog', open: press('Add a group') },
  'group-edit': { at: '/people?tab=groups', kind: 'dialog', open: act(groupPath(longUser), 'Edit…') },
  'group-delete': { at: '/people?tab=groups', kind: 'dialog', open: act(groupPath(longUser), 'Delete…') },
  'project-new': { at: '/people?tab=projects', kind: 'dialog', open: press('Add a project') },
  'project-group': {
    at: '/people?tab=projects',
    kind: 'list',
    open: inOrder(press('Add a project'), options('Group')),
  },
  'project-visibility': {
    at: '/people?tab=projects',
    kind: 'list',
    open: inOrder(press('Add a project'), options('Visibility')),
  },
  'project-publish-times': {
    at: '/people?tab=projects',
    kind: 'dialog',
    open: act('local/packages', 'Backdate publish times…'),
  },
  'project-menu': { at: '/people?tab=projects', kind: 'menu', open: menuOf('local/packages') },
  'project-delete': { at: '/people?tab=projects', kind: 'dialog', open: act('local/packages', 'Delete…') },
  'token-new': { at: '/people?tab=tokens', kind: 'dialog', open: press('Create a token') },
  'token-expires': {
    at: '/people?tab=tokens',
    kind: 'calendar',
    open: inOrder(press('Create a token'), press('Choose a day')),
  },
  'token-user': { at: '/people?tab=tokens', kind: 'list', open: inOrder(press('Create a token'), options('User')) },
  'token-rotate': { at: '/people?tab=tokens', kind: 'dialog', open: actOnToken('Rotate…') },
  'token-revoke': { at: '/people?tab=tokens', kind: 'dialog', open: actOnToken('Revoke…') },
  'token-shown': {
    at: '/people?tab=tokens',
    kind: 'dialog',
    open: inOrder(actOnToken('Rotate…'), press('Rotate'), key('Escape')),
    close: 'Close without copying',
  },
  'member-add': { at: '/people/projects/1', kind: 'dialog', open: press('Add a member') },
  'member-user': { at: '/people/projects/1', kind: 'list', open: inOrder(press('Add a member'), options('User')) },
  'member-role': { at: '/people/projects/1', kind: 'list', open: options(`Role of ${longUser}`) },
  'member-expires': {
    at: '/people/projects/1',
    kind: 'dialog',
    open: act(longUser, 'Change the expiration date…'),
  },
  'member-calendar': {
    at: '/people/projects/1',
    kind: 'calendar',
    open: inOrder(act(longUser, 'Change the expiration date…'), press('Choose a day')),
  },
  // August of 2099 touches six weeks.
  'member-calendar-six-weeks': {
    at: '/people/projects/1',
    kind: 'calendar',
    open: inOrder(
      act(longUser, 'Change the expiration date…'),
      type('Access expires on', '2099-08-15'),
      press('Choose a day'),
    ),
  },
  'member-missing': {
    at: '/people/projects/1',
    kind: 'list',
    open: inOrder(press('Add a member'), type('User', 'ci-of-the-release-crew')),
  },
  'member-remove': { at: '/people/projects/1', kind: 'dialog', open: act(longUser, 'Remove…') },
  'group-invite': { at: '/people/groups/1', kind: 'dialog', open: press('Invite a group') },
  'group-invite-list': {
    at: '/people/groups/1',
    kind: 'list',
    open: inOrder(press('Invite a group'), options('Group')),
  },

  'environment-rules': { at: '/environments', kind: 'list', open: search },
  unprotect: { at: '/environments', kind: 'dialog', open: press(/^Unprotect/) },
  'guard-new': { at: '/environments?view=tags', kind: 'dialog', open: press('Require approval…') },
  'guard-typed': {
    at: '/environments?view=tags',
    kind: 'dialog',
    open: inOrder(press('Require approval…'), type('Tag', '*-2027')),
  },
  'guard-edit': {
    at: '/environments?view=tags',
    kind: 'dialog',
    open: press(`Change what needs approval for ${longTag.slice(0, 90)}`),
  },
  'guard-remove': {
    at: '/environments?view=tags',
    kind: 'dialog',
    open: press(`Remove approval for ${longTag.slice(0, 90)}`),
  },
  'guard-refusals': {
    at: '/environments?view=tags',
    kind: 'dialog',
    open: press('Let it fail instead…'),
  },
  'publish-preview': { at: '/environments?view=tags', kind: 'dialog', open: press('Check who may publish…') },

  'protect-rules': {
    at: '/environments?name=production',
    kind: 'list',
    first: press('Protect an environment'),
    open: search,
  },

  'registry-new': { at: '/upstream', kind: 'dialog', open: press('Add a registry') },
  'registry-type': { at: '/upstream', kind: 'list', open: inOrder(press('Add a registry'), options('Type')) },
  'registry-edit': {
    at: '/upstream',
    kind: 'dialog',
    open: inOrder(act('a-registry-with-a-name-as-long-as-it-can', 'Edit…'), unfold),
  },
  'registry-menu': { at: '/upstream', kind: 'menu', open: menuOf('a-registry-with-a-name-as-long-as-it-can') },
  'registry-remove': {
    at: '/upstream',
    kind: 'dialog',
    open: act('a-registry-with-a-name-as-long-as-it-can', 'Remove…'),
  },
  'registry-test': {
    at: '/upstream',
    kind: 'message',
    open: act('a-registry-with-a-name-as-long-as-it-can', 'Test'),
    close: 'Close',
  },
  'internal-names': { at: '/upstream', kind: 'dialog', open: press('Internal names…') },
  'outbox-edit': { at: '/upstream?tab=outbox', kind: 'dialog', open: press('Edit…') },
  'outbox-registry': { at: '/upstream?tab=outbox', kind: 'list', open: options('Registry') },

  'change-details': {
    // Without the other changes, which may fill the window.
    at: '/activity?kind=environments',
    kind: 'dialog',
    open: async (page) =>
      page
        .getByRole('row', { name: /Protected.*a-branch-with-a-long-name/ })
        .first()
        .press('Enter'),
  },
  'change-undo': { at: '/activity', kind: 'dialog', open: press(/^Undo: .*a-branch-with-a-long-name/) },
  'change-kind': { at: '/activity', kind: 'list', open: options('Kind') },
  'requests-export': { at: '/activity?view=requests', kind: 'menu', open: press('Export') },
  'request-menu': {
    at: '/activity?view=requests',
    kind: 'menu',
    open: (page) =>
      page
        .getByRole('button', { name: /^Actions for GET/ })
        .first()
        .press('Enter'),
  },
  'snapshot-restore': { at: '/backups', kind: 'dialog', open: act(longSnapshot, 'Restore…') },
  'backup-restore': { at: '/backups', kind: 'dialog', open: press('Restore…') },
  'snapshot-delete': { at: '/backups', kind: 'dialog', open: act(longSnapshot, 'Delete…') },
};

/** Of packages and what waits for approval; `at` is the address of the package with the long name. */
const layersOfPackages = (at: string): Record<string, Layer> => ({
  'package-menu': { at: '/packages', kind: 'menu', open: menuOf(longName) },
  'package-copied': { at: '/packages', kind: 'message', open: act(longName, 'Copy name'), close: 'Close' },
  'package-projects': { at: '/packages', kind: 'list', open: options('Project') },
  'package-deprecate': { at, kind: 'dialog', open: act(longName, 'Deprecate all versions…') },
  'package-export': { at, kind: 'dialog', open: act(longName, 'Export as a bundle…') },
  'package-unpublish': { at, kind: 'dialog', open: act(longName, 'Unpublish all versions…') },
  'tag-new': { at, kind: 'dialog', open: press('Add a tag') },
  'tag-refused': {
    at,
    kind: 'dialog',
    open: inOrder(press('Add a tag'), type('Tag', '1.0.0'), type('Version', `${longVersion}9`), key('Tab')),
  },
  'tag-versions': { at, kind: 'list', open: inOrder(press('Add a tag'), options('Version')) },
  'tag-menu': { at, kind: 'menu', open: press(`Change ${longTag}`) },
  'tag-move': { at, kind: 'dialog', open: inOrder(press(`Change ${longTag}`), choose(/^Move/)) },
  'tag-approval': { at, kind: 'dialog', open: inOrder(press(`Change ${openTag}`), choose('Require approval…')) },
  'tag-approvers': {
    at,
    kind: 'list',
    open: inOrder(press(`Change ${openTag}`), choose('Require approval…'), options(/^Approvers$/)),
  },
  'tag-approval-new': {
    at,
    kind: 'dialog',
    open: inOrder(press(`Change ${openTag}`), choose('Require approval…'), options(/^Approvers$/), (page) =>
      page.getByRole('option', { name: 'Chosen below' }).dispatchEvent('click'),
    ),
  },
  'tag-removed': {
    at,
    kind: 'message',
    open: inOrder(press(`Change ${longTag}`), choose(/^Remove/)),
    close: 'Undo',
  },
  'tag-guarded-menu': { at, kind: 'menu', open: press('Change latest') },
  'tag-preview': { at, kind: 'dialog', open: press('latest requires approval: who may publish') },
  'version-menu': { at: `${at}?tab=versions`, kind: 'menu', open: menuOf(longVersion) },
  'version-deprecate': { at: `${at}?tab=versions`, kind: 'dialog', open: act(longVersion, 'Deprecate…') },
  'version-unpublish': { at: `${at}?tab=versions`, kind: 'dialog', open: act(longVersion, 'Unpublish…') },
  'versions-unpublish': {
    at: `${at}?tab=versions`,
    kind: 'dialog',
    open: inOrder(tick('Select all'), press('Unpublish…')),
  },
  'version-compare': { at: `${at}?tab=files`, kind: 'list', open: options('Compare with') },
  // Not after the other one, whose versions stay selected.
  'versions-deprecate': {
    at: `${at}?tab=versions`,
    kind: 'dialog',
    open: inOrder(tick('Select all'), press('Deprecate…')),
  },
  'inbox-menu': {
    at: '/inbox',
    kind: 'menu',
    open: (page) => page.locator('.gh-inbox-acts [data-row-menu]').press('Enter'),
  },
  'release-approve': { at: '/inbox', kind: 'dialog', open: press(/^Approve…/) },
  'release-approve-as': { at: '/inbox', kind: 'list', open: inOrder(press(/^Approve…/), options('Approve as')) },
  'release-reject': { at: '/inbox', kind: 'dialog', open: press(/^Reject…/) },
});

/** The path that `fillWithLongNames` gives a group. */
function groupPath(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
}

test('every dialog, menu and list is whole at every size', async ({ gatehouse, npm, rest }, testInfo) => {
  test.setTimeout(900_000);
  const { page } = gatehouse;
  await fillWithLongNames(page, npm, rest);
  await addMore(gatehouse, rest);
  await chooseNext(gatehouse.app, `/media/${'a-folder-with-a-long-name/'.repeat(4)}gatehouse-2027-01-31.backup`);
  const pictures = await pictureFolder(testInfo, 'layers');
  await page.getByRole('row', { name: new RegExp(`^${longName.slice(0, 40)}`) }).click();
  await expect(page.getByRole('tab', { name: 'Readme' })).toBeVisible();
  const address = (await page.evaluate(() => location.hash)).slice(1);
  await checkLayers(gatehouse, { ...layersWithoutPackages, ...layersOfPackages(address) }, pictures);
});

test('what is asked about changes for another registry, and about packages from it, is whole at every size', async ({
  gatehouse,
  folders,
}, testInfo) => {
  test.setTimeout(300_000);
  const { page, origin } = gatehouse;
  const registryPath = '/api/v4/projects/1/packages/npm';
  const company = await GatehouseProcess.start({ dataDir: path.join(folders.base, 'company'), rootToken });
  try {
    const publish = async (to: string, name: string, file: string): Promise<void> => {
      const body = await makePublishDocument({ name, version: longVersion, files: { [file]: '1' } });
      const { status } = await send(to, 'PUT', `${registryPath}/${encodeURIComponent(name)}`, {
        token: rootToken,
        body,
      });
      expect(status).toBe(200);
    };
    await publish(company.origin, longName, 'theirs.js');
    await publish(company.origin, `leaf-${longName.slice(6, 180)}`, 'leaf.js');
    await publish(origin, longName, 'ours.js');
    for (let index = 1; index <= 14; index += 1) await publish(origin, `@acme/boiler-${index}`, 'ours.js');
    const added = await page.evaluate(
      ([url, token]) =>
        window.gatehouse.call('upstream.create', {
          name: 'a-registry-with-a-name-as-long-as-it-can',
          kind: 'gatehouse',
          url: url ?? '',
          token: token ?? '',
          scopes: ['*', '@acme'],
          pushSelection: ['@acme'],
          pushFrom: { projectIds: [1] },
        }),
      [`${company.origin}${registryPath}`, rootToken],
    );
    expect(added).toMatchObject({ ok: true });
    const leaf = `${registryPath}/leaf-${longName.slice(6, 180)}`;
    expect((await send(origin, 'GET', leaf, { token: rootToken })).status).toBe(200);
    const sent = await page.evaluate(() =>
      window.gatehouse.call('outbox.start', { upstreamId: 1, selection: ['@acme'] }),
    );
    expect(sent).toMatchObject({ ok: true });
    await show(gatehouse, '/upstream?tab=outbox');
    const conflict = page.getByRole('row', { name: /Conflict/ }).first();
    await expect(conflict).toBeVisible();
    await expect(page.getByRole('button', { name: /^Actions for a-registry/ })).toBeVisible();
    await checkLayers(
      gatehouse,
      {
        conflict: { at: '/upstream?tab=outbox', kind: 'dialog', open: () => conflict.press('Enter') },
        'outbox-menu': { at: '/upstream?tab=outbox', kind: 'menu', open: press(/^Actions for Set the tag/) },
        'hand-over': {
          at: '/upstream?tab=outbox',
          kind: 'dialog',
          open: inOrder(press(/^Actions for a-registry/), choose(/^Take new versions from/)),
        },
        'cache-remove': {
          at: '/upstream?tab=cache',
          kind: 'dialog',
          open: inOrder(press(/^Actions for leaf/), choose('Remove…')),
        },
        'cache-remove-all': { at: '/upstream?tab=cache&of=1', kind: 'dialog', open: press('Remove all…') },
      },
      await pictureFolder(testInfo, 'registry'),
    );
  } finally {
    await company.stop();
  }
});
