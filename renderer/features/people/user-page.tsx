import { Button } from '@mantine/core';
import { IconPlus, IconUserOff } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { useUserAccess, useUsers } from '../../api/directory.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { ListPanel } from '../../ui/lists/list-panel.tsx';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import type { Sort } from '../../ui/lists/table-head.tsx';
import { BackLink } from '../../ui/page/back-link.tsx';
import { Page } from '../../ui/page/page.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { accessOrder, useAccessColumns, UserMarks } from './access-columns.tsx';
import { accessText, inSection, userAccessRows, type AccessRow } from './access-rows.ts';
import { sortRows } from './sort-rows.ts';
import { useUserActions } from './user-actions.tsx';

/** A user: every group and project that he or she reaches, and why. */
export function UserPage() {
  const { id } = useParams({ from: '/people/users/$id' });
  const users = useUsers();
  const user = users.data?.find((each) => each.id === id);
  if (user !== undefined) return <UserAccess key={id} user={user} />;
  return (
    <Page title="Access" back={back}>
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

function UserAccess({ user }: { user: UserDetail }) {
  const access = useUserAccess(user.id);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>();
  const navigate = useNavigate();
  const { columns, dialog } = useAccessColumns();
  const { actionsOf, addToProject, dialog: userDialog } = useUserActions();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    access.data &&
    userAccessRows(access.data).filter((row) => words.every((word) => accessText(row).toLowerCase().includes(word)));
  const open = ({ container: { kind, id } }: AccessRow) =>
    void navigate({ to: kind === 'project' ? '/people/projects/$id' : '/people/groups/$id', params: { id } });
  return (
    <Page
      title={`Access of ${user.name}`}
      heading={
        <span className="gh-row">
          <TailText text={user.name} tail={12} />
          <UserMarks user={user} />
        </span>
      }
      back={back}
      count={<TailText text={`@${user.username}`} tail={6} />}
      actions={<RowMenu name={user.name} actions={actionsOf(user)} />}
      padded={false}
    >
      <div className="gh-tabbed">
        <ListPanel
          bar={
            <>
              <SearchField label="Search groups and projects" value={search} onChange={setSearch} />
              <span className="gh-spacer" />
              {user.state === 'active' ? (
                <Button
                  data-command="new"
                  leftSection={<IconPlus size={14} aria-hidden="true" />}
                  onClick={() => addToProject(user)}
                >
                  Add to a project
                </Button>
              ) : null}
            </>
          }
          what="the access"
          error={access.error}
          empty={words.length > 0 ? 'No groups or projects match' : 'In no group or project yet'}
          label={`Access of ${user.name}`}
          rows={
            found &&
            (['Groups', 'Projects'] as const).flatMap((section) =>
              sortRows(inSection(found, section), accessOrder, sort),
            )
          }
          columns={columns}
          rowKey={rowKey}
          sectionOf={({ section }) => section}
          {...(sort === undefined ? {} : { sort })}
          onSort={setSort}
          onOpen={open}
        />
      </div>
      {dialog}
      {userDialog}
    </Page>
  );
}

const rowKey = ({ key }: AccessRow): string => key;
