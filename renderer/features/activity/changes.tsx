import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconHistory } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { ChangeKind } from '../../../server/contract/constants.ts';
import type { AuditRow } from '../../../server/contract/directory.ts';
import { useActivity, useUndo } from '../../api/activity.ts';
import { useGroups, useProjects } from '../../api/directory.ts';
import { undoOf, undoStates, type UndoState } from '../../api/undo.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { IdSelect, pathOption } from '../../ui/forms/id-select.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { clockColumn, textColumn, wideColumn } from '../../ui/lists/columns.tsx';
import { useDayHeading } from '../../ui/text/moment.tsx';
import { ListPanel } from '../../ui/lists/list-panel.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { shownClearButton } from '../../ui/theme/theme.ts';
import { ChangeDetails } from './change-details.tsx';
import { DetailText, SubjectText } from './change-text.tsx';
import { describeRow, originNames } from './describe-row.ts';
import { type SearchProps, UserFilter, wideDropdown } from './filters.tsx';
import { mergeApprovals } from './merge-approvals.ts';
import { mergeGuards } from './merge-guards.ts';
import { TargetLink } from './target-link.tsx';
import { undoResult } from './undo-result.ts';

const kindNames: Record<ChangeKind, string> = {
  packages: 'Packages',
  environments: 'Environments',
  people: 'People and tokens',
  upstream: 'Upstream',
  registry: 'Registry',
};

/** Everything that was changed, by whom and from where, by day; a row opens in full; changes of tags, deprecations and rules can be undone. */
export function Changes({ typed, onType }: SearchProps) {
  const [search] = useDebouncedValue(typed.trim(), 120);
  const [opened, setOpened] = useState<AuditRow>();
  const { kind, user, project } = useSearch({ from: '/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const activity = useActivity({ search, projectId: project ?? null, actorId: user ?? null, kind: kind ?? null });
  const { data: projects = [] } = useProjects();
  const dayHeading = useDayHeading();
  const { mutate } = useUndo();
  const rows = useMemo(() => activity.data?.pages.flatMap((page) => page.rows), [activity.data]);
  const undo = useCallback((row: AuditRow) => undoChange(row, mutate), [mutate]);
  const states = useMemo(() => undoStates(rows ?? []), [rows]);
  const placeOf = usePlaceNames();
  const shown = useMemo(() => rows && mergeGuards(mergeApprovals(rows)), [rows]);
  const columns = useMemo(() => changeColumns(states, placeOf, undo), [states, placeOf, undo]);
  const filter = (change: {
    kind?: ChangeKind | undefined;
    user?: number | undefined;
    project?: number | undefined;
  }) => {
    const chosen = Object.entries({ kind, user, project, ...change }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(chosen), replace: true });
  };
  if (rows?.length === 0 && search === '' && [kind, user, project].every((each) => each === undefined)) {
    return (
      <EmptyState
        icon={<IconHistory size={24} />}
        title="No activity yet"
        text="Publishes and changes of tags, rules, members and tokens are recorded here: who, when, from where, before and after."
      />
    );
  }
  return (
    <>
      <ListPanel
        bar={
          <>
            <SearchField label="Search the activity" value={typed} onChange={onType} />
            <Select
              aria-label="Kind"
              placeholder="All kinds"
              w={180}
              comboboxProps={{ position: 'bottom-start' }}
              styles={{ dropdown: { minWidth: 180 } }}
              clearable
              clearButtonProps={{ ...shownClearButton, 'aria-label': 'All kinds' }}
              data={Object.entries(kindNames).map(([value, label]) => ({ value, label }))}
              value={kind ?? null}
              onChange={(value) => filter({ kind: (value ?? undefined) as ChangeKind | undefined })}
            />
            <UserFilter user={user} onChange={(id) => filter({ user: id ?? undefined })} />
            {projects.length > 1 ? (
              <IdSelect
                aria-label="Project"
                none="All projects"
                flex="1 1 160px"
                maw={240}
                comboboxProps={wideDropdown}
                options={projects.map(pathOption)}
                value={project ?? null}
                onChange={(id) => filter({ project: id ?? undefined })}
              />
            ) : null}
          </>
        }
        what="the activity"
        error={activity.error}
        empty="No change matches"
        label="Activity"
        memory="activity"
        rows={shown}
        columns={columns}
        rowKey={(row) => row.id}
        sectionOf={(row) => dayHeading(row.at)}
        onOpen={setOpened}
        onEndReached={() => {
          if (activity.hasNextPage && !activity.isFetchingNextPage) void activity.fetchNextPage();
        }}
      />
      {opened === undefined ? null : (
        <ChangeDetails
          row={opened}
          state={states.get(opened.id)}
          onShow={setOpened}
          onUndo={() => {
            setOpened(undefined);
            undo(opened);
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/**
 * Names the project or group whose members, environments or guards were changed; '' for environments and guards of the only project, and for
 * other changes, whose subject says enough.
 */
function usePlaceNames(): (row: AuditRow) => string {
  const { data: projects } = useProjects();
  const { data: groups } = useGroups();
  return useCallback(
    ({ action, target, projectId, groupId }) => {
      if (!/^(member|share|environment|guard)\./.test(action)) return '';
      if (projectId !== null && projects?.length === 1 && /^(environment|guard)\./.test(action)) return '';
      const places = projectId === null ? groups : projects;
      const path = places?.find(({ id }) => id === (projectId ?? groupId))?.fullPath;
      return path === undefined || path === target.name ? '' : `in ${path}`;
    },
    [projects, groups],
  );
}

/** Undoes the change of a tag or a deprecation at once and says what it came to; of rules, says it first. */
function undoChange(row: AuditRow, mutate: ReturnType<typeof useUndo>['mutate']): void {
  const undo = undoOf(row);
  if (undo === undefined) return;
  const result = undoResult(row) ?? [];
  const run = () =>
    mutate(undo, {
      onSuccess: () =>
        notifications.show({
          ...(result.length > 1 && { title: 'Undone' }),
          message: result.map((sentence) => <div key={sentence}>{sentence}</div>),
        }),
    });
  if (!row.action.startsWith('environment.')) {
    run();
    return;
  }
  ask({
    title: `Undo this change of ${quoted(row.target.name)}?`,
    consequence:
      result.length < 2 ? (
        `Afterwards: ${result[0] ?? 'only administrators may deploy.'}`
      ) : (
        <>
          Afterwards:
          <ul style={{ margin: '4px 0', paddingLeft: 18 }}>
            {result.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      ),
    action: 'Undo',
    takesAway: false,
    run,
  });
}

function changeColumns(
  states: ReadonlyMap<number, UndoState>,
  placeOf: (row: AuditRow) => string,
  onUndo: (row: AuditRow) => void,
): Column<AuditRow>[] {
  return [
    clockColumn(),
    {
      key: 'actor',
      label: 'User',
      width: 'minmax(88px, 0.14fr)',
      cell: (row) => <div className="gh-truncate">{row.actor.name}</div>,
    },
    wideColumn('Change', (row) => {
      const { verb, subject, detail } = describeRow(row);
      const { undoneBy, canUndo = false } = states.get(row.id) ?? {};
      const details = [placeOf(row), detail];
      return (
        <div className="gh-change">
          <div className="gh-change-text">
            <span className="gh-change-what">
              <span className="gh-truncate">{verb}</span>
              <strong className="gh-truncate">
                <TargetLink row={row} quiet>
                  <SubjectText text={subject} />
                </TargetLink>
              </strong>
            </span>
            <span className="gh-change-detail gh-faint gh-small gh-truncate">
              <DetailText text={details.filter(Boolean).join(' · ')} />
            </span>
          </div>
          {undoneBy === undefined ? null : <span className="gh-change-end gh-faint gh-small">Undone</span>}
          {!canUndo ? null : (
            <Button
              className="gh-change-end"
              variant="default"
              size="compact-xs"
              aria-label={`Undo: ${verb} ${subject}`}
              onClick={(event) => {
                event.stopPropagation();
                onUndo(row);
              }}
            >
              Undo
            </Button>
          )}
        </div>
      );
    }),
    textColumn('From', '90px', (row) => originNames[row.origin], {
      hideBelow: 860,
      detail: (row) => row.address ?? undefined,
    }),
  ];
}
