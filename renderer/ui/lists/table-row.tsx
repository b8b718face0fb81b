import { memo, useLayoutEffect, useRef } from 'react';
import type { Column } from './table-head.tsx';

interface BodyRowProps<Row> {
  row: Row;
  index: number;
  /** Offset and height in pixels. */
  start: number;
  size: number;
  columns: readonly Column<Row>[];
  isCurrent: boolean;
  /** The row's key while it is highlighted. */
  highlight: string | number | undefined;
  /** Undefined where rows cannot be selected. */
  isSelected: boolean | undefined;
}

function PlainBodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, index, start, size, columns, isCurrent, highlight, isSelected } = props;
  const element = useRef<HTMLDivElement>(null);
  // Controls are in the tab order in the current row only, so that Tab leaves a long table soon.
  useLayoutEffect(() => {
    for (const control of element.current?.querySelectorAll<HTMLElement>('button, a[href], input') ?? []) {
      control.tabIndex = isCurrent ? 0 : -1;
    }
  });
  return (
    <div
      ref={element}
      role="row"
      aria-rowindex={index + 2}
      data-index={index}
      aria-selected={isSelected}
      className="gh-table-row"
      tabIndex={isCurrent ? 0 : -1}
      style={{ height: size, transform: `translateY(${start}px)` }}
    >
      {/* The element may have drawn another row, highlighted as well. */}
      {highlight === undefined ? null : <span key={highlight} className="gh-table-flash" aria-hidden="true" />}
      {columns.map((column) => (
        <div key={column.key} role="gridcell" data-align={column.align}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

// The cast restores the type parameter that `memo` drops.
/** A row of a table, drawn again only when it changed: scrolling draws the rows that come into sight. */
export const BodyRow = memo(PlainBodyRow) as typeof PlainBodyRow;
