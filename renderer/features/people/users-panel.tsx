import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { useDirectoryRefresh, useUsersWithActivity } from '../../api/directory.ts';
import { actionsColumn, RowName, textColumn, timeColumn, wideColumn } from '../../ui/lists/columns.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { UserMarks } from './access-columns.tsx';
import { Panel } from './panel.tsx';
import type { SortValues } from './sort-rows.ts';
import { useUserActions } from './user-actions.tsx';
import { UserDialog } from '../../ui/people/user-dialog.tsx';

/** Everyone with an account: made, changed, blocked and deleted here. */
export function UsersPanel() {
  const users = useUsersWithActivity();
  const [adding, setAdding] = useState(false);
  const { actionsOf, dialog } = useUserActions();
  const navigate = useNavigate();
  const refresh = useDirectoryRefresh();
  const open = ({ id }: UserDetail) => navigate({ to: '/people/users/$id', params: { id } });
  const actions = actionsColumn<UserDetail>((user) => user.name, actionsOf);
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
        onAdd={() => setAdding(true)}
        onOpen={(user) => void open(user)}
      />
      {adding ? (
        <UserDialog
          user={undefined}
          onClose={() => setAdding(false)}
          onCreated={(user) => {
            setAdding(false);
            // Without access a user can do nothing; the page gives it.
            void refresh().then(() => open(user));
          }}
        />
      ) : null}
      {dialog}
    </>
  );
}

const userOrder: SortValues<UserDetail> = {
  Name: (user) => user.name,
  Email: (user) => user.email,
  'Token last used': (user) => user.lastUsedAt,
};

const userColumns: Column<UserDetail>[] = [
  wideColumn('Name', (user) => (
    <RowName name={user.name} id={`@${user.username}`}>
      <UserMarks user={user} />
    </RowName>
  )),
  textColumn(
    'Email',
    'minmax(0, 0.7fr)',
    (user) => <TailText text={user.email} tail={user.email.length - user.email.lastIndexOf('@')} />,
    {
      hideBelow: 560,
    },
  ),
  timeColumn('Token last used', '120px', (user) => user.lastUsedAt, { align: 'end' }),
];
