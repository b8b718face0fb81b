import { Anchor, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { levelNames, type MemberLevel } from '../../../server/contract/constants.ts';
import type { ContainerReference } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { ask } from '../../ui/feedback/ask.tsx';
import { actionsColumn, RowName, textColumn, wideColumn } from '../../ui/lists/columns.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { TailText } from '../../ui/text/tail-text.tsx';
import { ExpiryDialog, roleSelect } from './access-dialogs.tsx';
import { originOf, type AccessRow } from './access-rows.ts';

/** The columns of the list of access, with what edits and removes it; `dialog` stands beside the list. */
export function useAccessColumns(
  container: ContainerReference,
  fullPath: string,
): { columns: Column<AccessRow>[]; dialog: ReactNode } {
  const [ending, setEnding] = useState<AccessRow>();
  const updateMember = useCall('directory.updateMember', { handlesErrors: ending !== undefined });
  const updateShare = useCall('directory.updateShare', { handlesErrors: ending !== undefined });
  const { mutate: removeMember } = useCall('directory.removeMember');
  const { mutate: removeShare } = useCall('directory.removeShare');

  const update = (row: AccessRow, access: { level: MemberLevel; expiresOn: string | null }, onSuccess?: () => void) => {
    const options = onSuccess === undefined ? {} : { onSuccess };
    if ('share' in row) updateShare.mutate({ container, groupId: row.share.group.id, ...access }, options);
    else updateMember.mutate({ container, userId: row.member.user.id, ...access }, options);
  };
  const confirmRemove = (row: AccessRow) =>
    ask({
      title: `Remove ${row.name} from ${fullPath}?`,
      consequence: consequenceOf(row, container),
      action: 'Remove',
      run: () => {
        if ('share' in row) removeShare({ container, groupId: row.share.group.id });
        else removeMember({ container, userId: row.member.user.id });
      },
    });

  const columns: Column<AccessRow>[] = [
    { ...wideColumn<AccessRow>('Name', (row) => <AccessName row={row} />), sortable: true },
    { ...textColumn<AccessRow>('Source', 'minmax(0, 0.6fr)', sourceOf), sortable: true },
    {
      ...textColumn<AccessRow>(
        'Expires',
        '96px',
        ({ expiresOn }) => (expiresOn === null ? 'never' : formatDay(expiresOn)),
        { hideBelow: 640 },
      ),
      sortable: true,
    },
    {
      key: 'Role',
      label: 'Role',
      width: '132px',
      sortable: true,
      cell: (row) =>
        originOf(row) === undefined ? (
          <Select
            // Its words stand below the head of the column, as the roles do that are not edited here.
            ml={-11}
            aria-label={`${'share' in row ? 'Maximum role' : 'Role'} of ${row.name}`}
            {...roleSelect}
            value={String(row.level)}
            onChange={(value) => update(row, { level: Number(value) as MemberLevel, expiresOn: row.expiresOn })}
          />
        ) : (
          <Text c="dimmed">{levelNames[row.level]}</Text>
        ),
    },
    actionsColumn<AccessRow>(
      (row) => row.name,
      (row) =>
        originOf(row) === undefined
          ? [
              { label: 'Change the expiration date…', run: () => setEnding(row) },
              { label: 'Remove…', danger: true, run: () => confirmRemove(row) },
            ]
          : [],
    ),
  ];
  return {
    columns,
    dialog:
      ending === undefined ? null : (
        <ExpiryDialog
          name={ending.name}
          day={ending.expiresOn}
          change={'share' in ending ? updateShare : updateMember}
          onClose={() => {
            setEnding(undefined);
            updateShare.reset();
            updateMember.reset();
          }}
          onSubmit={(expiresOn) => update(ending, { level: ending.level, expiresOn }, () => setEnding(undefined))}
        />
      ),
  };
}

function consequenceOf(row: AccessRow, { kind }: ContainerReference): string {
  const who = 'share' in row ? 'Its members lose the access that they have through the group.' : '';
  const below =
    kind === 'group' && !('share' in row) ? 'Memberships in its subgroups and projects are removed, too.' : '';
  const rules = `Deploy rules that name ${'share' in row ? 'the group' : 'this user'} there are deleted.`;
  return [who, below, rules].filter(Boolean).join(' ');
}

function AccessName({ row }: { row: AccessRow }) {
  if ('share' in row) {
    const { group } = row.share;
    return (
      <RowName
        name={
          <Anchor
            inherit
            c="inherit"
            renderRoot={(props) => <Link {...props} to="/people/groups/$id" params={{ id: group.id }} />}
          >
            {group.name}
          </Anchor>
        }
        id={group.fullPath === group.name ? undefined : group.fullPath}
      />
    );
  }
  const { user } = row.member;
  return (
    <RowName name={user.name} id={`@${user.username}`}>
      {user.isAdmin ? <Chip tone="accent">Admin</Chip> : null}
      {user.state === 'blocked' ? <Chip tone="warn">Blocked</Chip> : null}
    </RowName>
  );
}

function sourceOf(row: AccessRow): ReactNode {
  const origin = originOf(row);
  if (origin === undefined) return 'share' in row ? 'Invited' : 'Direct member';
  return (
    <>
      {'member' in row && row.member.throughGroup !== null ? 'Through ' : 'Inherited from '}
      <Anchor
        inherit
        renderRoot={(props) =>
          origin.kind === 'group' ? (
            <Link {...props} to="/people/groups/$id" params={{ id: origin.id }} />
          ) : (
            <Link {...props} to="/people/projects/$id" params={{ id: origin.id }} />
          )
        }
      >
        <TailText text={origin.fullPath} tail={20} />
      </Anchor>
    </>
  );
}
