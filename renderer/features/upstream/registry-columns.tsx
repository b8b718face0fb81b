import type { Upstream } from '../../../server/contract/upstream.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { RowMenu, type RowAction } from '../../ui/row-menu.tsx';
import { TailText } from '../../ui/tail-text.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { kindLabels, scopesText, standingOf } from './registry-text.ts';

export interface RegistryActions {
  test: (upstream: Upstream) => void;
  edit: (upstream: Upstream) => void;
  showCached: (upstream: Upstream) => void;
  setEnabled: (upstream: Upstream, enabled: boolean) => void;
  remove: (upstream: Upstream) => void;
}

/** The columns of the list of registries. */
export function registryColumns(actions: RegistryActions): Column<Upstream>[] {
  return [
    {
      key: 'name',
      label: 'Registry',
      width: 'minmax(0, 1fr)',
      cell: (upstream) => (
        <div className="gh-stacked">
          <div className="gh-two-lines">
            <strong className="gh-truncate">{upstream.name}</strong>
            <span>{kindLabels[upstream.kind]}</span>
          </div>
          <div className="gh-faint gh-row">
            {upstream.kind === 'archive' ? 'Packages that came in bundles' : <TailText text={upstream.url} tail={24} />}
          </div>
        </div>
      ),
    },
    {
      key: 'scopes',
      label: 'Asked for',
      width: 'minmax(0, 0.5fr)',
      hideBelow: 620,
      cell: (upstream) => (
        <div className="gh-muted gh-truncate" title={upstream.scopes.join(', ')}>
          {upstream.kind === 'archive' ? '–' : scopesText(upstream.scopes)}
        </div>
      ),
    },
    {
      key: 'state',
      label: 'State',
      width: '112px',
      cell: (upstream) => {
        const { label, tone, detail } = standingOf(upstream);
        return (
          <Chip tone={tone} title={detail}>
            {label}
          </Chip>
        );
      },
    },
    {
      key: 'cache',
      label: 'Kept here',
      width: '130px',
      align: 'end',
      hideBelow: 760,
      cell: ({ cache }) => (
        <div className="gh-stacked gh-muted">
          <div>{plural(cache.packages, 'package')}</div>
          <div className="gh-faint">{formatBytes(cache.bytes)}</div>
        </div>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      labelHidden: true,
      width: '28px',
      cell: (upstream) => <RowMenu name={upstream.name} actions={actionsOf(upstream, actions)} />,
    },
  ];
}

function actionsOf(upstream: Upstream, actions: RegistryActions): RowAction[] {
  const kept: RowAction = { label: 'What is kept of it', run: () => actions.showCached(upstream) };
  const remove: RowAction = { label: 'Remove…', danger: true, run: () => actions.remove(upstream) };
  if (upstream.kind === 'archive') return [kept, remove];
  return [
    { label: 'Test', run: () => actions.test(upstream) },
    { label: 'Edit…', run: () => actions.edit(upstream) },
    kept,
    upstream.enabled
      ? { label: 'Switch off', run: () => actions.setEnabled(upstream, false) }
      : { label: 'Switch on', run: () => actions.setEnabled(upstream, true) },
    remove,
  ];
}
