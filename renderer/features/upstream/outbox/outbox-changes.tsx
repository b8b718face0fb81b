import { Button, Progress } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import type { OutboxOperation, OutboxStatus, OutboxWaiting } from '../../../../server/contract/outbox.ts';
import { countChanges } from '../../../../server/contract/outbox-words.ts';
import type { Upstream } from '../../../../server/contract/upstream.ts';
import { useCall } from '../../../api/call.ts';
import { useProjects } from '../../../api/directory.ts';
import { useOffline } from '../../../api/upstream.ts';
import { ask, quoted } from '../../../ui/feedback/ask.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { VirtualTable } from '../../../ui/lists/virtual-table.tsx';
import { plural } from '../../../ui/text/format.ts';
import { Moment } from '../../../ui/text/moment.tsx';
import { outboxColumns } from './outbox-columns.tsx';
import {
  checkText,
  countToSend,
  currentCheck,
  isLost,
  isUnread,
  needsDecision,
  outboxRows,
  outboxSection,
  outboxSummary,
  sendLabel,
} from './outbox-text.ts';
import { ResolveDialog } from './resolve-dialog.tsx';

interface OutboxChangesProps {
  upstream: Pick<Upstream, 'id' | 'name'>;
  status: OutboxStatus;
  waiting: OutboxWaiting;
  /** What is sent, and from where, in words. */
  what: string;
  /** Called to set up what is lacking. */
  onSetUp: (lack: 'token' | 'pushUrl') => void;
}

const setUpLabels = { token: 'Add a token…', pushUrl: 'Choose the project…' } as const;
const setUpReasons = {
  token: 'Sending needs a token for this registry.',
  pushUrl: 'Sending needs a project in this registry.',
} as const;

/** What waits to be sent to a registry and what was sent: compare, send, watch, resolve. */
export function OutboxChanges({ upstream, status, waiting, what, onSetUp }: OutboxChangesProps) {
  const { id: upstreamId, name } = upstream;
  const compare = useCall('outbox.plan', { handlesErrors: true });
  const check = useCall('outbox.checkSent', { handlesErrors: true });
  const save = useCall('upstream.update', { handlesErrors: true });
  const start = useCall('outbox.start', { handlesErrors: true });
  const retry = useCall('outbox.retryFailed', { handlesErrors: true });
  const stop = useCall('outbox.stop', { handlesErrors: true });
  const [resolving, setResolving] = useState<OutboxOperation>();
  const { data: projects } = useProjects();
  const isOffline = useOffline().data?.mode === 'on';
  const { selection, proposed, lacks } = waiting;
  const pushFrom = waiting.pushFrom ?? undefined;
  const { mutate: resolve } = useCall('outbox.resolve');
  const compared = compare.data?.operations;
  const { data: lastCheck } = check;
  const rows = useMemo(
    () =>
      outboxRows(
        waiting.operations,
        status.operations,
        compared ?? [],
        currentCheck(lastCheck, status)?.operations ?? [],
      ),
    [waiting.operations, status, compared, lastCheck],
  );
  const maySkip = lacks === null && !proposed && !status.running;
  const columns = useMemo(() => {
    // Of a single one it would say nothing, and be taken for that of the other registry.
    const paths = new Map(projects?.length === 1 ? [] : projects?.map(({ id, fullPath }) => [id, fullPath]));
    return outboxColumns(rows, (id) => paths.get(id) ?? '', {
      resolve: setResolving,
      proposed,
      settle: maySkip ? (changeId, resolution) => resolve({ upstreamId, changeId, resolution }) : undefined,
    });
  }, [rows, projects, proposed, maySkip, upstreamId, resolve]);
  const waits = rows.filter(({ state }) => state === 'waiting');
  const hasAll = waits.length > 0 && waits.every(({ verdict }) => verdict === 'same');
  const hasSent = status.operations.some(({ state }) => state === 'done');
  // Where nothing waits, what was sent is checked.
  const checked = waits.length === 0 ? currentCheck(lastCheck, status) : undefined;
  const finding = checked && !isUnread(checked.operations) ? checked : undefined;
  const unread = waits.length > 0 ? compared : finding ? [] : checked?.operations;
  const missed = unread?.find(({ verdict }) => verdict === 'unknown')?.explanation;
  const isAnyLost = rows.some(isLost);
  const { failed } = countChanges(rows);
  const toSend = plural(countToSend(rows), 'change');
  const error = compare.error ?? check.error ?? save.error ?? start.error ?? retry.error ?? stop.error;
  const sendNow = async (): Promise<void> => {
    try {
      if (proposed) await save.mutateAsync({ upstreamId, pushSelection: selection, pushFrom });
      await start.mutateAsync({ upstreamId, selection: [] });
      compare.reset();
      check.reset();
    } catch {
      // Shown above the list.
    }
  };
  const compareNow = (): void => {
    if (waits.length > 0) compare.mutate({ upstreamId, selection, pushFrom });
    else check.mutate({ upstreamId });
  };
  const send = (): void => {
    if (!proposed || hasAll) return void sendNow();
    ask({
      title: `Send ${toSend} to ${quoted(name)}?`,
      consequence: `Sends ${what}, with all versions published so far. They can rarely be removed there.`,
      action: 'Send',
      takesAway: false,
      run: () => void sendNow(),
    });
  };
  return (
    <>
      {rows.length === 0 ? null : (
        <PushState status={status} summary={outboxSummary(rows, status, proposed)}>
          {status.running ? (
            <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate({ upstreamId })}>
              Stop
            </Button>
          ) : (
            <>
              {lacks === null ? null : <span className="gh-faint">{setUpReasons[lacks]}</span>}
              {isOffline && waits.length + failed > 0 && !status.waiting ? (
                <span className="gh-faint">Nothing is sent while offline</span>
              ) : isOffline && lacks === null && hasSent && !status.waiting ? (
                <span className="gh-faint">Nothing is checked while offline</span>
              ) : null}
              {lacks !== null || waits.length > 0 ? (
                <Button
                  disabled={lacks === null && isOffline}
                  loading={save.isPending || start.isPending}
                  onClick={lacks === null ? send : () => onSetUp(lacks)}
                >
                  {lacks !== null ? setUpLabels[lacks] : sendLabel(rows, name, proposed)}
                </Button>
              ) : failed > 0 ? (
                <Button disabled={isOffline} loading={retry.isPending} onClick={() => retry.mutate({ upstreamId })}>
                  Retry {plural(failed, 'failed change')}
                </Button>
              ) : null}
              {/* Last, as the other one leaves: a second press there would do something else. */}
              {lacks === null && (waits.length > 0 || hasSent) ? (
                <Button
                  variant="default"
                  disabled={isOffline}
                  loading={compare.isPending || check.isPending}
                  onClick={compareNow}
                >
                  {waits.length > 0 ? `Compare with ${name}` : 'Check what arrived'}
                </Button>
              ) : null}
            </>
          )}
        </PushState>
      )}
      {error ? (
        <div className="gh-outbox-note">
          <ErrorNotice error={error} />
        </div>
      ) : missed !== undefined && !isOffline ? (
        <div className="gh-outbox-note">
          <Notice tone="warn">
            {waits.length > 0 ? 'Not compared' : 'Not checked'}: {missed}
          </Notice>
        </div>
      ) : finding !== undefined ? (
        <div className="gh-outbox-note" role={isAnyLost ? undefined : 'status'}>
          <Notice tone={isAnyLost ? 'warn' : 'done'}>{checkText(finding, name)}</Notice>
        </div>
      ) : null}
      <div className="gh-panel-body">
        {rows.length === 0 ? (
          <div className="gh-no-match" role="status">
            <strong>Nothing to send</strong>
            {selection.length === 0 || pushFrom === undefined
              ? `Choose packages for ${name} with Edit.`
              : 'Versions and tags that are published here appear in this list.'}
          </div>
        ) : (
          <VirtualTable
            label="Changes"
            rows={rows}
            columns={columns}
            rowKey={(operation) => operation.changeId}
            rowHeight={52}
            sectionOf={(operation) => outboxSection(operation, proposed)}
            {...(rows.some(needsDecision) && {
              onOpen: (operation: OutboxOperation) => {
                if (needsDecision(operation)) setResolving(operation);
              },
            })}
          />
        )}
      </div>
      {resolving ? (
        <ResolveDialog
          operation={resolving}
          upstreamId={upstreamId}
          upstream={name}
          onClose={() => setResolving(undefined)}
        />
      ) : null}
    </>
  );
}

interface PushStateProps {
  status: OutboxStatus;
  summary: string;
  /** The buttons. */
  children: ReactNode;
}

function PushState({ status, summary, children }: PushStateProps) {
  return (
    <>
      <div className="gh-outbox-state">
        <strong role="status">{summary}</strong>
        {status.retryAt === null ? null : (
          <span className="gh-faint">
            Next try <Moment time={status.retryAt} come="now" />
          </span>
        )}
        <div className="gh-outbox-buttons">{children}</div>
      </div>
      {status.running ? (
        <div className="gh-outbox-note gh-small">
          <Progress
            value={status.total === 0 ? 0 : (status.done / status.total) * 100}
            size={4}
            mb={4}
            aria-label={`Sent to ${status.upstream}`}
          />
          {status.current === null ? null : <div className="gh-faint gh-mono gh-truncate">{status.current}</div>}
        </div>
      ) : null}
    </>
  );
}
