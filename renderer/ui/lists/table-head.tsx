import { VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';

export interface Sort {
  key: string;
  direction: 'asc' | 'desc';
}

export interface Column<Row> {
  key: string;
  label: string;
  /** A track of CSS grid: `minmax(0, 1fr)`, `96px`. */
  width: string;
  align?: 'end';
  sortable?: boolean;
  /** Width of the table in pixels below which the column is left out: the larger, the earlier it leaves. What names a row has none. */
  hideBelow?: number;
  /** The label is for screen readers only (a column of buttons). */
  labelHidden?: boolean;
  /** In place of the label. */
  head?: ReactNode;
  /** The name of a row, which typing on the table leads to. */
  nameOf?: (row: Row) => string;
  cell: (row: Row) => ReactNode;
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

/** The head of a column; a button where the table can be sorted by it. */
export function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  if (!column.sortable || onSort === undefined) {
    return (
      <div role="columnheader" data-align={column.align}>
        {column.head ?? (column.labelHidden ? <VisuallyHidden>{column.label}</VisuallyHidden> : column.label)}
      </div>
    );
  }
  const active = sort?.key === column.key;
  const Arrow = sort?.direction === 'desc' ? IconArrowDown : IconArrowUp;
  return (
    <div
      role="columnheader"
      data-align={column.align}
      aria-sort={active ? (sort.direction === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button
        type="button"
        className="gh-table-sort"
        data-active={active || undefined}
        onClick={() => onSort({ key: column.key, direction: active && sort.direction === 'asc' ? 'desc' : 'asc' })}
      >
        {column.label}
        {active ? <Arrow size={13} aria-hidden="true" /> : null}
      </button>
    </div>
  );
}
