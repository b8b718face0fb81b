import { useElementSize, useMergedRef } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
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

/** A row by its key, and where it was when it was seen last. */
interface RowPlace {
  key: string | number;
  index: number;
}

interface Place {
  offset: number;
  current: RowPlace | undefined;
}
const places = new Map<string, Place>();
const headHeight = 32;

/**
 * A table that draws only the rows in sight, so that ten thousand scroll like ten. One row is in the tab order; arrows, Home, End
 * and Page keys move between rows, Enter opens, Tab goes on to what stands in the row.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, rowKey, rowHeight = 40, sort, onSort, onOpen, memory } = props;
  const place = memory === undefined ? undefined : places.get(memory);
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: measure, width } = useElementSize();
  const [current, setCurrent] = useState(place?.current);
  const allColumns = props.columns;
  const columns = useMemo(
    () => allColumns.filter((column) => width === 0 || width >= (column.hideBelow ?? 0)),
    [allColumns, width],
  );
  const found = current === undefined ? -1 : rows.findIndex((row) => rowKey(row) === current.key);
  // After a row that went comes the one in its place.
  const currentIndex = found === -1 ? Math.max(0, Math.min(current?.index ?? 0, rows.length - 1)) : found;

  // A new function would have every row of the table measured and keyed again at each scroll.
  const getItemKey = useCallback(
    (index: number) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    [rows, rowKey],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey,
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
    setCurrent({ key: rowKey(row), index });
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

  const { dropOnRow } = props;
  const onFocus = (row: Row, index: number) => setCurrent({ key: rowKey(row), index });
  const latest: RowHandlers<Row> = { onKeyDown, onOpen, dropOnRow, onFocus };
  const latestRef = useRef(latest);
  useEffect(() => {
    latestRef.current = latest;
  });
  // Rows see the same handlers for as long as the table lives, so that scrolling draws only the rows that come into sight.
  const [handlers] = useState<{ readonly current: RowHandlers<Row> }>(latestRef);

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
          const key = rowKey(row);
          return (
            <BodyRow
              key={item.key}
              row={row}
              index={item.index}
              start={item.start}
              size={item.size}
              columns={columns}
              isCurrent={item.index === currentIndex}
              isFresh={props.fresh?.has(key) === true}
              handlers={handlers}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowHandlers<Row> {
  onKeyDown: (event: KeyboardEvent<HTMLDivElement>, index: number, row: Row) => void;
  onOpen: ((row: Row) => void) | undefined;
  onFocus: (row: Row, index: number) => void;
  dropOnRow: DropOnRow<Row> | undefined;
}

interface BodyRowProps<Row> {
  row: Row;
  index: number;
  /** Offset and height in pixels. */
  start: number;
  size: number;
  columns: readonly Column<Row>[];
  isCurrent: boolean;
  isFresh: boolean;
  handlers: { readonly current: RowHandlers<Row> };
}

function PlainBodyRow<Row>(props: BodyRowProps<Row>) {
  const { row, index, start, size, columns, isCurrent, isFresh, handlers } = props;
  const element = useRef<HTMLDivElement>(null);
  // What stands in a row is in the tab order with its row only: the way past a long table is short.
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
      data-fresh={isFresh || undefined}
      className="gh-table-row"
      tabIndex={isCurrent ? 0 : -1}
      style={{ height: size, transform: `translateY(${start}px)` }}
      onFocus={() => handlers.current.onFocus(row, index)}
      onKeyDown={(event) => handlers.current.onKeyDown(event, index, row)}
      onClick={() => handlers.current.onOpen?.(row)}
      onDragOver={(event) => dragOver(event, row, handlers.current.dropOnRow)}
      onDragLeave={dragLeave}
      onDrop={(event) => dropOn(event, row, handlers.current.dropOnRow)}
    >
      {columns.map((column) => (
        <div key={column.key} role="gridcell" data-align={column.align}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}

// `memo` forgets type parameters.
const BodyRow = memo(PlainBodyRow) as typeof PlainBodyRow;

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

function dragOver<Row>(event: DragEvent<HTMLDivElement>, row: Row, drop: DropOnRow<Row> | undefined): void {
  if (drop === undefined || !drop.accepts(row, event)) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'move';
  event.currentTarget.dataset['dropTarget'] = '';
}

function dragLeave(event: DragEvent<HTMLDivElement>): void {
  if (event.currentTarget.contains(event.relatedTarget as Node | null)) return;
  delete event.currentTarget.dataset['dropTarget'];
}

function dropOn<Row>(event: DragEvent<HTMLDivElement>, row: Row, drop: DropOnRow<Row> | undefined): void {
  if (drop === undefined) return;
  event.preventDefault();
  delete event.currentTarget.dataset['dropTarget'];
  drop.drop(row, event);
}
