import type { BundleReport } from '../../../../server/contract/bundles.ts';
import { chipColumn, textColumn, wideColumn } from '../../../ui/lists/columns.tsx';
import type { Column } from '../../../ui/lists/virtual-table.tsx';
import { formatBytes } from '../../../ui/text/format.ts';
import { TailText } from '../../../ui/text/tail-text.tsx';
import { entryMark } from './bundle-text.ts';

type Entry = BundleReport['entries'][number];

/** The columns of what is in a bundle. Where the status of every version says all, the details leave their room to the names. */
export function entryColumns({ applied, entries }: Pick<BundleReport, 'applied' | 'entries'>): Column<Entry>[] {
  const columns = [
    chipColumn<Entry>('Status', '104px', (entry) => entryMark(entry, applied)),
    wideColumn<Entry>('Version', (entry) => (
      <div className="gh-mono gh-bundle-version">
        <TailText text={entry.name} tail={6} />
        <TailText text={`@${entry.version}`} tail={12} />
      </div>
    )),
    // The status says it, too; where this is not shown, its tooltip does.
    textColumn<Entry>('Details', 'minmax(0, 0.6fr)', detailsOf, {
      hideBelow: 560,
      detail: (entry) => entry.explanation,
    }),
    textColumn<Entry>('Size', '70px', (entry) => formatBytes(entry.size), { align: 'end' }),
  ];
  return entries.some((entry) => detailsOf(entry) !== '') ? columns : columns.filter(({ key }) => key !== 'Details');
}

function detailsOf({ verdict, explanation }: Entry): string {
  return verdict === 'same' ? '' : explanation;
}
