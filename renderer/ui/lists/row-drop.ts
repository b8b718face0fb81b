import { useRef, type DragEvent, type SyntheticEvent } from 'react';

/** What may be dropped on the rows of a table, and what it does. */
export interface DropOnRow<Row> {
  /** Whether what is dragged can be dropped on a row. */
  accepts: (event: DragEvent) => boolean;
  drop: (row: Row, event: DragEvent) => void;
}

/** Handlers for what is dragged over the rows of a table; the row that would take it is marked. */
export function useRowDrop<Row>(
  dropOnRow: DropOnRow<Row> | undefined,
  rowOf: (event: SyntheticEvent) => { element: HTMLElement; row: Row } | undefined,
) {
  const dropTarget = useRef<HTMLElement>(undefined);
  const setDropTarget = (element: HTMLElement | undefined) => {
    dropTarget.current?.removeAttribute('data-drop-target');
    element?.setAttribute('data-drop-target', '');
    dropTarget.current = element;
  };
  const onDragOver = (event: DragEvent) => {
    const at = rowOf(event);
    if (at === undefined || dropOnRow?.accepts(event) !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'move';
    setDropTarget(at.element);
  };
  const onDragLeave = (event: DragEvent) => {
    if (dropTarget.current?.contains(event.relatedTarget as Node | null) !== true) setDropTarget(undefined);
  };
  const onDrop = (event: DragEvent) => {
    const at = rowOf(event);
    if (at === undefined || dropOnRow === undefined) return;
    event.preventDefault();
    setDropTarget(undefined);
    dropOnRow.drop(at.row, event);
  };
  return { onDragOver, onDragLeave, onDrop };
}
