import { Button, Group, Modal, Stack } from '@mantine/core';
import type { OutboxOperation } from '../../../../server/contract/outbox.ts';
import { operationText } from '../../../../server/contract/outbox-words.ts';
import { useCall } from '../../../api/call.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/notice.tsx';
import '../../../ui/lists/facts.css';
import '../upstream.css';

interface ResolveDialogProps {
  operation: OutboxOperation;
  upstreamId: number;
  /** The name of the other registry. */
  upstream: string;
  onClose: () => void;
}

/** Shows both sides of a change that conflicts or failed, and asks what to do about it. */
export function ResolveDialog({ operation, upstreamId, upstream, onClose }: ResolveDialogProps) {
  const resolve = useCall('outbox.resolve', { handlesErrors: true });
  const chosen = resolve.isPending ? resolve.variables.resolution : undefined;
  const settle = (resolution: 'theirs' | 'ours' | 'retry') =>
    chosen === undefined &&
    resolve.mutate({ upstreamId, changeId: operation.changeId, resolution }, { onSuccess: onClose });
  const isConflict = operation.state === 'conflict';
  const sideClass = operation.kind === 'publish' ? 'gh-mono gh-hash' : 'gh-mono';
  return (
    <Modal opened onClose={onClose} title={`${operationText(operation)} of ${operation.name}`} size={620}>
      <Stack gap={14}>
        <Notice tone={isConflict ? 'warn' : 'danger'}>{operation.error ?? operation.explanation}</Notice>
        {operation.here === null && operation.there === null ? null : (
          <dl className="gh-facts gh-sides">
            <dt>Here</dt>
            <dd className={sideClass}>{operation.here ?? 'nothing'}</dd>
            <dt>At {upstream}</dt>
            <dd className={sideClass}>{operation.there ?? 'nothing'}</dd>
          </dl>
        )}
        {resolve.error ? <ErrorNotice error={resolve.error} /> : null}
        <Group justify="flex-end" gap={8} className="gh-dialog-footer">
          <Button variant="default" loading={chosen === 'retry'} onClick={() => settle('retry')}>
            Retry
          </Button>
          {isConflict && operation.kind !== 'publish' ? (
            <Button variant="default" loading={chosen === 'ours'} onClick={() => settle('ours')}>
              Overwrite
            </Button>
          ) : null}
          <Button data-autofocus loading={chosen === 'theirs'} onClick={() => settle('theirs')}>
            Leave {upstream} as it is
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
