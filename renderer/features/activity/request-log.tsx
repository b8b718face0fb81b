import { Button, Menu, SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconDownload, IconTerminal2, IconWorldDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import type { LoggedRequestEntry } from '../../../server/contract/server.ts';
import { saveText, useAppState } from '../../api/app.ts';
import { useRequests } from '../../api/overview.ts';
import { actionsColumn, clockColumn, textColumn, wideColumn } from '../../ui/lists/columns.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { copyAndSay, said } from '../../ui/feedback/toast.tsx';
import { formatBytes, plural } from '../../ui/text/format.ts';
import { ListPanel } from '../../ui/lists/list-panel.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { type SearchProps, UserFilter } from './filters.tsx';
import { RequestDetails, StatusText } from './request-details.tsx';
import {
  addressText,
  asCurl,
  asJsonLines,
  filterRequests,
  formatDuration,
  knownStart,
  senderText,
  type StatusFilter,
} from './request-text.ts';

/** The requests of clients and their responses, live; a row opens in full. */
export function RequestLog({ typed, onType }: SearchProps) {
  const state = useAppState();
  const requests = useRequests();
  const { user, ...filters } = useSearch({ from: '/activity' });
  const navigate = useNavigate({ from: '/activity' });
  const [status, setStatus] = useState<StatusFilter>('all');
  const [opened, setOpened] = useState<LoggedRequestEntry>();
  const search = useDeferredValue(typed);
  const rows = useMemo(
    () => requests.data && filterRequests(requests.data, search, status, user),
    [requests.data, search, status, user],
  );
  const origin = state.phase === 'ready' ? state.origin : '';
  const columns = useMemo(() => [...requestColumns(status === 'failed'), requestActions(origin)], [origin, status]);
  if (requests.data?.length === 0) {
    return (
      <EmptyState
        icon={<IconWorldDownload size={24} />}
        title="No requests yet"
        text="Each request appears here with its status, duration, size and client. Secrets are never logged."
      />
    );
  }
  return (
    <>
      <ListPanel
        bar={
          <>
            <SearchField label="Search the requests" value={typed} onChange={onType} />
            <SegmentedControl
              aria-label="Which requests"
              data={[
                { value: 'all', label: 'All' },
                { value: 'failed', label: 'Failed' },
              ]}
              value={status}
              onChange={setStatus}
            />
            <UserFilter
              user={user}
              onChange={(id) =>
                void navigate({ search: id === null ? filters : { ...filters, user: id }, replace: true })
              }
            />
            <span className="gh-faint">{plural(rows?.length ?? 0, 'request')}</span>
            <span className="gh-spacer" />
            <ExportMenu rows={rows ?? []} />
          </>
        }
        what="the requests"
        error={requests.error}
        empty="No request matches"
        label="HTTP requests"
        rows={rows}
        columns={columns}
        rowKey={(request) => request.id}
        rowHeight={status === 'failed' ? 46 : 32}
        onOpen={setOpened}
      />
      {opened === undefined ? null : (
        <RequestDetails request={opened} origin={origin} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}

function ExportMenu({ rows }: { rows: readonly LoggedRequestEntry[] }) {
  const what = plural(rows.length, 'request');
  const save = useMutation({
    mutationFn: () =>
      saveText(
        { title: `Save ${what}`, suggestedName: 'gatehouse-requests.jsonl', extensions: ['jsonl'] },
        asJsonLines(rows),
      ),
    onSuccess: (file) => file !== null && notifications.show({ message: said`Saved ${what} to ${file}` }),
  });
  return (
    <Menu>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden="true" />}
          disabled={rows.length === 0}
          loading={save.isPending}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save.mutate()}>Save as JSON Lines…</Menu.Item>
        <Menu.Item onClick={() => copyAndSay(asJsonLines(rows), what)}>Copy as JSON Lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** `withReasons` says below each path why it was refused; without, the status says it under the pointer. */
const requestColumns = (withReasons: boolean): Column<LoggedRequestEntry>[] => [
  clockColumn(),
  textColumn('Method', '58px', (request) => <span className="gh-mono">{request.method}</span>),
  wideColumn('Path', (request) => (
    <>
      <div className="gh-row">
        <span className="gh-mono gh-truncate">
          <TailText
            text={request.path}
            tail={request.path.length - knownStart(request.path)}
            head={4}
            exact
            wholeParts
          />
        </span>
        {request.version === null ? null : (
          <span className="gh-muted gh-truncate" style={{ flex: 'none', maxWidth: '40%' }}>
            <TailText text={request.version} tail={12} />
          </span>
        )}
      </div>
      {withReasons ? <div className="gh-faint gh-small gh-truncate">{request.error}</div> : null}
    </>
  )),
  textColumn('Status', '48px', ({ status }) => <StatusText status={status} />, {
    align: 'end',
    detail: (request) => request.error ?? undefined,
  }),
  textColumn('Duration', '64px', (request) => formatDuration(request.duration), { align: 'end' }),
  textColumn('Size', '64px', (request) => formatBytes(request.bytes), { align: 'end', hideBelow: 1100 }),
  textColumn('Client', '144px', senderText, { hideBelow: 884, detail: (request) => request.client }),
  textColumn('Address', '104px', ({ address }) => addressText(address), {
    hideBelow: 1004,
    detail: ({ address }) => address ?? undefined,
  }),
];

function requestActions(origin: string): Column<LoggedRequestEntry> {
  return actionsColumn(
    (request) => `${request.method} ${request.path}`,
    (request) => [
      { label: 'Copy as curl', icon: IconTerminal2, run: () => copyAndSay(asCurl(request, origin), 'the command') },
      { label: 'Copy the path', icon: IconCopy, run: () => copyAndSay(request.path, 'the path') },
    ],
  );
}
