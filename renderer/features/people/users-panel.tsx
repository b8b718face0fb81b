import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useUsersWithActivity } from '../../api/directory.ts';
import { ask } from '../../ui/feedback/ask.tsx';
import { showDone } from '../../ui/feedback/toast.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { actionsColumn, RowName, textColumn, timeColumn, wideColumn } from '../../ui/lists/columns.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { AddToProjectDialog } from './access-dialogs.tsx';
import { CreateToken } from './create-token.tsx';
import { Panel } from './panel.tsx';
import type { SortValues } from './sort-rows.ts';
import { UserDialog } from './user-dialog.tsx';

/** Everyone with an account: made, changed, blocked and deleted here. */
export function UsersPanel() {
  const users = useUsersWithActivity();
  const [editing, setEditing] = useState<UserDetail | 'new'>();
  const [joining, setJoining] = useState<UserDetail>();
  const [tokenOf, setTokenOf] = useState<UserDetail>();
  const navigate = useNavigate();
  const { mutate: setBlocked } = useCall('directory.setUserBlocked');
  const { mutate: remove } = useCall('directory.deleteUser');
  const confirmDelete = (user: UserDetail) =>
    ask({
      title: `Delete ${user.name}?`,
      consequence: `This also deletes the tokens and memberships of @${user.username} and the deploy rules that name this user. Published packages stay.`,
      action: 'Delete',
      run: () => remove({ userId: user.id }),
    });
  const actions = actionsColumn<UserDetail>(
    (user) => user.name,
    (user) => [
      { label: 'Edit…', run: () => setEditing(user) },
      ...(user.state === 'active'
        ? [
            { label: 'Add to a project…', run: () => setJoining(user) },
            { label: 'Create a token…', run: () => setTokenOf(user) },
          ]
        : []),
      {
        label: 'Show activity',
        run: () => void navigate({ to: '/activity', search: { user: user.id } }),
      },
      {
        startsGroup: true,
        label: user.state === 'active' ? 'Block' : 'Unblock',
        run: () => setBlocked({ userId: user.id, blocked: user.state === 'active' }),
      },
      { label: 'Delete…', danger: true, run: () => confirmDelete(user) },
    ],
  );
  return (
    <>
      <Panel
        things="users"
        rows={users.data}
        error={users.error}
        columns={[...userColumns, actions]}
        sortBy={userOrder}
        textOf={(user) => `${user.name} ${user.username} ${user.email}`}
        addLabel="Add a user"
        onAdd={() => setEditing('new')}
        onOpen={setEditing}
      />
      {editing === undefined ? null : (
        <UserDialog
          user={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
          onCreated={(user) => {
            setEditing(undefined);
            showDone(`Added ${user.name}`, 'user-added', { label: 'Add to a project', run: () => setJoining(user) });
          }}
        />
      )}
      {joining === undefined ? null : <AddToProjectDialog user={joining} onClose={() => setJoining(undefined)} />}
      {tokenOf === undefined ? null : <CreateToken userId={tokenOf.id} onClose={() => setTokenOf(undefined)} />}
    </>
  );
}

const userOrder: SortValues<UserDetail> = {
  Name: (user) => user.name,
  Email: (user) => user.email,
  'Last activity': (user) => user.lastUsedAt,
};

const userColumns: Column<UserDetail>[] = [
  wideColumn('Name', (user) => (
    <RowName name={user.name} id={`@${user.username}`}>
      {user.isAdmin ? <Chip tone="accent">Admin</Chip> : null}
      {user.external ? <Chip>External</Chip> : null}
      {user.state === 'blocked' ? <Chip tone="warn">Blocked</Chip> : null}
    </RowName>
  )),
  textColumn(
    'Email',
    'minmax(0, 0.7fr)',
    (user) => <TailText text={user.email} tail={user.email.length - user.email.lastIndexOf('@')} />,
    {
      hideBelow: 680,
    },
  ),
  timeColumn('Last activity', '120px', (user) => user.lastUsedAt, { align: 'end' }),
];
