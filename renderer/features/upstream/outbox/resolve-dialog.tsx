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
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${isConflict ? 'Conflict' : 'Failed'}: ${operationText(operation)} of ${operation.name}`}
      size={620}
    >
      <Stack gap={14}>
        <Notice tone={isConflict ? 'warn' : 'danger'}>{operation.error ?? operation.explanation}</Notice>
        {operation.here === null && operation.there === null ? null : (
          <dl className="gh-facts gh-sides">
            <dt>Here</dt>
            <Side operation={operation} text={operation.here} />
            <dt>At {upstream}</dt>
            <Side operation={operation} text={operation.there} />
          </dl>
        )}
        {resolve.error ? <ErrorNotice error={resolve.error} /> : null}
        <Group justify="flex-end" gap={8} className="gh-dialog-footer">
          {isConflict ? (
            <>
              <Button variant="default" loading={chosen === 'retry'} onClick={() => settle('retry')}>
                Retry
              </Button>
              {operation.kind === 'publish' ? null : (
                <Button variant="default" loading={chosen === 'ours'} onClick={() => settle('ours')}>
                  Overwrite
                </Button>
              )}
              <Button data-autofocus loading={chosen === 'theirs'} onClick={() => settle('theirs')}>
                Leave {upstream} as it is
              </Button>
            </>
          ) : (
            <>
              <Button variant="default" loading={chosen === 'theirs'} onClick={() => settle('theirs')}>
                Skip this change
              </Button>
              <Button data-autofocus loading={chosen === 'retry'} onClick={() => settle('retry')}>
                Retry
              </Button>
            </>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** What is on one side; of a version its hashes, each on a line of its own. */
function Side({ operation, text }: { operation: OutboxOperation; text: string | null }) {
  const isVersion = operation.kind === 'publish' || operation.kind === 'unpublish';
  if (text === null || !isVersion) return <dd className="gh-mono">{text ?? 'nothing'}</dd>;
  return (
    <dd className="gh-mono gh-hash">
      {text.split(' ').map((hash) => (
        <div key={hash}>{hash}</div>
      ))}
    </dd>
  );
}
