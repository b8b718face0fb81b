import type { ComponentProps, ReactNode } from 'react';
import { Pending } from '../feedback/pending.tsx';
import { NoMatch } from '../forms/search-field.tsx';
import { VirtualTable } from './virtual-table.tsx';
import '../page/tabbed.css';

interface ListPanelProps<Row> extends Omit<ComponentProps<typeof VirtualTable<Row>>, 'rows'> {
  /** Above the list: the search, filters and buttons. */
  bar: ReactNode;
  /** What is listed, as it stands in a sentence: "the users". */
  what: string;
  /** Undefined until they are read. */
  rows: readonly Row[] | undefined;
  error: Error | null;
  /** In place of the list while it has no rows. */
  empty: string;
  /** Below that: what it means. */
  emptyDetail?: string | undefined;
}

/** A searchable list that fills its page or tab. */
export function ListPanel<Row>({ bar, what, rows, error, empty, emptyDetail, ...table }: ListPanelProps<Row>) {
  return (
    <>
      <div className="gh-panel-bar">{bar}</div>
      <div className="gh-panel-body">
        {error || rows === undefined ? (
          <Pending what={what} error={error} />
        ) : rows.length === 0 ? (
          <NoMatch text={empty} detail={emptyDetail} />
        ) : (
          <VirtualTable {...table} rows={rows} />
        )}
      </div>
    </>
  );
}
