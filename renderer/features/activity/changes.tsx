import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { useActivity, useUndo } from '../../api/activity.ts';
import { useProjects } from '../../api/directory.ts';
import { undoOf } from '../../api/undo.ts';
import { ask } from '../../ui/feedback/ask.tsx';
import { textColumn, timeColumn, wideColumn } from '../../ui/lists/columns.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { plural } from '../../ui/text/format.ts';
import { IdSelect, pathOption } from '../../ui/forms/id-select.tsx';
import { ListPanel } from '../../ui/lists/list-panel.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { describeRow } from './describe-row.ts';

/** Everything that was changed, by whom and from where; changes of tags and rules can be undone. */
export function Changes() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 120);
  const [projectId, setProjectId] = useState<number | null>(null);
  const activity = useActivity(search, projectId);
  const { data: projects = [] } = useProjects();
  const { mutate: undo } = useUndo();
  const rows = useMemo(() => activity.data?.pages.flatMap((page) => page.rows), [activity.data]);
  const columns = useMemo(() => changeColumns((row) => confirmUndo(row, () => undo(row))), [undo]);
  if (rows?.length === 0 && search === '' && projectId === null) {
    return (
      <EmptyState
        icon={<IconHistory size={24} />}
        title="No activity yet"
        text="Publishes and changes of tags, rules, members and tokens are recorded here: who, when, from where, before and after."
      />
    );
  }
  return (
    <ListPanel
      bar={
        <>
          <SearchField label="Search the activity" value={typed} onChange={setTyped} />
          {projects.length > 1 ? (
            <IdSelect
              aria-label="Project"
              none="All projects"
              options={projects.map(pathOption)}
              value={projectId}
              onChange={setProjectId}
            />
          ) : null}
          <span className="gh-faint">{plural(activity.data?.pages[0]?.total ?? 0, 'change')}</span>
        </>
      }
      what="the activity"
      error={activity.error}
      empty="No change matches"
      label="Activity"
      memory="activity"
      rows={rows}
      columns={columns}
      rowKey={(row) => row.id}
      onEndReached={() => {
        if (activity.hasNextPage && !activity.isFetchingNextPage) void activity.fetchNextPage();
      }}
    />
  );
}

const origins: Record<AuditRow['origin'], string> = {
  http: 'Client',
  window: 'This app',
  cli: 'Command line',
  system: 'System',
};

function changeColumns(onUndo: (row: AuditRow) => void): Column<AuditRow>[] {
  return [
    timeColumn('Time', '112px', (row) => row.at),
    {
      key: 'actor',
      label: 'User',
      width: '88px',
      cell: (row) => <div className="gh-truncate">{row.actor.name}</div>,
    },
    wideColumn('Change', (row) => {
      const { verb, subject, detail } = describeRow(row);
      return (
        <div className="gh-change" title={detail === '' ? undefined : detail}>
          <span>{verb}</span>
          <strong className="gh-truncate">{subject}</strong>
          <span className="gh-faint gh-small gh-truncate">{detail}</span>
        </div>
      );
    }),
    textColumn('From', '116px', (row) => origins[row.origin], {
      hideBelow: 860,
      title: (row) => row.address ?? undefined,
    }),
    {
      key: 'undo',
      label: 'Undo',
      labelHidden: true,
      width: '64px',
      align: 'end',
      cell: (row) =>
        undoOf(row) === undefined ? null : (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Undo: ${describeRow(row).verb} ${row.target.name}`}
            onClick={() => onUndo(row)}
          >
            Undo
          </Button>
        ),
    },
  ];
}

/** Says what undoing a change does before it is done. */
function confirmUndo(row: AuditRow, run: () => void): void {
  const undo = undoOf(row);
  if (undo === undefined) return;
  const { name } = row.target;
  const consequence =
    undo.kind === 'rules'
      ? `The rules of ${name} become what they were before this change; later changes of them are lost.`
      : undo.kind === 'set-tag'
        ? `The tag ${undo.tag} of ${name} is set to ${undo.version} again.`
        : `The tag ${undo.tag} of ${name}, which this change added, is removed.`;
  ask({
    title: 'Undo this change?',
    consequence: `${consequence} The undo is recorded as a change, too.`,
    action: 'Undo',
    takesAway: false,
    run,
  });
}
