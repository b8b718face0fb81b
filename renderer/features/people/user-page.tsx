import { Box, Button } from '@mantine/core';
import { IconPlus, IconUserOff } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { useTokens, useUserAccess, useUsers } from '../../api/directory.ts';
import { useEnvironmentTargets } from '../../api/environments.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { ListPanel } from '../../ui/lists/list-panel.tsx';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import type { Column, Sort } from '../../ui/lists/table-head.tsx';
import { BackLink } from '../../ui/page/back-link.tsx';
import { Page } from '../../ui/page/page.tsx';
import { plural } from '../../ui/text/format.ts';
import { TailText } from '../../ui/text/tail-text.tsx';
import { accessOrder, useAccessColumns, UserMarks } from './access-columns.tsx';
import { accessText, inSection, userAccessRows, type AccessRow } from './access-rows.ts';
import {
  environmentLink,
  targetCells,
  targetOrder,
  targetRows,
  targetText,
  type TargetRow,
} from './environment-targets.tsx';
import { sortRows } from './sort-rows.ts';
import { useUserActions, type UserActions } from './user-actions.tsx';

/** A user: every group, project and protected environment that he or she reaches, and why. */
export function UserPage() {
  const { id } = useParams({ from: '/people/users/$id' });
  const users = useUsers();
  const user = users.data?.find((each) => each.id === id);
  const navigate = useNavigate();
  // Here, as the access may be gone before the answer to the deletion arrives.
  const actions = useUserActions(() => void navigate({ to: '/people', search: { tab: 'users' }, replace: true }));
  if (user !== undefined) return <UserAccess key={id} user={user} actions={actions} />;
  return (
    <Page title="User" back={back}>
      {users.data === undefined ? (
        <Pending what="the user" error={users.error} />
      ) : (
        <EmptyState icon={<IconUserOff size={24} />} title="This user is gone" text="The account was deleted." />
      )}
    </Page>
  );
}

const back = (
  <BackLink renderRoot={(props) => <Link {...props} to="/people" search={{ tab: 'users' }} />}>Users</BackLink>
);

function UserAccess({ user, actions }: { user: UserDetail; actions: UserActions }) {
  const access = useUserAccess(user.id);
  const targets = useEnvironmentTargets(user.id);
  const tokens = useTokens().data?.filter((token) => token.user.id === user.id);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>({ key: 'Name', direction: 'asc' });
  const navigate = useNavigate();
  const { columns, dialog } = useAccessColumns();
  const isActive = user.state === 'active';
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = access.data && userAccessRows(access.data).filter((row) => isFound(accessText(row)));
  const foundTargets = targets.data && targetRows(targets.data).filter((row) => isFound(targetText(row)));
  const open = (row: AccessRow | TargetRow) => {
    if ('target' in row) {
      void navigate(environmentLink(row.target.project.id, row.target.environment));
    } else {
      const { kind, id } = row.container;
      void navigate({ to: kind === 'project' ? '/people/projects/$id' : '/people/groups/$id', params: { id } });
    }
  };
  return (
    <Page
      title={`Access of ${user.name}`}
      heading={<TailText text={user.name} tail={12} />}
      back={back}
      count={<TailText text={`@${user.username}`} tail={6} />}
      marks={<UserMarks user={user} />}
      actions={
        <>
          {tokens?.length !== 0 ? (
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link {...props} to="/people" search={{ tab: 'tokens', q: `@${user.username}` }} />
              )}
            >
              {tokens === undefined ? 'Tokens' : plural(tokens.length, 'token')}
            </Button>
          ) : (
            <>
              <span className="gh-muted">No tokens</span>
              {isActive ? (
                <Button variant="default" onClick={() => actions.createToken(user)}>
                  Create a token
                </Button>
              ) : null}
            </>
          )}
          <RowMenu name={user.name} actions={actions.actionsOf(user)} />
        </>
      }
      padded={false}
    >
      <div className="gh-tabbed">
        {isActive ? null : (
          <Box px="var(--gh-gutter)" pt={10}>
            <Notice>
              This user cannot sign in, use tokens or deploy. The roles stay for when the user is unblocked.
            </Notice>
          </Box>
        )}
        <ListPanel
          bar={
            <>
              <SearchField label="Search access" value={search} onChange={setSearch} />
              <span className="gh-spacer" />
              {isActive ? (
                <Button
                  data-command="new"
                  leftSection={<IconPlus size={14} aria-hidden="true" />}
                  onClick={() => actions.addToProject(user)}
                >
                  Add to a project
                </Button>
              ) : null}
            </>
          }
          what="the access"
          error={access.error ?? targets.error}
          empty={words.length > 0 ? 'No access matches' : 'In no group or project'}
          emptyDetail={
            words.length > 0 || user.isAdmin
              ? undefined
              : 'This user can install public and internal packages. Publishing needs the Developer role in a project.'
          }
          label={`Access of ${user.name}`}
          rows={
            found &&
            foundTargets && [
              ...(['Groups', 'Projects'] as const).flatMap((section) =>
                sortRows(inSection(found, section), accessOrder, sort),
              ),
              ...sortRows(foundTargets, targetOrder, sort),
            ]
          }
          columns={columns.map(withTargets)}
          rowKey={rowKey}
          sectionOf={({ section }) => section}
          sort={sort}
          onSort={setSort}
          onOpen={open}
        />
      </div>
      {dialog}
      {actions.dialog}
    </Page>
  );
}

/** A column of the list of access that also has the environments. */
function withTargets(column: Column<AccessRow>): Column<AccessRow | TargetRow> {
  return {
    ...column,
    nameOf: ({ name }) => name,
    cell: (row) => ('target' in row ? targetCells[column.key]?.(row) : column.cell(row)),
  };
}

const rowKey = ({ key }: AccessRow | TargetRow): string => key;
