import { useState } from 'react';
import type { NewTokenResult, TokenEntry } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useTokens } from '../../api/directory.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { actionsColumn, RowName, textColumn, timeColumn, wideColumn } from '../../ui/lists/columns.tsx';
import { formatDay } from '../../ui/text/format.ts';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { CreateToken } from '../../ui/people/create-token.tsx';
import { Panel } from './panel.tsx';
import type { SortValues } from './sort-rows.ts';
import { TokenReveal } from '../../ui/people/token-reveal.tsx';

/** Access tokens: made once, shown once, rotated and revoked. */
export function TokensPanel() {
  const tokens = useTokens();
  const [creating, setCreating] = useState(false);
  const [rotated, setRotated] = useState<NewTokenResult>();
  const { mutate: rotate } = useCall('directory.rotateToken');
  const { mutate: revoke } = useCall('directory.revokeToken');
  const confirmRotate = (token: TokenEntry) =>
    ask({
      title: `Rotate ${quoted(token.name)}?`,
      consequence: (
        <>
          <div>The current token stops working at once.</div>
          <div>Copy the new one when it appears.</div>
        </>
      ),
      action: 'Rotate',
      run: () => rotate({ tokenId: token.id }, { onSuccess: setRotated }),
    });
  const confirmRevoke = (token: TokenEntry) =>
    ask({
      title: `Revoke ${quoted(token.name)}?`,
      consequence: 'It stops working at once. This cannot be undone.',
      action: 'Revoke',
      run: () => revoke({ tokenId: token.id }),
    });
  const actions = actionsColumn<TokenEntry>(
    (token) => token.name,
    (token) =>
      token.state === 'revoked'
        ? []
        : [
            { label: 'Rotate…', run: () => confirmRotate(token) },
            { label: 'Revoke…', danger: true, run: () => confirmRevoke(token) },
          ],
  );
  return (
    <>
      <Panel
        things="tokens"
        rows={tokens.data}
        error={tokens.error}
        columns={[...tokenColumns, actions]}
        sortBy={tokenOrder}
        textOf={(token) => `${token.name} ${token.user.name} ${token.user.username} ${token.scopes.join(' ')}`}
        addLabel="Create a token"
        onAdd={() => setCreating(true)}
      />
      {creating ? <CreateToken onClose={() => setCreating(false)} /> : null}
      {rotated === undefined ? null : <TokenReveal created={rotated} onClose={() => setRotated(undefined)} />}
    </>
  );
}

const tokenOrder: SortValues<TokenEntry> = {
  Name: (token) => token.name,
  User: (token) => token.user.username,
  Expires: (token) => token.expiresOn ?? 'Never',
  'Last used': (token) => token.lastUsedAt,
};

const tokenColumns: Column<TokenEntry>[] = [
  wideColumn('Name', (token) => <RowName name={token.name} detail={<span className="gh-mono">…{token.hint}</span>} />),
  textColumn('User', '110px', (token) => token.user.username),
  textColumn('Scopes', 'minmax(0, 0.7fr)', (token) => token.scopes.join(', '), {
    hideBelow: 720,
  }),
  textColumn('Expires', '88px', (token) => {
    if (token.state !== 'active') return <Chip tone="warn">{token.state === 'expired' ? 'Expired' : 'Revoked'}</Chip>;
    return token.expiresOn === null ? 'Never' : formatDay(token.expiresOn);
  }),
  timeColumn('Last used', '112px', (token) => token.lastUsedAt, { align: 'end', hideBelow: 600 }),
];
