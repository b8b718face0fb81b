import { notifications, Notifications } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { ShareEntry, UserAccessEntry } from '../../../server/contract/directory.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { actionsOf } from '../../ui/lists/row-menu.tsx';
import { useAccessColumns } from './access-columns.tsx';
import { accessRows, userAccessRows, type AccessRow } from './access-rows.ts';

afterEach(() => {
  act(() => notifications.clean());
  cleanup();
  vi.unstubAllGlobals();
});

const entry: UserAccessEntry = {
  user: { id: 7, username: 'ann', name: 'Ann', state: 'active', isAdmin: false },
  level: 50,
  expiresOn: null,
  direct: true,
  source: { kind: 'group', id: 1, fullPath: 'team' },
  throughGroup: null,
  container: { kind: 'group', id: 1, fullPath: 'team' },
};

const share: ShareEntry = { group: { id: 4, name: 'Pilots', fullPath: 'pilots' }, level: 30, expiresOn: null };
const project = { kind: 'project', id: 1, fullPath: 'local/packages' } as const;

/** The role of a row and its actions, with the dialog and what is said. */
function Row({ row }: { row: AccessRow | undefined }) {
  const { columns, dialog } = useAccessColumns();
  return row === undefined ? null : (
    <>
      {columns.find(({ key }) => key === 'Role')?.cell(row)}
      {columns.at(-1)?.cell(row)}
      {dialog}
    </>
  );
}

function show(row: AccessRow | undefined, value: unknown) {
  const call = vi.fn(() => Promise.resolve({ ok: true, value }));
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(
    <>
      <Notifications />
      <Row row={row} />
    </>,
  );
  return call;
}

function choose(label: string) {
  const actions = actionsOf.get(screen.getByRole('button', { name: /^Actions for/ }));
  act(() => actions?.find((each) => each.label === label)?.run());
}

it('says on the page of a user, too, that the last owner of a group cannot be removed', async () => {
  const call = show(userAccessRows([entry])[0], [entry]);
  choose('Remove…');
  expect(await screen.findByText('Give another user the Owner role first.')).toBeTruthy();
  expect(call).toHaveBeenCalledWith('directory.members', { container: { kind: 'group', id: 1 } });
});

it('says what a changed role means, and gives the role back that was before', async () => {
  const call = show(accessRows(project, [{ ...entry, level: 20, source: project }], [])[0], entry);
  const member = { container: { ...project }, userId: 7, expiresOn: null };
  fireEvent.click(screen.getByRole('combobox', { name: 'Role of Ann' }));
  fireEvent.click(await screen.findByRole('option', { name: /^Owner/ }));
  const said = await screen.findByText((_, element) => element?.className === 'gh-said');
  expect(said.textContent).toBe('Ann is now an Owner of local/packages ');
  expect(call).toHaveBeenLastCalledWith('directory.updateMember', { ...member, level: 50 });
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(call).toHaveBeenLastCalledWith('directory.updateMember', { ...member, level: 20 }));
});

it('says what the changed role and last day of an invited group are, and takes each back', async () => {
  const call = show(accessRows(project, [], [share])[0], share);
  const invited = { container: { ...project }, groupId: 4 };
  fireEvent.click(screen.getByRole('combobox', { name: 'Maximum role of Pilots' }));
  fireEvent.click(await screen.findByRole('option', { name: /^Reporter/ }));
  const said = await screen.findByText((_, element) => element?.className === 'gh-said');
  expect(said.textContent).toBe('Maximum role of Pilots in local/packages is now Reporter ');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(call).toHaveBeenLastCalledWith('directory.updateShare', { ...invited, level: 30, expiresOn: null }),
  );

  choose('Change the expiration date…');
  fireEvent.change(await screen.findByLabelText('Access expires on'), { target: { value: '2999-01-31' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(call).toHaveBeenLastCalledWith('directory.updateShare', { ...invited, level: 30, expiresOn: '2999-01-31' }),
  );
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await screen.findByText(/now expires on/)).toBeTruthy();
  // The former one leaves in a moment.
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() =>
    expect(call).toHaveBeenLastCalledWith('directory.updateShare', { ...invited, level: 30, expiresOn: null }),
  );
});
