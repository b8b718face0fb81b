import { Anchor, Button, Group, Modal, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { LoggedRequestEntry } from '../../../server/contract/server.ts';
import { copyAndSay } from '../../ui/feedback/toast.tsx';
import { clientName } from '../../ui/text/client-name.ts';
import { formatBytes } from '../../ui/text/format.ts';
import { ExactMoment } from '../../ui/text/moment.tsx';
import { addressText, asCurl, formatDuration } from './request-text.ts';
import '../../ui/lists/facts.css';

interface RequestDetailsProps {
  request: LoggedRequestEntry;
  /** Where the registry is, for the command. */
  origin: string;
  onClose: () => void;
}

/** One request in full: what was asked for, the response, and who asked. */
export function RequestDetails({ request, origin, onClose }: RequestDetailsProps) {
  const name = clientName(request.client);
  const place = addressText(request.address);
  const isNamed = place !== request.address;
  return (
    <Modal opened onClose={onClose} title={`${request.method} request`} size={680}>
      <dl className="gh-facts">
        <dt>Path</dt>
        <dd className="gh-mono">{request.path}</dd>
        {request.version === null ? null : (
          <>
            <dt>Version</dt>
            <dd>{request.version}</dd>
          </>
        )}
        <dt>Status</dt>
        <dd>
          <StatusText status={request.status} />
        </dd>
        {request.error === null ? null : (
          <>
            <dt>Reason</dt>
            <dd>{request.error}</dd>
          </>
        )}
        <dt>User</dt>
        <dd>
          <UserLink request={request} />
        </dd>
        {request.token === null ? null : (
          <>
            <dt>Token</dt>
            <dd>
              {request.token.name} <span className="gh-mono gh-muted">…{request.token.hint}</span>
            </dd>
          </>
        )}
        {request.address === null ? null : (
          <>
            <dt>Address</dt>
            <dd>
              {isNamed ? `${place} ` : null}
              <span className={isNamed ? 'gh-mono gh-muted' : 'gh-mono'}>{request.address}</span>
            </dd>
          </>
        )}
        <dt>Client</dt>
        <dd>
          {name}
          {name === request.client ? null : <div className="gh-mono gh-muted">{request.client}</div>}
        </dd>
        <dt>Time</dt>
        <dd>
          <ExactMoment time={request.at} />
        </dd>
        <dt>Duration</dt>
        <dd>{formatDuration(request.duration)}</dd>
        <dt>Size</dt>
        <dd>{formatBytes(request.bytes)}</dd>
      </dl>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={() => copyAndSay(asCurl(request, origin), 'the command')}>
          Copy as curl
        </Button>
        <Button data-autofocus onClick={onClose}>
          Close
        </Button>
      </Group>
    </Modal>
  );
}

function UserLink({ request: { username, userId: id } }: Pick<RequestDetailsProps, 'request'>) {
  if (username === null || id === null) return <span className="gh-muted">none</span>;
  return (
    <Anchor inherit renderRoot={(props) => <Link {...props} to="/people/users/$id" params={{ id }} />}>
      @{username}
    </Anchor>
  );
}

/** The status of a response, in the color of a refusal or a failure if it was one. */
export function StatusText({ status }: { status: number }) {
  return (
    <Text span inherit c={status < 400 ? 'inherit' : status < 500 ? 'var(--gh-warn)' : 'var(--gh-danger)'}>
      {status}
    </Text>
  );
}
