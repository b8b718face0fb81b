import { compareNames } from '../../../server/contract/compare-names.ts';
import type { Sort } from '../../ui/lists/table-head.tsx';

/** What rows are ordered by, for each column that can be sorted; null (never, none) comes first. */
export type SortValues<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

/** The rows in the order of a column; equal ones stay as they were. */
export function sortRows<Row>(rows: readonly Row[], values: SortValues<Row>, sort: Sort | undefined): readonly Row[] {
  const valueOf = sort && values[sort.key];
  if (valueOf === undefined) return rows;
  const sign = sort?.direction === 'desc' ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(valueOf(a), valueOf(b)));
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return typeof a === 'number' && typeof b === 'number' ? Math.sign(a - b) : compareNames(String(a), String(b));
}
