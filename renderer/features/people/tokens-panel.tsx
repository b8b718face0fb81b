import { Anchor } from '@mantine/core';
import { IconHistory, IconRefresh, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { tokenLabel } from '../../../server/contract/constants.ts';
import type { NewTokenResult, TokenEntry } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { useTokens, useUsers } from '../../api/directory.ts';
import { ask, quoted } from '../../ui/feedback/ask.tsx';
import { Chip } from '../../ui/text/chip.tsx';
import { actionsColumn, RowName, textColumn, timeColumn, wideColumn } from '../../ui/lists/columns.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { TailText } from '../../ui/text/tail-text.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { CreateToken } from '../../ui/people/create-token.tsx';
import { Panel } from './panel.tsx';
import type { SortValues } from './sort-rows.ts';
import { TokenReveal } from '../../ui/people/token-reveal.tsx';

/** Of a token in a question: several users may have one of the same name. */
const nameOf = ({ name, user }: TokenEntry): string => `${quoted(name)} of @${user.username}`;

/** The end of the secret, by which a token is known again. */
function Hint({ hint }: Pick<TokenEntry, 'hint'>) {
  return <span className="gh-mono">…{hint}</span>;
}

/** Access tokens: made once, shown once, rotated and revoked. */
export function TokensPanel() {
  const tokens = useTokens();
  const { data: users = [] } = useUsers();
  const navigate = useNavigate();
  // Whose token is made, if that is known.
  const [creating, setCreating] = useState<{ userId?: number }>();
  const [createdId, setCreatedId] = useState<number>();
  const [rotated, setRotated] = useState<NewTokenResult>();
  const { mutate: rotate } = useCall('directory.rotateToken');
  const { mutate: revoke } = useCall('directory.revokeToken');
  const confirmRotate = (token: TokenEntry) =>
    ask({
      title: `Rotate ${nameOf(token)}?`,
      consequence: (
        <>
          <div>
            The token <Hint {...token} /> stops working at once.
          </div>
          <div>Copy the new one when it appears.</div>
        </>
      ),
      action: 'Rotate',
      run: () => rotate({ tokenId: token.id }, { onSuccess: setRotated }),
    });
  const confirmRevoke = (token: TokenEntry) =>
    ask({
      title: `Revoke ${nameOf(token)}?`,
      consequence: (
        <>
          The token <Hint {...token} /> stops working at once. This cannot be undone.
        </>
      ),
      action: 'Revoke',
      run: () => revoke({ tokenId: token.id }),
    });
  const actions = actionsColumn<TokenEntry>(
    (token) => token.name,
    (token) => [
      {
        label: 'Show activity',
        icon: IconHistory,
        run: () => void navigate({ to: '/activity', search: { q: tokenLabel(token) } }),
      },
      ...(token.state === 'revoked'
        ? []
        : [
            { label: 'Rotate…', icon: IconRefresh, run: () => confirmRotate(token) },
            { label: 'Revoke…', icon: IconTrash, danger: true, run: () => confirmRevoke(token) },
          ]),
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
        textOf={(token) => `${token.name} ${token.user.name} @${token.user.username} ${token.scopes.join(' ')}`}
        exact={{ ids: users.map(idOf), of: ({ user }) => idOf(user) }}
        added={createdId}
        addLabel="Create a token"
        onAdd={(only) => {
          const user = users.find((each) => each.state === 'active' && idOf(each) === only);
          setCreating(user === undefined ? {} : { userId: user.id });
        }}
      />
      {creating === undefined ? null : (
        <CreateToken
          {...creating}
          onCreated={({ token }) => setCreatedId(token.id)}
          onClose={() => setCreating(undefined)}
        />
      )}
      {rotated === undefined ? null : <TokenReveal created={rotated} onClose={() => setRotated(undefined)} />}
    </>
  );
}

const idOf = ({ username }: { username: string }): string => `@${username}`.toLowerCase();

const tokenOrder: SortValues<TokenEntry> = {
  Name: (token) => token.name,
  User: (token) => token.user.username,
  Expires: (token) => token.expiresOn ?? 'Never',
  'Last used': (token) => token.lastUsedAt,
};

/** Why a token is refused. */
export function TokenMark({ token: { state, user } }: { token: TokenEntry }) {
  if (state !== 'active') return <Chip tone="warn">{state === 'expired' ? 'Expired' : 'Revoked'}</Chip>;
  return user.state === 'blocked' ? <Chip tone="warn">User blocked</Chip> : null;
}

const tokenColumns: Column<TokenEntry>[] = [
  {
    ...wideColumn('Name', (token) => (
      <RowName name={token.name} detail={<Hint {...token} />}>
        <TokenMark token={token} />
      </RowName>
    )),
    width: 'minmax(200px, 1fr)',
  },
  textColumn('User', '110px', ({ user }) => (
    <Anchor
      inherit
      c="inherit"
      renderRoot={(props) => <Link {...props} to="/people/users/$id" params={{ id: user.id }} />}
    >
      <TailText text={`@${user.username}`} tail={6} />
    </Anchor>
  )),
  textColumn('Scopes', 'min(20%, 330px)', (token) => token.scopes.join(', '), {
    hideBelow: 800,
  }),
  textColumn('Expires', '88px', ({ state, expiresOn }) =>
    state === 'revoked' ? '–' : expiresOn === null ? 'Never' : formatDay(expiresOn),
  ),
  timeColumn('Last used', '112px', (token) => token.lastUsedAt, { align: 'end', hideBelow: 600 }),
];
