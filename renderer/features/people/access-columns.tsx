import { Anchor, Select, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCalendar, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { accessLevels, levelNames, type MemberLevel } from '../../../server/contract/constants.ts';
import type { UserSummary } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { membersOnce } from '../../api/directory.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { said, sayWhenDone, showDone } from '../../ui/feedback/toast.tsx';
import { actionsColumn, RowName, textColumn, wideColumn } from '../../ui/lists/columns.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { TailText } from '../../ui/text/tail-text.tsx';
import { ExpiryDialog, roleSelect } from './access-dialogs.tsx';
import { isLastOwner, isOfUser, originOf, type AccessRow } from './access-rows.ts';
import type { SortValues } from './sort-rows.ts';

/** The columns of the list of access, with what edits and removes it; `dialog` stands beside the list. */
export function useAccessColumns(): { columns: Column<AccessRow>[]; dialog: ReactNode } {
  const [ending, setEnding] = useState<AccessRow>();
  const updateMember = useCall('directory.updateMember', { handlesErrors: ending !== undefined });
  const updateShare = useCall('directory.updateShare', { handlesErrors: ending !== undefined });
  const { mutateAsync: addMember } = useCall('directory.addMember');
  const { mutate: removeMember } = useCall('directory.removeMember');
  const { mutate: removeShare } = useCall('directory.removeShare');

  const update = (row: AccessRow, access: Access): Promise<unknown> => {
    const { container } = row;
    return 'share' in row
      ? updateShare.mutateAsync({ container, groupId: row.share.group.id, ...access })
      : updateMember.mutateAsync({ container, userId: row.member.user.id, ...access });
  };
  /** Changes the role or the last day, says it, and offers what was before. */
  const change = (row: AccessRow, to: Partial<Access>) => {
    const { level, expiresOn } = row;
    const before = { level, expiresOn };
    const undone = changed(row, to.level === undefined ? { expiresOn } : { level });
    void update(row, { ...before, ...to }).then(
      () => {
        setEnding(undefined);
        showDone(changed(row, to), {
          label: 'Undo',
          run: () => sayWhenDone(update(row, before), undone),
        });
      },
      () => undefined,
    );
  };
  const remove = (row: AccessRow) => {
    const { container, level, expiresOn } = row;
    const done = said`Removed ${whoseOf(row)} from ${container.fullPath}`;
    const say = () => notifications.show({ message: done });
    if ('share' in row) return removeShare({ container, groupId: row.share.group.id }, { onSuccess: say });
    const member = { container, userId: row.member.user.id };
    const undo = () =>
      sayWhenDone(addMember({ ...member, level, expiresOn }), said`Added ${whoseOf(row)} to ${container.fullPath}`);
    removeMember(member, {
      onSuccess: ({ isAlone }) => (isAlone ? showDone(done, { label: 'Undo', run: undo }) : say()),
    });
  };
  const confirmRemove = async (row: AccessRow) =>
    isLastOwner(row, await membersOnce(row.container))
      ? notifications.show({
          title: said`${whoseOf(row)} is the last owner of ${row.container.fullPath}`,
          message: 'Give another user the Owner role first.',
        })
      : ask({
          title: `Remove ${'share' in row ? 'the group ' : ''}${quoted(whoseOf(row))} from ${quoted(row.container.fullPath)}?`,
          consequence: consequenceOf(row),
          action: 'Remove',
          run: () => remove(row),
        });

  const columns: Column<AccessRow>[] = [
    { ...wideColumn<AccessRow>('Name', (row) => <AccessName row={row} />), sortable: true },
    { ...textColumn<AccessRow>('Source', 'clamp(110px, 20%, 220px)', sourceOf), sortable: true },
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
            onChange={(value) => change(row, { level: Number(value) as MemberLevel })}
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
              { label: 'Change the expiration date…', icon: IconCalendar, run: () => setEnding(row) },
              { label: 'Remove…', icon: IconTrash, danger: true, run: () => void confirmRemove(row) },
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
          onSubmit={(expiresOn) => change(ending, { expiresOn })}
        />
      ),
  };
}

type Access = Pick<AccessRow, 'level' | 'expiresOn'>;

/** What a changed role or last day says. */
function changed(row: AccessRow, { level, expiresOn }: Partial<Access>): ReactNode {
  const who = whoseOf(row);
  const { fullPath } = row.container;
  if (level === undefined) {
    return expiresOn
      ? said`Access of ${who} to ${fullPath} now expires on ${formatDay(expiresOn)}`
      : said`Access of ${who} to ${fullPath} now never expires`;
  }
  const role = levelNames[level] ?? '';
  if ('share' in row) return said`Maximum role of ${who} in ${fullPath} is now ${role}`;
  return level === accessLevels.owner
    ? said`${who} is now an ${role} of ${fullPath}`
    : said`${who} is now a ${role} of ${fullPath}`;
}

/** The user or group that has the access. */
function whoseOf(row: AccessRow): string {
  return 'share' in row ? row.name : row.member.user.name;
}

function consequenceOf(row: AccessRow): string {
  const { kind } = row.container;
  if ('share' in row) {
    const rules = kind === 'project' ? ', and any deploy rules of the project that name the group are deleted' : '';
    return `The members of the group lose the access that they have through it${rules}.`;
  }
  const who = `@${row.member.user.username}`;
  const lost = `${who} loses what the role allows, such as installing private packages`;
  return kind === 'project'
    ? `${lost}. Any deploy rules of the project that name ${who} are deleted.`
    : `${lost}, and the roles in the subgroups and projects below. Any deploy rules of these that name ${who} are deleted.`;
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
            <TailText text={group.name} tail={12} />
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
          <TailText text={user.name} tail={12} />
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
    <span className="gh-row" style={{ gap: '0.3em' }}>
      {'member' in row && row.member.throughGroup !== null ? 'Through ' : null}
      <PlaceLink {...origin}>
        <TailText text={origin.fullPath} tail={20} />
      </PlaceLink>
    </span>
  );
}

interface PlaceLinkProps {
  kind: 'group' | 'project';
  id: number;
  color?: 'inherit';
  children: ReactNode;
}

/** To the members of a group or project. */
export function PlaceLink({ kind, id, color, children }: PlaceLinkProps) {
  return (
    <Anchor
      inherit
      className="gh-truncate"
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
