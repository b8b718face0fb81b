import { useState } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useUsers } from '../../api/directory.ts';
import { ask } from '../../ui/ask.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Moment } from '../../ui/moment.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { Panel } from './panel.tsx';
import { UserDialog } from './user-dialog.tsx';

/** Everyone with an account: made, changed, blocked and deleted here. */
export function UsersPanel() {
  const users = useUsers();
  const [editing, setEditing] = useState<UserDetail | 'new'>();
  const { mutate: setBlocked } = useCall('directory.setUserBlocked');
  const { mutate: remove } = useCall('directory.deleteUser');
  const columns = userColumns({
    edit: setEditing,
    toggleBlocked: (user) => setBlocked({ userId: user.id, blocked: user.state === 'active' }),
    remove: (user) =>
      ask({
        title: `Delete ${user.name}?`,
        consequence: `The account @${user.username} goes, with its tokens, memberships and the deploy rules that name it. What it published stays.`,
        action: 'Delete',
        run: () => remove({ userId: user.id }),
      }),
  });
  return (
    <>
      <Panel
        things="users"
        rows={users.data}
        error={users.error}
        columns={columns}
        rowKey={(user) => user.id}
        textOf={(user) => `${user.name} ${user.username} ${user.email}`}
        addLabel="Add a user"
        onAdd={() => setEditing('new')}
        onOpen={setEditing}
      />
      {editing === undefined ? null : (
        <UserDialog user={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
    </>
  );
}

interface UserActions {
  edit: (user: UserDetail) => void;
  toggleBlocked: (user: UserDetail) => void;
  remove: (user: UserDetail) => void;
}

function userColumns({ edit, toggleBlocked, remove }: UserActions): Column<UserDetail>[] {
  return [
    {
      key: 'name',
      label: 'Name',
      width: 'minmax(0, 1fr)',
      cell: (user) => (
        <div className="gh-two-lines">
          <strong className="gh-truncate">{user.name}</strong>
          <span className="gh-truncate">@{user.username}</span>
          {user.isAdmin ? <Chip tone="accent">Administrator</Chip> : null}
          {user.external ? <Chip>External</Chip> : null}
          {user.state === 'blocked' ? <Chip tone="warn">Blocked</Chip> : null}
        </div>
      ),
    },
    {
      key: 'email',
      label: 'Email',
      width: 'minmax(0, 0.7fr)',
      hideBelow: 680,
      cell: (user) => <div className="gh-muted gh-truncate">{user.email}</div>,
    },
    {
      key: 'lastUsed',
      label: 'Last seen',
      width: '120px',
      align: 'end',
      cell: (user) => (
        <span className="gh-muted">{user.lastUsedAt === null ? 'never' : <Moment time={user.lastUsedAt} />}</span>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      labelHidden: true,
      width: '28px',
      cell: (user) => (
        <RowMenu
          name={user.name}
          actions={[
            { label: 'Edit…', run: () => edit(user) },
            { label: user.state === 'active' ? 'Block' : 'Unblock', run: () => toggleBlocked(user) },
            { label: 'Delete…', danger: true, run: () => remove(user) },
          ]}
        />
      ),
    },
  ];
}
