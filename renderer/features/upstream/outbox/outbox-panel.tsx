import { Button, Progress } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import type { OutboxOperation, OutboxStatus } from '../../../../server/contract/outbox.ts';
import type { Upstream } from '../../../../server/contract/upstream.ts';
import { useCall } from '../../../api/call.ts';
import { usePackages } from '../../../api/packages.ts';
import { useOffline, useOutbox, useUpstreams } from '../../../api/upstream.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { IdSelect } from '../../../ui/forms/id-select.tsx';
import { Moment } from '../../../ui/text/moment.tsx';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import { Pending } from '../../../ui/feedback/pending.tsx';
import { VirtualTable } from '../../../ui/lists/virtual-table.tsx';
import { RegistryDialog } from '../registries/registry-dialog.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { outboxColumns } from './outbox-columns.tsx';
import { fullySentPackages, needsDecision, planSummary, pushSummary } from './outbox-text.ts';
import { ResolveDialog } from './resolve-dialog.tsx';
import { SelectorField } from '../selector-field.tsx';

/** Sends what was published and changed here to another registry. */
export function OutboxPanel() {
  const { of } = useSearch({ from: '/upstream' });
  const navigate = useNavigate({ from: '/upstream' });
  const upstreams = useUpstreams();
  if (upstreams.data === undefined) return <Pending what="the registries" error={upstreams.error} />;
  const targets = upstreams.data.filter((upstream) => upstream.kind !== 'archive');
  const chosen =
    targets.find((upstream) => upstream.id === of) ??
    targets.find((upstream) => upstream.pushSelection.length > 0) ??
    targets[0];
  if (chosen === undefined) {
    return (
      <EmptyState
        icon={<IconSend size={22} />}
        title="Send your changes to another registry"
        text="Versions, tags and deprecations made here can be sent to GitLab, Verdaccio, npm or another Gatehouse. A preview shows every change before it is sent."
        action={
          <Button variant="default" onClick={() => void navigate({ search: { tab: 'registries' } })}>
            Add a registry
          </Button>
        }
      />
    );
  }
  return (
    <Outbox
      key={chosen.id}
      upstream={chosen}
      chooser={
        <IdSelect
          label="Registry"
          w={240}
          options={targets.map((upstream) => ({ id: upstream.id, label: upstream.name }))}
          value={chosen.id}
          onChange={(id) => id !== null && void navigate({ search: { tab: 'outbox', of: id }, replace: true })}
        />
      }
    />
  );
}

/** The outbox of one registry: choose, preview, send, watch, resolve. */
function Outbox({ upstream, chooser }: { upstream: Upstream; chooser: ReactNode }) {
  const upstreamId = upstream.id;
  const status = useOutbox(upstreamId);
  const plan = useCall('outbox.plan', { handlesErrors: true });
  const start = useCall('outbox.start', { handlesErrors: true });
  const stop = useCall('outbox.stop', { handlesErrors: true });
  const [selection, setSelection] = useState<string[]>([...upstream.pushSelection]);
  const [typing, setTyping] = useState(false);
  const [editing, setEditing] = useState(false);
  const [resolving, setResolving] = useState<OutboxOperation>();
  const [handingOver, setHandingOver] = useState(false);
  const { data: packages } = usePackages();
  const sent = status.data?.operations;
  const fullySent = useMemo(
    () => fullySentPackages(sent ?? [], new Set(packages?.map((pack) => pack.name))),
    [sent, packages],
  );
  const planned = plan.data;
  const view = planned === undefined ? 'push' : 'plan';
  const columns = useMemo(() => outboxColumns(view, setResolving), [view]);
  const rows = planned?.operations ?? sent ?? [];
  const running = status.data?.running === true;
  const toSend = planned === undefined ? 0 : planned.counts.new + planned.counts.unknown;
  const isOffline = useOffline().data?.mode === 'on';
  const hasOrigin = upstream.pushFrom !== null;
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
          scopeSuffix=""
          value={selection}
          onChange={(value) => {
            setSelection(value);
            plan.reset();
          }}
          onTyping={setTyping}
        />
        <Button
          type="submit"
          variant="default"
          loading={plan.isPending}
          disabled={(selection.length === 0 && !typing) || running || !hasOrigin}
        >
          Preview
        </Button>
      </form>
      {hasOrigin ? null : (
        <div className="gh-outbox-note">
          <Notice
            title={`Choose the projects whose packages may go to ${upstream.name}`}
            actions={
              <Button variant="default" onClick={() => setEditing(true)}>
                Edit {upstream.name}…
              </Button>
            }
          >
            Packages of the same name in other projects are never sent.
          </Notice>
        </div>
      )}
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
            disabled={toSend === 0 || isOffline}
            loading={start.isPending}
            onClick={() => start.mutate({ upstreamId, selection }, { onSuccess: () => plan.reset() })}
          >
            {toSend === 0 ? 'Nothing to send' : `Send to ${upstream.name}`}
          </Button>
        </div>
      ) : status.data && status.data.total > 0 ? (
        <PushState status={status.data} stopping={stop.isPending} onStop={() => stop.mutate({ upstreamId })}>
          {running || fullySent.length === 0 ? null : (
            <Button variant="default" onClick={() => setHandingOver(true)}>
              Hand over…
            </Button>
          )}
        </PushState>
      ) : null}
      {planned && isOffline ? (
        <div className="gh-outbox-note">
          <Notice tone="warn" title={`Gatehouse is offline and cannot ask ${upstream.name}`}>
            Choose Automatic above to compare and send.
          </Notice>
        </div>
      ) : planned && planned.counts.unknown > 0 ? (
        <div className="gh-outbox-note">
          <Notice tone="warn" title={`Not everything could be compared with ${upstream.name}`}>
            You can send it anyway: it is compared again and sent as soon as {upstream.name} is reachable.
          </Notice>
        </div>
      ) : null}
      <div className="gh-panel-body">
        {rows.length === 0 ? (
          <div className="gh-no-match" role="status">
            <strong>{planned ? 'Nothing to send' : 'Nothing was sent yet'}</strong>
            {planned
              ? `${upstream.name} has everything already.`
              : 'Choose packages or scopes and preview what would be sent. A preview changes nothing.'}
          </div>
        ) : (
          <VirtualTable
            label={planned ? 'Changes to send' : 'Sent changes'}
            rows={rows}
            columns={columns}
            rowKey={(operation) => operation.changeId}
            rowHeight={52}
            onOpen={(operation) => {
              if (view === 'push' && needsDecision(operation)) setResolving(operation);
            }}
          />
        )}
      </div>
      {editing ? (
        <RegistryDialog
          registry={upstream}
          about="publishing"
          onClose={() => setEditing(false)}
          onSaved={({ pushSelection }) => {
            setEditing(false);
            setSelection([...pushSelection]);
            plan.reset();
          }}
        />
      ) : null}
      {handingOver ? (
        <HandOverDialog
          upstreamId={upstreamId}
          upstream={upstream.name}
          names={fullySent}
          onClose={() => setHandingOver(false)}
        />
      ) : null}
      {resolving ? (
        <ResolveDialog
          operation={resolving}
          upstreamId={upstreamId}
          upstream={upstream.name}
          onClose={() => setResolving(undefined)}
        />
      ) : null}
    </>
  );
}

interface PushStateProps {
  status: OutboxStatus;
  stopping: boolean;
  onStop: () => void;
  /** More buttons. */
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
