import { useState } from 'react';
import type { GroupDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useGroups } from '../../api/directory.ts';
import { ask } from '../../ui/ask.tsx';
import { formatCount } from '../../ui/format.ts';
import { RowMenu } from '../../ui/row-menu.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { AccessDialog } from './access-dialog.tsx';
import { ContainerDialog } from './container-dialog.tsx';
import { Panel } from './panel.tsx';

/** The groups: people who get access together. */
export function GroupsPanel() {
  const groups = useGroups();
  const [editing, setEditing] = useState<GroupDetail | 'new'>();
  const [opened, setOpened] = useState<GroupDetail>();
  const create = useCall('directory.createGroup', { handlesErrors: true });
  const update = useCall('directory.updateGroup', { handlesErrors: true });
  const { mutate: remove } = useCall('directory.deleteGroup');
  const close = () => {
    setEditing(undefined);
    create.reset();
    update.reset();
  };
  const columns = groupColumns({
    open: setOpened,
    edit: setEditing,
    remove: (group) =>
      ask({
        title: `Delete ${group.fullPath}?`,
        consequence:
          'Everything below it goes as well: subgroups, projects, their packages and deploy rules. This cannot be undone.',
        action: 'Delete',
        run: () => remove({ groupId: group.id }),
      }),
  });
  return (
    <>
      <Panel
        things="groups"
        rows={groups.data}
        error={groups.error}
        columns={columns}
        rowKey={(group) => group.id}
        textOf={(group) => `${group.name} ${group.fullPath} ${group.description}`}
        addLabel="Add a group"
        onAdd={() => setEditing('new')}
        onOpen={setOpened}
      />
      {editing === undefined ? null : (
        <ContainerDialog
          title={editing === 'new' ? 'Add a group' : `Edit ${editing.name}`}
          action={editing === 'new' ? 'Add group' : 'Save'}
          {...(editing === 'new' ? {} : { initial: editing })}
          parents={groups.data ?? []}
          parentLabel="Inside the group"
          parentRequired={false}
          busy={create.isPending || update.isPending}
          error={create.error ?? update.error}
          onClose={close}
          onSubmit={({ parentId, ...values }) => {
            if (editing === 'new') create.mutate({ ...values, parentId }, { onSuccess: close });
            else update.mutate({ groupId: editing.id, ...values }, { onSuccess: close });
          }}
        />
      )}
      {opened === undefined ? null : (
        <AccessDialog
          container={{ kind: 'group', id: opened.id }}
          name={opened.fullPath}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

interface GroupActions {
  open: (group: GroupDetail) => void;
  edit: (group: GroupDetail) => void;
  remove: (group: GroupDetail) => void;
}

function groupColumns({ open, edit, remove }: GroupActions): Column<GroupDetail>[] {
  return [
    {
      key: 'name',
      label: 'Name',
      width: 'minmax(0, 1fr)',
      cell: (group) => (
        <div className="gh-two-lines">
          <strong className="gh-truncate">{group.name}</strong>
          <span className="gh-truncate">{group.fullPath}</span>
        </div>
      ),
    },
    {
      key: 'visibility',
      label: 'Seen by',
      width: '88px',
      hideBelow: 640,
      cell: (group) => <span className="gh-muted">{group.visibility}</span>,
    },
    {
      key: 'members',
      label: 'Members',
      width: '76px',
      align: 'end',
      cell: (group) => <span className="gh-muted">{formatCount(group.memberCount)}</span>,
    },
    {
      key: 'projects',
      label: 'Projects',
      width: '76px',
      align: 'end',
      cell: (group) => <span className="gh-muted">{formatCount(group.projectCount)}</span>,
    },
    {
      key: 'actions',
      label: 'Actions',
      labelHidden: true,
      width: '28px',
      cell: (group) => (
        <RowMenu
          name={group.fullPath}
          actions={[
            { label: 'Members and invitations…', run: () => open(group) },
            { label: 'Edit…', run: () => edit(group) },
            { label: 'Delete…', danger: true, run: () => remove(group) },
          ]}
        />
      ),
    },
  ];
}
