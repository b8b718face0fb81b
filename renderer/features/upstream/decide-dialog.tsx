import { Button, Group, Modal, Stack } from '@mantine/core';
import type { OutboxOperation } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { operationText } from './outbox-text.ts';

interface DecideDialogProps {
  operation: OutboxOperation;
  upstreamId: number;
  /** The name of the other registry. */
  upstream: string;
  onClose: () => void;
}

/** Shows both sides of a change that stopped, and lets somebody say what is to become of it. */
export function DecideDialog({ operation, upstreamId, upstream, onClose }: DecideDialogProps) {
  const resolve = useCall('outbox.resolve', { handlesErrors: true });
  const settle = (resolution: 'theirs' | 'ours' | 'retry') =>
    resolve.mutate({ upstreamId, changeId: operation.changeId, resolution }, { onSuccess: onClose });
  const isConflict = operation.state === 'conflict';
  const text = operation.error ?? operation.explanation;
  return (
    <Modal opened onClose={onClose} title={`${operationText(operation)} of ${operation.name}`} size={620}>
      <Stack gap={14}>
        <Notice tone={isConflict ? 'warn' : 'danger'}>{text}</Notice>
        {operation.here === null && operation.there === null ? null : (
          <dl className="gh-sides">
            <dt>Here</dt>
            <dd className="gh-mono">{operation.here ?? 'nothing'}</dd>
            <dt>At {upstream}</dt>
            <dd className="gh-mono">{operation.there ?? 'nothing'}</dd>
          </dl>
        )}
        {isConflict && operation.kind === 'publish' ? (
          <p className="gh-dialog-text">
            No registry lets the bytes of a version be replaced. To have yours there, publish it here under another
            version.
          </p>
        ) : null}
        {resolve.error ? <ErrorNotice error={resolve.error} /> : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" loading={resolve.isPending} onClick={() => settle('retry')}>
            Try again
          </Button>
          {isConflict && operation.kind !== 'publish' ? (
            <Button variant="default" disabled={resolve.isPending} onClick={() => settle('ours')}>
              Do it all the same
            </Button>
          ) : null}
          <Button data-autofocus disabled={resolve.isPending} onClick={() => settle('theirs')}>
            Leave {upstream} as it is
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
