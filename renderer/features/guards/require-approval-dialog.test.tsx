import { Notifications, notifications } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useGuards } from '../../api/guards.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { RequireApprovalDialog } from './require-approval-dialog.tsx';

const maintainers = { id: 1, kind: 'role', accessLevel: 40, userId: null, groupId: null, groupInheritanceType: 0 };
const ann = { kind: 'user', accessLevel: null, userId: 7, groupId: null, description: 'Ann', detail: '@ann' };
const staging = {
  name: 'staging',
  rules: [maintainers],
  approvalRules: [{ ...ann, id: 2, groupInheritanceType: 0, requiredApprovals: 1 }],
};

const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>();
const onClose = vi.fn();
const onRequired = vi.fn<() => void>();
/** What the server has. */
let environments: unknown[];
let guards: unknown;
let members: unknown[];
let inherited: unknown[];

/** The guard of `latest` in an environment of its own, as it is first set. */
const guard = {
  projectId: 1,
  pattern: 'latest',
  environment: 'tag-approvers',
  onRefusal: 'stage',
  deployersWait: false,
};

const byMaintainers = { rules: [{ accessLevel: 40 }], approvalRules: [] };

beforeEach(() => {
  environments = [];
  guards = { onRefusal: 'refuse', guards: [], tags: ['latest'] };
  members = [];
  inherited = [];
  call.mockImplementation((method) => {
    const value = {
      'environments.listProtected': environments,
      'guards.list': guards,
      'directory.members': members,
      'environments.listInherited': inherited,
      'directory.ruleCandidates': { users: [{ id: 7, name: 'Ann', username: 'ann' }], groups: [] },
    }[method];
    return Promise.resolve({ ok: true, value: value ?? {} });
  });
  vi.stubGlobal('gatehouse', { call });
});

afterEach(() => {
  act(() => notifications.clean());
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

async function open(tag?: string) {
  renderInWindow(
    <>
      <Notifications />
      <RequireApprovalDialog
        projects={[
          { id: 1, fullPath: 'local/packages' },
          { id: 2, fullPath: 'local/tools' },
        ]}
        {...(tag !== undefined && { tag })}
        onRequired={onRequired}
        onClose={onClose}
      />
    </>,
  );
  const dialog = within(await screen.findByRole('dialog'));
  await waitFor(() => expect(call).toHaveBeenCalledWith('environments.listProtected', { projectId: 1 }));
  return dialog;
}

const send = () => fireEvent.click(screen.getByRole('button', { name: 'Require approval' }));
const changes = () => call.mock.calls.filter(([method]) => /\.(protect|set)$/.test(method));

it('protects an environment for Maintainers and guards latest with it, by one press', async () => {
  await open();
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()).toEqual([['guards.set', { ...guard, protection: byMaintainers }]]);
  expect(await screen.findByText(/now require approval/)).toBeTruthy();
});

it('uses what protects an environment already, and shows who publishes and who approves', async () => {
  environments = [staging];
  const dialog = await open('next');
  expect((await dialog.findByRole('list', { name: 'Publish without waiting' })).textContent).toContain('Maintainers');
  expect(dialog.getByRole('list', { name: 'May approve' }).textContent).toContain('Ann');
  expect(dialog.queryByRole('textbox', { name: 'Tag' })).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Require approval'));
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()).toEqual([
    ['guards.set', { projectId: 1, pattern: 'next', environment: 'staging', onRefusal: 'stage' }],
  ]);
});

it.each([
  ['the usual one', [], 'production'],
  ['the one that guards most tags', ['staging', 'beta', 'staging', 'production'], 'staging'],
])('of several protected environments has %s chosen', async (_which, guarding, chosen) => {
  environments = ['beta', 'production', 'staging'].map((name) => ({ ...staging, name }));
  guards = {
    onRefusal: 'stage',
    guards: guarding.map((environment, index) => ({ pattern: `tag-${index}`, environment, protected: true })),
    tags: [],
  };
  const dialog = await open();
  const field = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Approvers' });
  await waitFor(() => expect(field.value).toBe(`Approvers of ${chosen}`));
});

it('does not take over an environment whose deployers would all publish without approval', async () => {
  environments = [{ ...staging, name: 'production', approvalRules: [] }];
  const dialog = await open('latest');
  const field = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Approvers' });
  expect(field.value).toBe('Chosen below');
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()[0]?.[1]).toMatchObject({ environment: 'tag-approvers', protection: byMaintainers });
});

it('leaves publishing and approving to administrators where no one else is chosen', async () => {
  const dialog = await open();
  fireEvent.click(dialog.getByRole('button', { name: 'Remove Maintainers' }));
  expect(dialog.getByText('Administrators only.')).toBeTruthy();
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()[0]?.[1]).toMatchObject({ protection: { rules: [{ accessLevel: 60 }] } });
});

it('lets the approvers of a role wait for one another where that is chosen', async () => {
  const dialog = await open('latest');
  const choice = within(dialog.getByRole('radiogroup', { name: 'When an approver publishes or moves the tag' }));
  expect(choice.getByRole<HTMLInputElement>('radio', { name: 'It happens at once' }).checked).toBe(true);
  fireEvent.click(choice.getByRole('radio', { name: 'It waits for another approver' }));
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()).toEqual([
    // An approval of one's own, allowed by an earlier guard, would be none of another.
    ['guards.set', { ...guard, protection: byMaintainers, deployersWait: true, allowSelfApproval: false }],
  ]);
  // The project by its path; it had been its number.
  expect((await screen.findByText(/now require approval/)).textContent).toContain('local/packages');
});

it('means the same by waiting for one approver as for several: any other of them is enough', async () => {
  const dialog = await open('latest');
  fireEvent.click(dialog.getByRole('button', { name: 'Remove Maintainers' }));
  expect(dialog.queryByRole('radio')).toBeNull();
  fireEvent.click(dialog.getByRole('textbox', { name: 'Approvers' }));
  fireEvent.click(await screen.findByRole('option', { name: /Ann/ }));
  fireEvent.click(dialog.getByRole('radio', { name: 'It waits for an administrator' }));
  fireEvent.click(dialog.getByRole('textbox', { name: 'Approvers' }));
  fireEvent.click(await screen.findByRole('option', { name: /^Maintainers/ }));
  expect(dialog.getByRole<HTMLInputElement>('radio', { name: 'It waits for another approver' }).checked).toBe(true);
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()[0]?.[1]).toMatchObject({
    protection: { rules: [{ userId: 7 }, { accessLevel: 40 }], approvalRules: [] },
    deployersWait: true,
  });
});

it.each([
  ['a wider guard', { pattern: 'v1*', environment: 'other', deployersWait: true }, true],
  [
    'a guard of other tags in another environment',
    { pattern: 'next', environment: 'other', deployersWait: true },
    false,
  ],
])('has approvers wait at first where %s says so', async (_which, stored, waits) => {
  guards = { onRefusal: 'stage', guards: [{ ...stored, protected: true }], tags: [] };
  const dialog = await open();
  fireEvent.change(dialog.getByRole('textbox', { name: 'Tag' }), { target: { value: 'v1-lts' } });
  const box = dialog.getByRole<HTMLInputElement>('radio', { name: 'It waits for another approver' });
  await waitFor(() => expect(box.checked).toBe(waits));
});

it('lets approvers wait for a second tag of an environment as for its first, until that is changed', async () => {
  environments = [{ ...staging, approvalRules: [] }];
  const stored = { pattern: 'latest', environment: 'staging', protected: true, deployersWait: true };
  guards = { onRefusal: 'stage', guards: [stored], tags: ['latest'] };
  const dialog = await open('next');
  const box = await dialog.findByRole<HTMLInputElement>('radio', { name: 'It waits for another approver' });
  expect(box.checked).toBe(true);
  fireEvent.click(dialog.getByRole('radio', { name: 'It happens at once' }));
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()).toMatchObject([['guards.set', { pattern: 'next', environment: 'staging', deployersWait: false }]]);
});

it.each([
  ['nobody but an administrator', [{ level: 50, user: { isAdmin: true, state: 'active' } }], true],
  ['a blocked user', [{ level: 40, user: { isAdmin: false, state: 'blocked' } }], true],
  ['an Owner', [{ level: 50, user: { isAdmin: false, state: 'active' } }], false],
])('says that nobody has the role which is to approve where it is held by %s', async (_who, held, says) => {
  members = held;
  const dialog = await open('latest');
  await dialog.findByRole('list', { name: 'Approvers' });
  await waitFor(() => expect(call).toHaveBeenCalledWith('directory.members', expect.anything()));
  const text = 'No member has the Maintainer role yet, so only administrators can approve.';
  if (says) expect(await dialog.findByText(text)).toBeTruthy();
  else expect(dialog.queryByText(text)).toBeNull();
});

it('offers the approvers of an environment that is protected already, and others, which get a new one', async () => {
  environments = [staging, { ...staging, name: 'production', approvalRules: [] }];
  const dialog = await open('latest');
  const field = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Approvers' });
  expect(field.value).toBe('Approvers of staging');
  fireEvent.click(field);
  expect(await screen.findByRole('option', { name: 'Whoever may deploy to production' })).toBeTruthy();
  fireEvent.click(await screen.findByRole('option', { name: 'Chosen below' }));
  expect(await dialog.findByRole('radiogroup', { name: 'When an approver publishes or moves the tag' })).toBeTruthy();
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()[0]?.[1]).toMatchObject({ environment: 'tag-approvers', protection: byMaintainers });
  expect(onRequired).toHaveBeenCalledTimes(1);
});

it('asks for nothing about the environment where none is protected', async () => {
  const dialog = await open('latest');
  expect(await dialog.findByRole('list', { name: 'Approvers' })).toBeTruthy();
  expect(dialog.queryByRole('combobox', { name: 'Approvers' })).toBeNull();
  expect(
    dialog.getByText(/first needs an approval in the inbox\. The rule holds for every package of local\/packages\.$/),
  ).toBeTruthy();
});

it('offers the approvers that another tag has by the name of that tag', async () => {
  environments = [{ ...staging, name: 'tag-approvers', approvalRules: [] }];
  const stored = { pattern: 'latest', environment: 'tag-approvers', protected: true, deployersWait: false };
  guards = { onRefusal: 'stage', guards: [stored], tags: ['latest'] };
  const dialog = await open('next');
  const field = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Approvers' });
  expect(field.value).toBe('The approvers of latest');
});

it('says that a group above decides who approves in environments of that tier', async () => {
  inherited = [
    { tier: 'staging', rules: [], approvalRules: staging.approvalRules, group: { id: 3, fullPath: 'acme' } },
    { tier: 'production', rules: [], approvalRules: [], group: { id: 3, fullPath: 'acme' } },
  ];
  environments = ['production', 'staging'].map((name) => ({ ...staging, name, tier: name, approvalRules: [] }));
  const dialog = await open('latest');
  const field = await dialog.findByRole('combobox', { name: 'Approvers' });
  expect(dialog.queryByText(/^The approval rules of the group/)).toBeNull();
  fireEvent.click(field);
  fireEvent.click(await screen.findByRole('option', { name: 'Whoever may deploy to staging' }));
  expect(
    dialog.getByText('The approval rules of the group acme for staging environments decide who approves.'),
  ).toBeTruthy();
});

it('says that other guarded tags wait then, too', async () => {
  guards = { onRefusal: 'refuse', guards: [{ pattern: 'next', environment: 'staging', protected: true }], tags: [] };
  const dialog = await open('latest');
  expect(await dialog.findByText(/^This also changes the other guarded tags of the project/)).toBeTruthy();
});

/** As a screen shows it that lists the guards. */
function OnceGuardsAreKnown() {
  const { data } = useGuards(1);
  return data === undefined ? null : (
    <RequireApprovalDialog projects={[{ id: 1, fullPath: 'local/packages' }]} onClose={onClose} />
  );
}

it('asks for another tag where latest is guarded already', async () => {
  environments = [{ ...staging, approvalRules: [] }];
  const stored = { pattern: 'latest', environment: 'staging', protected: true, deployersWait: false };
  guards = { onRefusal: 'stage', guards: [stored], tags: ['latest'] };
  renderInWindow(<OnceGuardsAreKnown />);
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Tag' });
  await waitFor(() => expect(field.value).toBe(''));
  fireEvent.change(field, { target: { value: 'next' } });
  expect((await dialog.findByRole('list', { name: 'Approvers' })).textContent).toContain('Maintainers');
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()).toMatchObject([['guards.set', { pattern: 'next', environment: 'staging', deployersWait: false }]]);
});

it('keeps a line below the label of the tag, whatever is typed', async () => {
  const dialog = await open();
  const type = (value: string) => fireEvent.change(dialog.getByRole('textbox', { name: 'Tag' }), { target: { value } });
  expect(dialog.getByText('Use * for any text.')).toBeTruthy();
  type('next');
  expect(dialog.getByText('No package has this tag yet.')).toBeTruthy();
  type('latest');
  expect(dialog.getByText('Use * for any text.')).toBeTruthy();
});

it('shows of a long tag the part that the pattern names', async () => {
  const branch = 'release-candidate-of-the-branch-feature-with-a-long-name';
  guards = { onRefusal: 'stage', guards: [], tags: [`${branch}-2026`, `${branch}-2027`, 'latest'] };
  const dialog = await open();
  const field = dialog.getByRole('textbox', { name: 'Tag' });
  const line = () => field.closest('.mantine-TextInput-root')?.querySelector('.mantine-TextInput-description');
  fireEvent.change(field, { target: { value: '*name-2027' } });
  expect(line()?.textContent).toBe(`Matches ${branch}-2027.`);
  expect(line()?.querySelector('bdi')?.textContent).toBe('name-2027');
  fireEvent.change(field, { target: { value: '*feature*' } });
  expect(line()?.textContent).toBe('Matches …feature-with-a-long-name-2026 and 1 more.');
});
