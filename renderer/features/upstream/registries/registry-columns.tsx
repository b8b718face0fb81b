import type { Upstream, UpstreamFinding, UpstreamKind } from '../../../../server/contract/upstream.ts';
import { chipColumn, RowName, wideColumn } from '../../../ui/lists/columns.tsx';
import { formatBytes, plural } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
import type { Tone } from '../../../ui/theme/theme.ts';
import type { Column } from '../../../ui/lists/virtual-table.tsx';

export const kindLabels: Record<UpstreamKind, string> = {
  npm: 'npm',
  gitlab: 'GitLab',
  verdaccio: 'Verdaccio',
  gatehouse: 'Gatehouse',
  archive: 'Bundles',
};

/** The columns of the list of registries, of which some may have scopes of their own. */
export const registryColumns = (list: readonly Upstream[]): Column<Upstream>[] => [
  wideColumn('Registry', (upstream) => (
    <>
      <RowName
        name={upstream.name}
        detail={`${kindLabels[upstream.kind]}${upstream.pushSelection.length > 0 ? ', receives packages' : ''}`}
      />
      <div className="gh-faint gh-small gh-row">
        {upstream.kind === 'archive' ? (
          'Packages from bundles'
        ) : (
          <>
            <span className="gh-registry-scopes gh-muted">
              <Scopes scopes={upstream.scopes} list={list} />
            </span>
            {/* Registries of one host differ at the end, as in "/projects/12/packages/npm". */}
            <span className="gh-truncate">
              <TailText text={upstream.url} tail={28} />
            </span>
          </>
        )}
      </div>
    </>
  )),
  {
    key: 'Scopes',
    label: 'Scopes',
    width: 'minmax(0, 0.5fr)',
    hideBelow: 620,
    cell: ({ kind, scopes }) => (
      <div className="gh-muted">{kind === 'archive' ? '–' : <Scopes scopes={scopes} list={list} />}</div>
    ),
  },
  chipColumn('Status', '112px', statusOf),
  {
    key: 'cache',
    label: 'Cache',
    width: '130px',
    align: 'end',
    hideBelow: 760,
    cell: ({ cache }) => (
      <>
        <div className="gh-muted">{plural(cache.packages, 'package')}</div>
        <div className="gh-faint gh-small">{formatBytes(cache.bytes)}</div>
      </>
    ),
  },
];

const findings: Record<UpstreamFinding, { label: string; detail: string }> = {
  token_wanted: { label: 'Needs a token', detail: 'It asks for a token. Edit the registry to set one.' },
  token_refused: { label: 'Token refused', detail: 'It refuses the token. Edit the registry to set another one.' },
  no_registry: { label: 'No registry', detail: 'It answers, but not as an npm registry. Check its URL.' },
};

/** The status of a registry in a word or two, with the details that there are. */
export function statusOf(upstream: Pick<Upstream, 'kind' | 'enabled' | 'state'>): {
  label: string;
  tone: Tone;
  detail: string;
} {
  const { kind, enabled, state } = upstream;
  if (kind === 'archive') return { label: 'Local', tone: 'plain', detail: 'Stored on this disk only.' };
  if (!enabled) return { label: 'Disabled', tone: 'plain', detail: 'Only its cached packages are served.' };
  switch (state.status) {
    case 'reachable':
      return state.finding === null
        ? { label: 'Reachable', tone: 'accent', detail: '' }
        : { tone: 'warn', ...findings[state.finding] };
    case 'away':
      return { label: 'Unreachable', tone: 'warn', detail: state.lastError ?? '' };
    case 'offline':
      return { label: 'Offline', tone: 'plain', detail: 'The offline switch is on.' };
    case 'unknown':
      return { label: 'Not checked', tone: 'plain', detail: '' };
  }
}

/** The scopes of a registry, as many as there is room for; the tooltip of what is cut off names all. */
function Scopes({ scopes, list }: { scopes: readonly string[]; list: readonly Upstream[] }) {
  return <div className="gh-truncate">{scopeTexts(scopes, list).join(', ')}</div>;
}

/** The scopes of a registry; the star means all names that no registry of the list has as its scope. */
export function scopeTexts(scopes: readonly string[], list: readonly Pick<Upstream, 'scopes'>[]): string[] {
  if (scopes.length === 0) return ['None'];
  const hasNamed = list.some((each) => each.scopes.some((scope) => scope !== '*'));
  return scopes.map((scope) => (scope === '*' ? (hasNamed ? 'All others' : 'All') : scope));
}
