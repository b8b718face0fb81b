import { Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Column } from './table-head.tsx';
import type { TableSelection } from './virtual-table.tsx';

type Key = string | number;

interface RowSelection<Row> {
  /** The selected rows among those that are shown, in their order. What a filter hides is not acted on. */
  selected: readonly Row[];
  /** For the table. */
  selection: TableSelection;
  /** The column of checkboxes, with one in its head for all rows that are shown. */
  column: Column<Row>;
  clear: () => void;
}

/**
 * Several rows of a list, chosen with checkboxes, Space, or a click with Shift (from the row before) or Ctrl. Escape clears the selection.
 * @param nameOf names a row for screen readers.
 */
export function useRowSelection<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => Key,
  nameOf: (row: Row) => string,
): RowSelection<Row> {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set());
  /** Where a range begins. */
  const anchor = useRef<Key>(undefined);
  const selected = rows.filter((row) => keys.has(rowKey(row)));
  const toggle = (index: number, isRange: boolean) => {
    const row = rows[index];
    if (row === undefined) return;
    const from = isRange ? rows.findIndex((each) => rowKey(each) === anchor.current) : -1;
    const next = new Set(keys);
    if (from !== -1) {
      for (const each of rows.slice(Math.min(from, index), Math.max(from, index) + 1)) next.add(rowKey(each));
    } else if (!next.delete(rowKey(row))) {
      next.add(rowKey(row));
    }
    anchor.current = rowKey(row);
    setKeys(next);
  };
  const all = () => setKeys(new Set(rows.map(rowKey)));
  const clear = () => setKeys(new Set());
  const column: Column<Row> = {
    key: 'select',
    label: 'Selected',
    width: '16px',
    head: (
      <Checkbox
        aria-label="Select all"
        checked={rows.length > 0 && selected.length === rows.length}
        indeterminate={selected.length > 0 && selected.length < rows.length}
        onChange={selected.length === rows.length ? clear : all}
      />
    ),
    cell: (row) => (
      <Checkbox
        className="gh-select-cell"
        aria-label={`Select ${nameOf(row)}`}
        checked={keys.has(rowKey(row))}
        onChange={(event) => toggle(rows.indexOf(row), (event.nativeEvent as MouseEvent).shiftKey)}
      />
    ),
  };
  const isSelected = (key: Key) => keys.has(key);
  return { selected, selection: { isSelected, toggle, all, ...(selected.length > 0 && { clear }) }, column, clear };
}
