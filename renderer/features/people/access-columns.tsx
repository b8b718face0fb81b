import { Anchor, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { levelNames, type MemberLevel } from '../../../server/contract/constants.ts';
import type { UserSummary } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { actionsColumn, RowName, textColumn, wideColumn } from '../../ui/lists/columns.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { TailText } from '../../ui/text/tail-text.tsx';
import { ExpiryDialog, roleSelect } from './access-dialogs.tsx';
import { isOfUser, originOf, type AccessRow } from './access-rows.ts';
import type { SortValues } from './sort-rows.ts';

/** The columns of the list of access, with what edits and removes it; `dialog` stands beside the list. */
export function useAccessColumns(): { columns: Column<AccessRow>[]; dialog: ReactNode } {
  const [ending, setEnding] = useState<AccessRow>();
  const updateMember = useCall('directory.updateMember', { handlesErrors: ending !== undefined });
  const updateShare = useCall('directory.updateShare', { handlesErrors: ending !== undefined });
  const { mutate: removeMember } = useCall('directory.removeMember');
  const { mutate: removeShare } = useCall('directory.removeShare');

  const update = (row: AccessRow, access: { level: MemberLevel; expiresOn: string | null }, onSuccess?: () => void) => {
    const options = onSuccess === undefined ? {} : { onSuccess };
    const { container } = row;
    if ('share' in row) updateShare.mutate({ container, groupId: row.share.group.id, ...access }, options);
    else updateMember.mutate({ container, userId: row.member.user.id, ...access }, options);
  };
  const confirmRemove = (row: AccessRow) =>
    ask({
      title: `Remove ${quoted(whoseOf(row))} from ${quoted(row.container.fullPath)}?`,
      consequence: consequenceOf(row),
      action: 'Remove',
      run: () => {
        const { container } = row;
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
        ({ expiresOn }) => (expiresOn === null ? 'Never' : formatDay(expiresOn)),
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
            aria-label={`${'share' in row ? 'Maximum role' : 'Role'} ${isOfUser(row) ? 'in' : 'of'} ${row.name}`}
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
          title={`Access ${isOfUser(ending) ? 'to' : 'of'} ${ending.name}`}
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

/** The user or group that has the access. */
function whoseOf(row: AccessRow): string {
  return 'share' in row ? row.name : row.member.user.name;
}

function consequenceOf(row: AccessRow): string {
  const who = 'share' in row ? 'Its members lose the access that they have through the group.' : '';
  const below =
    row.container.kind === 'group' && !('share' in row)
      ? 'Memberships in its subgroups and projects are removed, too.'
      : '';
  const rules = `Deletes deploy rules that name ${'share' in row ? 'the group' : 'this user'} there.`;
  return [who, below, rules].filter(Boolean).join(' ');
}

function AccessName({ row }: { row: AccessRow }) {
  if (isOfUser(row)) {
    return (
      <RowName
        name={
          <PlaceLink {...row.container} color="inherit">
            <TailText text={row.name} tail={24} />
          </PlaceLink>
        }
      />
    );
  }
  if ('share' in row) {
    const { group } = row.share;
    return (
      <RowName
        name={
          <PlaceLink kind="group" id={group.id} color="inherit">
            {group.name}
          </PlaceLink>
        }
        id={group.fullPath === group.name ? undefined : group.fullPath}
      />
    );
  }
  const { user } = row.member;
  return (
    <RowName
      name={
        <Anchor
          inherit
          c="inherit"
          renderRoot={(props) => <Link {...props} to="/people/users/$id" params={{ id: user.id }} />}
        >
          {user.name}
        </Anchor>
      }
      id={`@${user.username}`}
    >
      <UserMarks user={user} />
    </RowName>
  );
}

/** What is out of the ordinary about a user. */
export function UserMarks({ user }: { user: UserSummary & { external?: boolean } }) {
  return (
    <>
      {user.isAdmin ? <Chip tone="accent">Admin</Chip> : null}
      {user.external === true ? <Chip>External</Chip> : null}
      {user.state === 'blocked' ? <Chip tone="warn">Blocked</Chip> : null}
    </>
  );
}

/** What a section says in its heading is not repeated. */
function sourceOf(row: AccessRow): ReactNode {
  const origin = originOf(row);
  if (origin === undefined) return isOfUser(row) ? 'Direct member' : '';
  return (
    <>
      {'member' in row && row.member.throughGroup !== null ? 'Through ' : 'Inherited from '}
      <PlaceLink {...origin}>
        <TailText text={origin.fullPath} tail={20} />
      </PlaceLink>
    </>
  );
}

interface PlaceLinkProps {
  kind: 'group' | 'project';
  id: number;
  color?: 'inherit';
  children: ReactNode;
}

function PlaceLink({ kind, id, color, children }: PlaceLinkProps) {
  return (
    <Anchor
      inherit
      {...(color === undefined ? {} : { c: color })}
      renderRoot={(props) =>
        kind === 'group' ? (
          <Link {...props} to="/people/groups/$id" params={{ id }} />
        ) : (
          <Link {...props} to="/people/projects/$id" params={{ id }} />
        )
      }
    >
      {children}
    </Anchor>
  );
}

/** What the columns are sorted by. */
export const accessOrder: SortValues<AccessRow> = {
  Name: (row) => row.name,
  Source: (row) => originOf(row)?.fullPath ?? '',
  Role: (row) => row.level,
  Expires: (row) => row.expiresOn ?? '9999',
};
