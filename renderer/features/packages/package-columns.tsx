import type { PackageSummary } from '../../../server/contract/packages.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { TailText } from '../../ui/tail-text.tsx';
import type { Column } from '../../ui/virtual-table.tsx';

/** The columns of the list of packages. The project is only told where there is more than one. */
export function packageColumns({ showProject }: { showProject: boolean }): Column<PackageSummary>[] {
  const project: Column<PackageSummary> = {
    key: 'project',
    label: 'Project',
    width: 'minmax(90px, 0.28fr)',
    hideBelow: 860,
    cell: (pack) => <div className="gh-truncate gh-muted">{pack.projectPath}</div>,
  };
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
    ...(showProject ? [project] : []),
    {
      key: 'latest',
      label: 'Latest',
      width: '124px',
      cell: (pack) => <div className="gh-mono gh-truncate">{pack.latest ?? '–'}</div>,
    },
    {
      key: 'versions',
      label: 'Versions',
      width: '72px',
      align: 'end',
      sortable: true,
      hideBelow: 640,
      cell: (pack) => <span className="gh-muted">{formatCount(pack.versionCount)}</span>,
    },
    {
      key: 'size',
      label: 'Size',
      width: '76px',
      align: 'end',
      sortable: true,
      hideBelow: 560,
      cell: (pack) => <span className="gh-muted">{formatBytes(pack.totalSize)}</span>,
    },
    {
      key: 'publishedAt',
      label: 'Published',
      width: '112px',
      align: 'end',
      sortable: true,
      cell: (pack) => (
        <span className="gh-muted">
          <Moment time={pack.publishedAt} />
        </span>
      ),
    },
  ];
}
