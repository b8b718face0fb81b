import { Button } from '@mantine/core';
import { IconFolderOff, IconPlus, IconUsersPlus } from '@tabler/icons-react';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { ContainerReference } from '../../../server/contract/directory.ts';
import { useGroups, useMembers, useProjectDetails, useShares } from '../../api/directory.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { Pending } from '../../ui/feedback/pending.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { ListPanel } from '../../ui/lists/list-panel.tsx';
import type { Sort } from '../../ui/lists/table-head.tsx';
import { BackLink } from '../../ui/page/back-link.tsx';
import { Page } from '../../ui/page/page.tsx';
import { plural } from '../../ui/text/format.ts';
import { TailText } from '../../ui/text/tail-text.tsx';
import { AddMemberDialog, InviteGroupDialog } from './access-dialogs.tsx';
import { accessRows, accessText, inSection, originOf, type AccessRow } from './access-rows.ts';
import { accessOrder, useAccessColumns } from './access-columns.tsx';
import { sortRows } from './sort-rows.ts';

/** Who has access to a project. */
export function ProjectAccess() {
  const { id } = useParams({ from: '/people/projects/$id' });
  const { user, environment } = useSearch({ from: '/people/projects/$id' });
  const projects = useProjectDetails();
  return (
    <AccessScreen
      key={id}
      container={{ kind: 'project', id }}
      fullPath={projects.data && (projects.data.find((each) => each.id === id)?.fullPath ?? null)}
      error={projects.error}
      {...(environment !== undefined && { cameFrom: { environment, ...(user !== undefined && { user }) } })}
    />
  );
}

/** Who has access to a group. */
export function GroupAccess() {
  const { id } = useParams({ from: '/people/groups/$id' });
  const groups = useGroups();
  return (
    <AccessScreen
      key={id}
      container={{ kind: 'group', id }}
      fullPath={groups.data && (groups.data.find((each) => each.id === id)?.fullPath ?? null)}
      error={groups.error}
    />
  );
}

interface AccessScreenProps {
  container: ContainerReference;
  /** Null if there is no such project or group, undefined until that is known. */
  fullPath: string | null | undefined;
  error: Error | null;
  /** Of a project: the cell of the matrix of who may deploy that led here, as roles may decide it. */
  cameFrom?: { environment: string; user?: number };
}

function AccessScreen({ container, fullPath, error, cameFrom }: AccessScreenProps) {
  const { kind } = container;
  const back = (
    <>
      <BackLink renderRoot={(props) => <Link {...props} to="/people" search={{ tab: `${kind}s` }} />}>
        {kind === 'project' ? 'Projects' : 'Groups'}
      </BackLink>
    </>
  );
  if (fullPath === undefined || fullPath === null) {
    return (
      <Page title={kind === 'project' ? 'Project' : 'Group'} back={back}>
        {fullPath === undefined ? (
          <Pending what={`the ${kind}`} error={error} />
        ) : (
          <EmptyState icon={<IconFolderOff size={24} />} title={`This ${kind} is gone`} text="It was deleted." />
        )}
      </Page>
    );
  }
  return <AccessList container={container} fullPath={fullPath} cameFrom={cameFrom} back={back} />;
}

interface AccessListProps {
  container: ContainerReference;
  fullPath: string;
  cameFrom: AccessScreenProps['cameFrom'];
  back: ReactNode;
}

/** Members and invited groups in one list: searched, sorted and edited in place. */
function AccessList({ container, fullPath, cameFrom, back }: AccessListProps) {
  const members = useMembers(container);
  const shares = useShares(container);
  const [search, setSearch] = useState('');
  const [sort, setSort] = useState<Sort>();
  const [adding, setAdding] = useState<'member' | 'group'>();
  const all = members.data && shares.data && accessRows({ ...container, fullPath }, members.data, shares.data);
  const { columns, dialog } = useAccessColumns();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all?.filter((row) => words.every((word) => accessText(row).toLowerCase().includes(word)));
  const shown =
    found &&
    (['Members', 'Inherited members', 'Invited groups'] as const).flatMap((section) =>
      sortRows(inSection(found, section), accessOrder, sort),
    );
  // Whose role the cell is about.
  const asked = all?.filter((row) => 'member' in row && row.member.user.id === cameFrom?.user);
  const close = () => setAdding(undefined);
  return (
    <Page
      title={`Access to ${fullPath}`}
      heading={
        <span className="gh-row">
          <TailText text={fullPath} tail={24} />
        </span>
      }
      back={back}
      actions={<Leads container={container} fullPath={fullPath} cameFrom={cameFrom} />}
      count={
        members.data && (
          <span className="gh-member-count">
            {plural(new Set(members.data.map(({ user }) => user.id)).size, 'member')}
          </span>
        )
      }
      padded={false}
    >
      <div className="gh-tabbed">
        <ListPanel
          bar={
            <>
              <SearchField label="Search members and groups" value={search} onChange={setSearch} />
              <span className="gh-spacer" />
              <Button
                variant="default"
                leftSection={<IconUsersPlus size={14} aria-hidden="true" />}
                onClick={() => setAdding('group')}
              >
                Invite a group
              </Button>
              <Button
                data-command="new"
                leftSection={<IconPlus size={14} aria-hidden="true" />}
                onClick={() => setAdding('member')}
              >
                Add a member
              </Button>
            </>
          }
          what="the members"
          error={members.error ?? shares.error}
          empty={words.length > 0 ? 'No members or groups match' : 'No members'}
          label={`Access to ${fullPath}`}
          rows={shown}
          columns={all?.some(originOf) === true ? columns : columns.filter(({ key }) => key !== 'Source')}
          rowKey={rowKey}
          sectionOf={({ section }) => section}
          highlighted={new Set(asked?.map(rowKey))}
          {...(sort === undefined ? {} : { sort })}
          onSort={setSort}
        />
      </div>
      {adding === 'member' ? (
        <AddMemberDialog
          container={container}
          fullPath={fullPath}
          taken={new Set(members.data?.filter(({ direct }) => direct).map(({ user }) => user.id))}
          onClose={close}
        />
      ) : null}
      {adding === 'group' ? (
        <InviteGroupDialog
          container={container}
          fullPath={fullPath}
          taken={new Set(shares.data?.map(({ group }) => group.id))}
          onClose={close}
        />
      ) : null}
      {dialog}
    </Page>
  );
}

/** To what belongs to a project or group. */
function Leads({ container: { kind, id }, fullPath, cameFrom }: Omit<AccessListProps, 'back'>) {
  const lead = (label: ReactNode, link: (props: Record<string, unknown>) => ReactNode) => (
    <Button variant="default" renderRoot={link}>
      {label}
    </Button>
  );
  if (kind === 'group') {
    return (
      <>
        {lead('Projects', (props) => (
          <Link {...props} to="/people" search={{ tab: 'projects', q: fullPath }} />
        ))}
        {lead('Environments', (props) => (
          <Link {...props} to="/environments" search={{ groupId: id }} />
        ))}
      </>
    );
  }
  return (
    <>
      {lead('Packages', (props) => (
        <Link {...props} to="/packages" search={{ project: id }} />
      ))}
      {cameFrom === undefined
        ? lead('Environments', (props) => <Link {...props} to="/environments" search={{ project: id }} />)
        : lead(
            <span style={{ display: 'flex', gap: '0.3em', maxWidth: 200 }}>
              Back to <TailText text={cameFrom.environment} tail={14} />
            </span>,
            (props) => <Link {...props} to="/environments" search={{ project: id, view: 'access', ...cameFrom }} />,
          )}
      {lead('Connect', (props) => (
        <Link {...props} to="/connect" search={{ project: id }} />
      ))}
    </>
  );
}

const rowKey = ({ key }: AccessRow): string => key;
