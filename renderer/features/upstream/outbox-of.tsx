import { Button, Progress } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import type { OutboxOperation, OutboxStatus, Upstream } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { usePackages } from '../../api/packages.ts';
import { useOutbox } from '../../api/upstream.ts';
import { Moment } from '../../ui/moment.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { outboxColumns } from './outbox-columns.tsx';
import { arrivedPackages, needsDecision, planSummary, pushSummary } from './outbox-text.ts';
import { SelectorField } from './selector-field.tsx';

const asScope = (scope: string): string => scope;

/** The outbox of one registry: choose, compare, send, watch, decide. */
export function OutboxOf({ upstream, chooser }: { upstream: Upstream; chooser: ReactNode }) {
  const upstreamId = upstream.id;
  const status = useOutbox(upstreamId);
  const plan = useCall('outbox.plan', { handlesErrors: true });
  const start = useCall('outbox.start', { handlesErrors: true });
  const stop = useCall('outbox.stop', { handlesErrors: true });
  const [selection, setSelection] = useState<string[]>([...upstream.pushSelection]);
  const [deciding, setDeciding] = useState<OutboxOperation>();
  const [handingOver, setHandingOver] = useState(false);
  const { data: packages } = usePackages();
  const sent = status.data?.operations;
  const arrived = useMemo(
    () => arrivedPackages(sent ?? [], new Set(packages?.map((pack) => pack.name))),
    [sent, packages],
  );
  const planned = plan.data;
  const view = planned === undefined ? 'push' : 'plan';
  const columns = useMemo(() => outboxColumns(view, setDeciding), [view]);
  const rows = planned?.operations ?? status.data?.operations ?? [];
  const running = status.data?.running === true;
  const toSend = planned === undefined ? 0 : planned.counts.new + planned.counts.unknown;
  const error = plan.error ?? start.error ?? stop.error ?? status.error;
  return (
    <>
      <form
        className="gh-panel-bar gh-outbox-bar"
        onSubmit={(event) => {
          event.preventDefault();
          start.reset();
          plan.mutate({ upstreamId, selection });
        }}
      >
        {chooser}
        <SelectorField
          label="Packages and scopes"
          placeholder="@acme, tiny-queue, or * for everything"
          scopeForm={asScope}
          value={selection}
          onChange={(value) => {
            setSelection(value);
            plan.reset();
          }}
        />
        <Button type="submit" variant="default" loading={plan.isPending} disabled={selection.length === 0 || running}>
          See what would happen
        </Button>
      </form>
      {error ? (
        <div className="gh-outbox-note">
          <ErrorNotice error={error} />
        </div>
      ) : null}
      {planned ? (
        <div className="gh-outbox-state">
          <strong role="status">{planSummary(planned.counts)}</strong>
          <span className="gh-spacer" />
          <Button variant="default" onClick={() => plan.reset()}>
            Close
          </Button>
          <Button
            disabled={toSend === 0}
            loading={start.isPending}
            onClick={() => start.mutate({ upstreamId, selection }, { onSuccess: () => plan.reset() })}
          >
            {toSend === 0 ? 'Nothing to send' : `Send to ${upstream.name}`}
          </Button>
        </div>
      ) : status.data && status.data.total > 0 ? (
        <PushState status={status.data} stopping={stop.isPending} onStop={() => stop.mutate({ upstreamId })}>
          {running || arrived.length === 0 ? null : (
            <Button variant="default" onClick={() => setHandingOver(true)}>
              Hand over…
            </Button>
          )}
        </PushState>
      ) : null}
      {planned && planned.counts.unknown > 0 ? (
        <div className="gh-outbox-note">
          <Notice tone="warn" title={`${upstream.name} could not be asked about everything`}>
            Send it all the same: it is compared again and goes out as soon as {upstream.name} answers.
          </Notice>
        </div>
      ) : null}
      <div className="gh-panel-body">
        {rows.length === 0 ? (
          <div className="gh-no-match" role="status">
            <strong>{planned ? 'Nothing waits to be sent' : 'Nothing was sent yet'}</strong>
            {planned
              ? `${upstream.name} has all of it.`
              : 'Choose packages or scopes and see what would happen. Looking changes nothing.'}
          </div>
        ) : (
          <VirtualTable
            label={planned ? 'What would happen' : 'What was sent'}
            rows={rows}
            columns={columns}
            rowKey={(operation) => operation.changeId}
            rowHeight={52}
            onOpen={(operation) => {
              if (view === 'push' && needsDecision(operation)) setDeciding(operation);
            }}
          />
        )}
      </div>
      {handingOver ? (
        <HandOverDialog
          upstreamId={upstreamId}
          upstream={upstream.name}
          names={arrived}
          onClose={() => setHandingOver(false)}
        />
      ) : null}
      {deciding ? (
        <DecideDialog
          operation={deciding}
          upstreamId={upstreamId}
          upstream={upstream.name}
          onClose={() => setDeciding(undefined)}
        />
      ) : null}
    </>
  );
}

interface PushStateProps {
  status: OutboxStatus;
  stopping: boolean;
  onStop: () => void;
  /** What else can be done about it. */
  children: ReactNode;
}

function PushState({ status, stopping, onStop, children }: PushStateProps) {
  return (
    <>
      <div className="gh-outbox-state">
        <strong role="status">{pushSummary(status)}</strong>
        {status.retryAt === null ? null : (
          <span className="gh-faint">
            Next try <Moment time={status.retryAt} />
          </span>
        )}
        <span className="gh-spacer" />
        {status.running ? (
          <Button variant="default" loading={stopping} onClick={onStop}>
            Stop
          </Button>
        ) : null}
        {children}
      </div>
      {status.running ? (
        <div className="gh-outbox-progress">
          <Progress
            value={status.total === 0 ? 0 : (status.done / status.total) * 100}
            size={4}
            aria-label={`Sent to ${status.upstream}`}
          />
          {status.current === null ? null : <div className="gh-faint gh-mono gh-truncate">{status.current}</div>}
        </div>
      ) : null}
    </>
  );
}
