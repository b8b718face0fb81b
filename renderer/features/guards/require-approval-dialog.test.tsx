import { Notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
/** What the server has. */
let environments: unknown[];
let guards: unknown;

beforeEach(() => {
  environments = [];
  guards = { onRefusal: 'refuse', guards: [], tags: ['latest'] };
  call.mockImplementation((method) => {
    const value = {
      'environments.listProtected': environments,
      'guards.list': guards,
      'directory.ruleCandidates': { users: [{ id: 7, name: 'Ann', username: 'ann' }], groups: [] },
    }[method];
    return Promise.resolve({ ok: true, value: value ?? {} });
  });
  vi.stubGlobal('gatehouse', { call });
});

afterEach(() => {
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

it('protects the usual environment for Maintainers and guards latest with it, by one press', async () => {
  await open();
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()).toEqual([
    ['environments.protect', { projectId: 1, name: 'production', rules: [{ accessLevel: 40 }], approvalRules: [] }],
    ['guards.set', { projectId: 1, pattern: 'latest', environment: 'production', onRefusal: 'stage' }],
  ]);
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
  await waitFor(() =>
    expect(dialog.getByRole<HTMLInputElement>('combobox', { name: 'Environment' }).value).toBe(chosen),
  );
});

it('does not take over an environment whose deployers would all publish without approval', async () => {
  environments = [{ ...staging, name: 'production', approvalRules: [] }];
  const dialog = await open('latest');
  const field = await dialog.findByRole<HTMLInputElement>('combobox', { name: 'Environment' });
  expect(field.value).toBe('releases');
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes().map(([, params]) => params)).toMatchObject([{ name: 'releases' }, { environment: 'releases' }]);
});

it('leaves publishing and approving to administrators where no one else is chosen', async () => {
  const dialog = await open();
  fireEvent.click(dialog.getByRole('button', { name: 'Remove Maintainers' }));
  expect(dialog.getByText('Administrators only.')).toBeTruthy();
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()[0]?.[1]).toMatchObject({ rules: [{ accessLevel: 60 }] });
});

it('lets the approvers of a role wait for one another where that is ticked', async () => {
  const dialog = await open('latest');
  const wait = dialog.getByRole('checkbox', { name: 'Approvers must wait, too' });
  expect(dialog.getByText('Otherwise they publish without waiting.')).toBeTruthy();
  fireEvent.click(wait);
  expect(dialog.getByText('What they publish needs the approval of another of them.')).toBeTruthy();
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()[0]).toEqual([
    'environments.protect',
    {
      projectId: 1,
      name: 'production',
      rules: [{ accessLevel: 60 }],
      approvalRules: [{ accessLevel: 40, requiredApprovals: 1 }],
    },
  ]);
  // The project by its path; it had been its number.
  expect((await screen.findByText(/now require approval/)).textContent).toContain('local/packages');
});

it('says of several approvers who wait that each of them has to approve, and lets them publish where that is not ticked', async () => {
  const dialog = await open('latest');
  const wait = dialog.getByRole('checkbox', { name: 'Approvers must wait, too' });
  fireEvent.click(wait);
  fireEvent.click(dialog.getByRole('textbox', { name: 'May approve' }));
  fireEvent.click(await screen.findByRole('option', { name: /Ann/ }));
  expect(dialog.getByText('Every version then needs an approval from Maintainers and Ann.')).toBeTruthy();
  fireEvent.click(wait);
  expect(dialog.getByText('Otherwise they publish without waiting.')).toBeTruthy();
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()[0]?.[1]).toMatchObject({ rules: [{ accessLevel: 40 }, { userId: 7 }], approvalRules: [] });
});

it('makes an approval rule of each of several approvers who wait', async () => {
  const dialog = await open('latest');
  fireEvent.click(dialog.getByRole('textbox', { name: 'May approve' }));
  fireEvent.click(await screen.findByRole('option', { name: /Ann/ }));
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Approvers must wait, too' }));
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes()[0]?.[1]).toMatchObject({
    rules: [{ accessLevel: 60 }],
    approvalRules: [
      { accessLevel: 40, requiredApprovals: 1 },
      { userId: 7, requiredApprovals: 1 },
    ],
  });
});

it('shows in sight whose rules decide where an environment is protected already, and makes rules of their own by a new name', async () => {
  environments = [staging];
  const dialog = await open('latest');
  const field = await dialog.findByRole('combobox', { name: 'Environment' });
  const more = field.closest('details');
  expect(more?.open).toBe(true);
  fireEvent(more as HTMLElement, new Event('toggle'));
  fireEvent.change(field, { target: { value: 'releases' } });
  expect(await dialog.findByRole('checkbox', { name: 'Approvers must wait, too' })).toBeTruthy();
  expect(dialog.getByRole('combobox', { name: 'Environment' })).toBe(field);
  expect(more?.open).toBe(true);
  send();
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(changes().map(([, params]) => params)).toMatchObject([{ name: 'releases' }, { environment: 'releases' }]);
});

it('names the new environment that will hold the approvers, and asks for nothing about it', async () => {
  environments = [{ ...staging, name: 'production', approvalRules: [] }];
  const dialog = await open('latest');
  const more = (await dialog.findByRole('combobox', { name: 'Environment' })).closest('details');
  expect(more?.open).toBe(false);
});

it('says that other guarded tags wait then, too', async () => {
  guards = { onRefusal: 'refuse', guards: [{ pattern: 'next', environment: 'staging', protected: true }], tags: [] };
  const dialog = await open('latest');
  expect(await dialog.findByText(/the other guarded tags of the project then wait/)).toBeTruthy();
});
