import { Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useActivity, useUndo } from '../../api/activity.ts';
import { useProjects } from '../../api/directory.ts';
import { clearButton } from '../../ui/clear-button.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { plural } from '../../ui/format.ts';
import { Pending } from '../../ui/pending.tsx';
import { Page } from '../../ui/page.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { ActivityViews } from './activity-views.tsx';
import { RequestLog } from './request-log.tsx';
import { activityColumns } from './activity-columns.tsx';
import { confirmUndo } from './confirm-undo.tsx';

/** What was changed, and what was asked of the registry. */
export function ActivityPage() {
  const { view } = useSearch({ from: '/activity' });
  return view === 'requests' ? <RequestLog /> : <Changes />;
}

/** Everything that was changed, by whom and from where, with a way back for tags and rules. */
function Changes() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 120);
  const [projectId, setProjectId] = useState<number | null>(null);
  const activity = useActivity(search, projectId);
  const projects = useProjects();
  const { mutate: undo } = useUndo();
  const rows = useMemo(() => activity.data?.pages.flatMap((page) => page.rows) ?? [], [activity.data]);
  const total = activity.data?.pages[0]?.total ?? 0;
  const columns = useMemo(() => activityColumns((row) => confirmUndo(row, () => undo(row))), [undo]);
  const filtered = search !== '' || projectId !== null;

  return (
    <Page
      title="Activity"
      count={activity.data && total > 0 ? plural(total, 'change') : undefined}
      padded={false}
      actions={
        <div className="gh-toolbar">
          <ActivityViews />
          {(projects.data?.length ?? 0) > 1 ? (
            <Select
              aria-label="Project"
              placeholder="All projects"
              clearable
              searchable
              w={180}
              data={(projects.data ?? []).map((project) => ({ value: String(project.id), label: project.fullPath }))}
              value={projectId === null ? null : String(projectId)}
              onChange={(value) => setProjectId(value === null ? null : Number(value))}
              clearButtonProps={clearButton('All projects')}
            />
          ) : null}
          <TextInput
            type="search"
            data-find
            aria-label="Search the activity"
            placeholder="Search"
            w={220}
            leftSection={<IconSearch size={14} aria-hidden="true" />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
      }
    >
      {activity.error || activity.data === undefined ? (
        <Pending what="the activity" error={activity.error} />
      ) : rows.length === 0 ? (
        filtered ? (
          <div className="gh-no-match" role="status">
            <strong>Nothing like it has happened</strong>
          </div>
        ) : (
          <EmptyState
            icon={<IconHistory size={24} />}
            title="Nothing has happened yet"
            text="Publishes, tags, rules, members and tokens are noted here as they change: who, when, from where, before and after."
          />
        )
      ) : (
        <VirtualTable
          label="Activity"
          memory="activity"
          rows={rows}
          columns={columns}
          rowKey={(row) => row.id}
          onEndReached={() => {
            if (activity.hasNextPage && !activity.isFetchingNextPage) void activity.fetchNextPage();
          }}
        />
      )}
    </Page>
  );
}
