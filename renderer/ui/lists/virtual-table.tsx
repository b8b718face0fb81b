import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useRowDrop, type DropOnRow } from './row-drop.ts';
import { hasSelection } from './row-menu.tsx';
import { useRowPlace } from './row-place.ts';
import { HeadCell, type Column, type Sort } from './table-head.tsx';
import { useTableRoom } from './table-room.ts';
import { BodyRow } from './table-row.tsx';
import { createTypeAhead, findTyped } from './type-ahead.ts';
import './virtual-table.css';

export type { Column };

/** Several rows chosen at once, as `useRowSelection` keeps them. */
export interface TableSelection {
  isSelected: (key: string | number) => boolean;
  /** Chooses a row or not; `isRange` chooses all from the row before. */
  toggle: (index: number, isRange: boolean) => void;
  all: () => void;
  /** Left out while none is chosen; then Escape belongs to the screen again. */
  clear?: () => void;
}

interface VirtualTableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string | number;
  /** In pixels; of each row, or of all. */
  rowHeight?: number | ((row: Row) => number);
  /** The heading that a row stands under; rows of one heading follow each other. */
  sectionOf?: (row: Row) => string;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Enter or a click on a row. */
  onOpen?: (row: Row) => void;
  /** The last rows are in sight: time to fetch more. */
  onEndReached?: () => void;
  dropOnRow?: DropOnRow<Row>;
  selection?: TableSelection;
  /** Under this name the scroll position and the current row are remembered as long as the window is open. */
  memory?: string;
  /** Rows to highlight for a moment because they are new or changed. */
  highlighted?: ReadonlySet<string | number>;
}

const sectionHeight = 36;
const lineHeight = 40;

/**
 * A table that draws only the rows in sight. One row is in the tab order; arrows, Home, End and Page keys move between rows, Enter
 * opens, Tab goes to the controls of the row; typing leads to the row of that name.
 */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, rowKey, rowHeight = lineHeight, sort, onSort, onOpen, memory, selection } = props;
  const table = useRef<HTMLDivElement>(null);
  const { scroller, width, above } = useTableRoom(table);
  const { currentIndex, setCurrent, elementOf, initialOffset, noteOffset } = useRowPlace(rows, rowKey, memory);
  const allColumns = props.columns;
  const columns = useMemo(
    () => allColumns.filter((column) => width === 0 || width >= (column.hideBelow ?? 0)),
    [allColumns, width],
  );
  // A new function measures every row again: for other rows, not at each scroll.
  const getItemKey = useCallback((index: number) => (rows.length > index ? index : -1), [rows]);
  const heightAt = (index: number): number => {
    if (typeof rowHeight === 'number') return rowHeight;
    const row = rows[index];
    return row === undefined ? lineHeight : rowHeight(row);
  };
  const { sectionOf } = props;
  /** The heading above a row, which the first of a section has. */
  const headingAbove = (index: number) => {
    const [row, before] = [rows[index], rows[index - 1]];
    const heading = row && sectionOf?.(row);
    return before !== undefined && heading === sectionOf?.(before) ? undefined : heading;
  };
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightAt(index) + (headingAbove(index) === undefined ? 0 : sectionHeight),
    getItemKey,
    overscan: 13,
    initialOffset,
    scrollMargin: above,
    onChange: ({ scrollOffset }) => noteOffset(scrollOffset ?? 0),
    // The current row stays in the document when it is scrolled out of sight, or it would lose the focus.
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

  const focusRow = (index: number) => {
    const row = rows[index];
    if (row === undefined) return;
    setCurrent(row, index);
    const focus = (): boolean => {
      const element = table.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: 'nearest' });
      return element !== null && element !== undefined;
    };
    // At once, so that the next key finds it; a row far away is drawn first, as the current one.
    if (!focus()) requestAnimationFrame(focus);
  };

  /** The row that an event happened in; undefined for the head and for menus that a cell opened. */
  const rowOf = (event: React.SyntheticEvent) => {
    const element = (event.target as Element).closest<HTMLElement>('[data-index]');
    const index = Number(element?.dataset['index']);
    const row = element === null ? undefined : rows[index];
    return element === null || row === undefined ? undefined : { element, index, row };
  };

  const [typeAhead] = useState(createTypeAhead);
  const rowTyped = (event: React.KeyboardEvent, from: number): number | undefined => {
    const nameOf = allColumns.find((column) => column.nameOf !== undefined)?.nameOf;
    const typed = nameOf && typeAhead.type(event.nativeEvent);
    if (nameOf === undefined || typed === undefined) return undefined;
    // A slash within a name is none of the search field's.
    event.stopPropagation();
    const found = findTyped(rows.map(nameOf), typed, from);
    return found === -1 ? undefined : found;
  };

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === 'Escape' && selection?.clear !== undefined) {
      event.stopPropagation();
      selection.clear();
      return;
    }
    const at = rowOf(event);
    if (event.target !== at?.element || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'a' || selection === undefined) return;
      event.preventDefault();
      selection.all();
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / heightAt(at.index)) - 2);
    const targets: Record<string, number> = {
      ArrowDown: at.index + 1,
      ArrowUp: at.index - 1,
      PageDown: at.index + page,
      PageUp: at.index - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = rowTyped(event, at.index) ?? targets[event.key];
    if (event.key === ' ' && selection && target === undefined) {
      event.preventDefault();
      selection.toggle(at.index, event.shiftKey);
    } else if (event.key === 'Enter' && onOpen) {
      event.preventDefault();
      onOpen(at.row);
    } else if (target !== undefined) {
      event.preventDefault();
      focusRow(Math.min(rows.length - 1, Math.max(0, target)));
    }
  };

  const pressed = useRef({ x: 0, y: 0 });

  const onClick = (event: React.MouseEvent) => {
    const at = rowOf(event);
    // The box itself has been changed by then.
    if (at === undefined || (event.target as Element).closest('.gh-select-cell input, .gh-select-cell label') !== null)
      return;
    const isBesideBox = (event.target as Element).closest('.gh-select-cell') !== null;
    if (selection && (isBesideBox || event.shiftKey || event.ctrlKey || event.metaKey)) {
      selection.toggle(at.index, event.shiftKey);
      return;
    }
    // The end of selecting text with the mouse is a click, too.
    const isDrag = Math.hypot(event.clientX - pressed.current.x, event.clientY - pressed.current.y) > 4;
    if (!(isDrag && hasSelection(at.element))) onOpen?.(at.row);
  };

  const drop = useRowDrop(props.dropOnRow, rowOf);

  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its rows take the focus
    <div
      ref={table}
      className="gh-table"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={selection ? true : undefined}
      data-opens={onOpen !== undefined || undefined}
      style={{ '--gh-columns': columns.map((column) => column.width).join(' ') } as React.CSSProperties}
      onFocus={(event) => {
        const at = rowOf(event);
        if (at) setCurrent(at.row, at.index);
      }}
      onKeyDown={onKeyDown}
      onMouseDown={(event) => {
        pressed.current = { x: event.clientX, y: event.clientY };
        // It selects rows, not text.
        if (selection && event.shiftKey && rowOf(event)) event.preventDefault();
      }}
      onClick={onClick}
      {...drop}
    >
      <div role="rowgroup">
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
          const heading = headingAbove(item.index);
          return (
            <Fragment key={elementOf(item.index)}>
              {heading === undefined ? null : (
                <div
                  role="row"
                  className="gh-table-section"
                  style={{ transform: `translateY(${item.start - above}px)` }}
                >
                  <div role="gridcell" aria-colspan={columns.length}>
                    {heading}
                  </div>
                </div>
              )}
              <BodyRow
                row={row}
                index={item.index}
                start={item.start - above + item.size - heightAt(item.index)}
                size={heightAt(item.index)}
                columns={columns}
                isCurrent={item.index === currentIndex}
                highlight={props.highlighted?.has(key) === true ? key : undefined}
                isSelected={selection?.isSelected(key)}
              />
            </Fragment>
          );
        })}
      </div>
    </div>
  );
}
