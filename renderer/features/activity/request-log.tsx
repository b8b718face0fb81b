import { Button, Menu, SegmentedControl, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDownload, IconSearch, IconWorldDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { LoggedRequestEntry } from '../../../server/contract/overview.ts';
import { copyText, saveText, useAppState } from '../../api/app.ts';
import { useRequests } from '../../api/overview.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatBytes, formatClock, formatCount, plural } from '../../ui/format.ts';
import { Pending } from '../../ui/pending.tsx';
import { Page } from '../../ui/page.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TailText } from '../../ui/tail-text.tsx';
import { VirtualTable, type Column } from '../../ui/virtual-table.tsx';
import { ActivityViews } from './activity-views.tsx';
import { asCurl, asJsonLines, filterRequests, type StatusFilter } from './request-text.ts';
import './activity.css';

/** What clients asked and how it was answered, live. */
export function RequestLog() {
  const state = useAppState();
  const requests = useRequests();
  const [typed, setTyped] = useState('');
  const [status, setStatus] = useState<StatusFilter>('all');
  const search = useDeferredValue(typed);
  const rows = useMemo(() => filterRequests(requests.data ?? [], search, status), [requests.data, search, status]);
  const origin = state.phase === 'ready' ? state.origin : '';
  const columns = useMemo(() => requestColumns(origin), [origin]);
  return (
    <Page
      title="Activity"
      count={requests.data && requests.data.length > 0 ? plural(rows.length, 'request') : undefined}
      padded={false}
      actions={
        <div className="gh-toolbar">
          <ActivityViews />
          <SegmentedControl
            aria-label="Which requests"
            data={[
              { value: 'all', label: 'All' },
              { value: 'failed', label: 'Failed' },
            ]}
            value={status}
            onChange={setStatus}
          />
          <ExportMenu rows={rows} />
          <TextInput
            type="search"
            data-find
            aria-label="Search the requests"
            placeholder="Search"
            w={200}
            leftSection={<IconSearch size={14} aria-hidden="true" />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </div>
      }
    >
      {requests.error || requests.data === undefined ? (
        <Pending what="the requests" error={requests.error} />
      ) : requests.data.length === 0 ? (
        <EmptyState
          icon={<IconWorldDownload size={24} />}
          title="No requests yet"
          text="As soon as a client asks this registry for anything, it shows here: what, who, how it was answered and how fast. Tokens are never kept."
        />
      ) : rows.length === 0 ? (
        <div className="gh-no-match" role="status">
          <strong>No request matches</strong>
        </div>
      ) : (
        <VirtualTable label="Requests" rows={rows} columns={columns} rowKey={(request) => request.id} rowHeight={32} />
      )}
    </Page>
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
    onSuccess: (file) => file !== null && notifications.show({ message: `Saved ${what} to ${file}` }),
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
        <Menu.Item onClick={() => save.mutate()}>Save as JSON lines…</Menu.Item>
        <Menu.Item onClick={() => copy(asJsonLines(rows), what)}>Copy as JSON lines</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function copy(text: string, what: string): void {
  void copyText(text).then(() => notifications.show({ message: `Copied ${what}` }));
}

function requestColumns(origin: string): Column<LoggedRequestEntry>[] {
  return [
    {
      key: 'at',
      label: 'Time',
      width: '68px',
      cell: (request) => <span className="gh-muted">{formatClock(request.at)}</span>,
    },
    {
      key: 'method',
      label: 'Method',
      width: '58px',
      cell: (request) => <span className="gh-mono">{request.method}</span>,
    },
    {
      key: 'path',
      label: 'Path',
      width: 'minmax(0, 1fr)',
      cell: (request) => (
        <div className="gh-mono gh-truncate">
          <TailText text={request.path} tail={lastPart(request.path)} />
        </div>
      ),
    },
    {
      key: 'status',
      label: 'Status',
      width: '48px',
      align: 'end',
      cell: (request) => (
        <span className="gh-request-status" data-class={Math.floor(request.status / 100)}>
          {request.status}
        </span>
      ),
    },
    {
      key: 'duration',
      label: 'Took',
      width: '64px',
      align: 'end',
      cell: (request) => <span className="gh-muted">{formatDuration(request.duration)}</span>,
    },
    {
      key: 'bytes',
      label: 'Size',
      width: '64px',
      align: 'end',
      hideBelow: 900,
      cell: (request) => <span className="gh-muted">{formatBytes(request.bytes)}</span>,
    },
    {
      key: 'client',
      label: 'Client',
      width: '152px',
      hideBelow: 680,
      cell: (request) => (
        <div className="gh-muted gh-truncate" title={request.client}>
          {request.username === null ? request.client : `${request.username}, ${request.client}`}
        </div>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      labelHidden: true,
      width: '28px',
      cell: (request) => (
        <RowMenu
          name={`${request.method} ${request.path}`}
          actions={[
            { label: 'Copy as curl', run: () => copy(asCurl(request, origin), 'the command') },
            { label: 'Copy the path', run: () => copy(request.path, 'the path') },
          ]}
        />
      ),
    },
  ];
}

/** How long the last part of a path is with its slash: the tarball or the environment that it is about. */
function lastPart(path: string): number {
  return Math.min(28, path.length - Math.max(0, path.lastIndexOf('/')));
}

function formatDuration(milliseconds: number): string {
  if (milliseconds < 0.05) return '< 0.1 ms';
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  return milliseconds < 10_000
    ? `${formatCount(Math.round(milliseconds))} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}
