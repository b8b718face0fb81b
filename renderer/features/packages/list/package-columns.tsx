import type { PackageSummary } from '../../../../server/contract/packages.ts';
import { Chip } from '../../../ui/text/chip.tsx';
import { actionsColumn, textColumn, timeColumn } from '../../../ui/lists/columns.tsx';
import type { RowAction } from '../../../ui/lists/row-menu.tsx';
import { formatBytes, formatCount } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
import type { Column } from '../../../ui/lists/virtual-table.tsx';

/** The columns of the list of packages. The project is shown only where there are several. */
export function packageColumns({
  showProject,
  latestWidth,
  actions,
}: {
  showProject: boolean;
  /** As `widthOfLatest` says; the names have the room that it leaves. */
  latestWidth: string;
  actions: (pack: PackageSummary) => RowAction[];
}): Column<PackageSummary>[] {
  return [
    {
      key: 'name',
      label: 'Name',
      width: 'minmax(0, 1fr)',
      sortable: true,
      cell: (pack) => (
        <div className="gh-package-name">
          <span className="gh-mono gh-truncate">
            <TailText text={pack.name} tail={18} />
          </span>
          {pack.deprecated ? <Chip tone="warn">Deprecated</Chip> : null}
          <span className="gh-faint gh-truncate">{pack.description}</span>
        </div>
      ),
    },
    ...(showProject
      ? [textColumn<PackageSummary>('Project', 'minmax(90px, 0.28fr)', (pack) => pack.projectPath, { hideBelow: 860 })]
      : []),
    {
      key: 'latest',
      label: 'Latest',
      width: latestWidth,
      cell: (pack) => (
        <div className="gh-mono gh-truncate">
          <TailText text={pack.latest ?? '–'} tail={12} head={4} />
        </div>
      ),
    },
    {
      ...textColumn('Versions', '72px', (pack) => formatCount(pack.versionCount), { align: 'end', hideBelow: 760 }),
      key: 'versions',
      sortable: true,
    },
    {
      ...textColumn('Total size', '84px', (pack) => formatBytes(pack.totalSize), { align: 'end', hideBelow: 640 }),
      key: 'size',
      sortable: true,
    },
    {
      ...timeColumn('Published', '112px', (pack) => pack.publishedAt, { align: 'end' }),
      key: 'publishedAt',
      sortable: true,
    },
    actionsColumn((pack) => pack.name, actions),
  ];
}

/** The width of the column of `latest`, in few steps, so that a publish seldom moves the columns: for "12.34.567", for "12.34.56-beta.7", for any. */
export function widthOfLatest(packages: readonly PackageSummary[]): string {
  const longest = packages.reduce((most, { latest }) => Math.max(most, latest?.length ?? 0), 0);
  if (longest <= 9) return '80px';
  return longest <= 15 ? '124px' : 'minmax(150px, 0.3fr)';
}
