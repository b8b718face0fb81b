import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type DragEventHandler, type KeyboardEvent, type ReactNode } from 'react';
import './virtual-table.css';

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
  /** Width of the table in pixels below which the column is left out. */
  hideBelow?: number;
  /** The label is for screen readers only (a column of buttons). */
  labelHidden?: boolean;
  cell: (row: Row) => ReactNode;
}

/** Where dropping onto a row leads: `accepts` while dragging over it, `drop` when let go. */
export interface DropOnRow<Row> {
  accepts: (row: Row, event: React.DragEvent) => boolean;
  drop: (row: Row, event: React.DragEvent) => void;
}

interface VirtualTableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  rowHeight?: number;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Enter or a click on a row. */
  onOpen?: (row: Row) => void;
  /** The last rows have come into sight: time to fetch more. */
  onEndReached?: () => void;
  dropOnRow?: DropOnRow<Row>;
  /** Under this name the scroll position and the current row are remembered while the window is open. */
  memory?: string;
  /** Rows to light up for a moment because they have just come or changed. */
  fresh?: ReadonlySet<string | number>;
}

interface Place {
  offset: number;
  current: string | number | undefined;
}
const places = new Map<string, Place>();
const headHeight = 32;

/**
 * A table that draws only the rows in sight, so that ten thousand scroll like ten. One row is in the tab order; arrows, Home, End
 * and Page keys move between rows, Enter opens.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, rowKey, rowHeight = 40, sort, onSort, onOpen, memory } = props;
  const place = memory === undefined ? undefined : places.get(memory);
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: measure, width } = useElementSize();
  const [current, setCurrent] = useState(place?.current);
  const columns = props.columns.filter((column) => width === 0 || width >= (column.hideBelow ?? 0));
  const found = rows.findIndex((row) => rowKey(row) === current);
  const currentIndex = found === -1 ? 0 : found;

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: 12,
    initialOffset: place?.offset ?? 0,
    scrollPaddingStart: headHeight,
    // The row that has the focus stays in the document even when it is scrolled out of sight, or the focus would be lost.
    rangeExtractor: ({ startIndex, endIndex, overscan, count }) => {
      const from = Math.max(0, startIndex - overscan);
      const to = Math.min(count - 1, endIndex + overscan);
      const indexes = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
      if (currentIndex < count && (currentIndex < from || currentIndex > to)) indexes.push(currentIndex);
      return indexes;
    },
  });

  const lastShown = virtualizer.getVirtualItems().at(-1)?.index ?? 0;
  const { onEndReached } = props;
  const atEnd = rows.length > 0 && lastShown >= rows.length - 1;
  useEffect(() => {
    if (atEnd) onEndReached?.();
  }, [atEnd, onEndReached]);

  const lastPlace = useRef<Place>({ offset: 0, current });
  useEffect(() => {
    lastPlace.current.current = current;
  }, [current]);
  useEffect(() => {
    const remembered = lastPlace.current;
    return () => {
      if (memory !== undefined) places.set(memory, { ...remembered });
    };
  }, [memory]);

  const focusRow = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setCurrent(rowKey(row));
    virtualizer.scrollToIndex(index);
    // The row may have to be drawn first.
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true }),
    );
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>, index: number, row: Row) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2);
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    const paged = { PageDown: index + page, PageUp: index - page }[event.key];
    if (event.key === 'Enter' && onOpen) {
      event.preventDefault();
      onOpen(row);
    } else if (target !== undefined || paged !== undefined) {
      event.preventDefault();
      focusRow(Math.min(rows.length - 1, Math.max(0, target ?? paged ?? 0)));
    }
  };

  return (
    <div
      ref={useMergedRef(scroller, measure)}
      className="gh-table gh-scroll"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      style={{ '--gh-columns': columns.map((column) => column.width).join(' ') } as React.CSSProperties}
      onScroll={(event) => {
        lastPlace.current.offset = event.currentTarget.scrollTop;
      }}
    >
      <div role="rowgroup" className="gh-table-head-group">
        <div role="row" aria-rowindex={1} className="gh-table-head">
          {columns.map((column) => (
            <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className="gh-table-body" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <div
              key={item.key}
              role="row"
              aria-rowindex={item.index + 2}
              data-index={item.index}
              data-fresh={props.fresh?.has(rowKey(row)) || undefined}
              className="gh-table-row"
              tabIndex={item.index === currentIndex ? 0 : -1}
              style={{ height: item.size, transform: `translateY(${item.start}px)` }}
              onFocus={() => setCurrent(rowKey(row))}
              onKeyDown={(event) => onKeyDown(event, item.index, row)}
              onClick={() => onOpen?.(row)}
              {...dropHandlers(row, props.dropOnRow)}
            >
              {columns.map((column) => (
                <div key={column.key} role="gridcell" data-align={column.align}>
                  {column.cell(row)}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function HeadCell<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  if (!column.sortable || onSort === undefined) {
    return (
      <div role="columnheader" data-align={column.align}>
        {column.labelHidden ? <span className="gh-visually-hidden">{column.label}</span> : column.label}
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

function dropHandlers<Row>(row: Row, drop: DropOnRow<Row> | undefined) {
  if (drop === undefined) return {};
  const over: DragEventHandler<HTMLDivElement> = (event) => {
    if (!drop.accepts(row, event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
    event.currentTarget.dataset['dropTarget'] = '';
  };
  const leave: DragEventHandler<HTMLDivElement> = (event) => {
    if (event.currentTarget.contains(event.relatedTarget as Node | null)) return;
    delete event.currentTarget.dataset['dropTarget'];
  };
  const release: DragEventHandler<HTMLDivElement> = (event) => {
    event.preventDefault();
    delete event.currentTarget.dataset['dropTarget'];
    drop.drop(row, event);
  };
  return { onDragOver: over, onDragLeave: leave, onDrop: release };
}
