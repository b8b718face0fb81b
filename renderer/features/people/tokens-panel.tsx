import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { NewTokenResult, TokenEntry } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useTokens } from '../../api/directory.ts';
import { ask } from '../../ui/ask.tsx';
import { Chip } from '../../ui/chip.tsx';
import { formatDay } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Snippet } from '../../ui/snippet.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { Panel } from './panel.tsx';
import { TokenDialog } from './token-dialog.tsx';

/** Access tokens: made once, shown once, rotated and revoked. */
export function TokensPanel() {
  const tokens = useTokens();
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<NewTokenResult>();
  const { mutate: rotate } = useCall('directory.rotateToken');
  const { mutate: revoke } = useCall('directory.revokeToken');
  const columns = tokenColumns({
    rotate: (token) =>
      ask({
        title: `Replace ${token.name}?`,
        consequence: 'Whoever uses the present secret is refused from now on. The new one is shown once.',
        action: 'Replace',
        run: () => rotate({ tokenId: token.id }, { onSuccess: setMade }),
      }),
    revoke: (token) =>
      ask({
        title: `Revoke ${token.name}?`,
        consequence: 'Whoever uses it is refused from now on. This cannot be undone.',
        action: 'Revoke',
        run: () => revoke({ tokenId: token.id }),
      }),
  });
  return (
    <>
      <Panel
        things="tokens"
        rows={tokens.data}
        error={tokens.error}
        columns={columns}
        rowKey={(token) => token.id}
        textOf={(token) => `${token.name} ${token.user.name} ${token.user.username} ${token.scopes.join(' ')}`}
        addLabel="Create a token"
        onAdd={() => setCreating(true)}
      />
      {creating ? (
        <TokenDialog
          onClose={() => setCreating(false)}
          onCreated={(result) => {
            setCreating(false);
            setMade(result);
          }}
        />
      ) : null}
      <Modal opened={made !== undefined} onClose={() => setMade(undefined)} title="The new token" size={520}>
        {made === undefined ? null : (
          <div className="gh-secret">
            <Snippet code={made.secret} copyLabel="Copy the token" />
            <Notice>It is shown this once. Only its fingerprint is kept, so nobody can look it up later.</Notice>
            <Group justify="flex-end">
              <Button onClick={() => setMade(undefined)}>Done</Button>
            </Group>
          </div>
        )}
      </Modal>
    </>
  );
}

interface TokenActions {
  rotate: (token: TokenEntry) => void;
  revoke: (token: TokenEntry) => void;
}

function tokenColumns({ rotate, revoke }: TokenActions): Column<TokenEntry>[] {
  return [
    {
      key: 'name',
      label: 'Name',
      width: 'minmax(0, 1fr)',
      cell: (token) => (
        <div className="gh-two-lines">
          <strong className="gh-truncate">{token.name}</strong>
          <span className="gh-mono">…{token.hint}</span>
          {token.state === 'active' ? null : (
            <Chip tone="warn">{token.state === 'expired' ? 'Expired' : 'Revoked'}</Chip>
          )}
        </div>
      ),
    },
    {
      key: 'user',
      label: 'Of',
      width: '110px',
      cell: (token) => <div className="gh-truncate gh-muted">{token.user.username}</div>,
    },
    {
      key: 'scopes',
      label: 'Scopes',
      width: 'minmax(0, 0.7fr)',
      hideBelow: 720,
      cell: (token) => (
        <div className="gh-truncate gh-muted" title={token.scopes.join(', ')}>
          {token.scopes.join(', ')}
        </div>
      ),
    },
    {
      key: 'expires',
      label: 'Expires',
      width: '88px',
      cell: (token) => (
        <span className="gh-muted">{token.expiresOn === null ? 'never' : formatDay(token.expiresOn)}</span>
      ),
    },
    {
      key: 'lastUsed',
      label: 'Last used',
      width: '112px',
      align: 'end',
      hideBelow: 600,
      cell: (token) => (
        <span className="gh-muted">{token.lastUsedAt === null ? 'never' : <Moment time={token.lastUsedAt} />}</span>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      labelHidden: true,
      width: '28px',
      cell: (token) =>
        token.state === 'revoked' ? null : (
          <RowMenu
            name={token.name}
            actions={[
              { label: 'Replace…', run: () => rotate(token) },
              { label: 'Revoke…', danger: true, run: () => revoke(token) },
            ]}
          />
        ),
    },
  ];
}
