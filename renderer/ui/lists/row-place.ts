import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** A row by its key, with its index when it was last there and the element that draws it. */
interface RowPlace {
  key: string | number;
  index: number;
  element: number;
}

/** The index of a row now, which mostly is the last known one; -1 if the row is gone. */
function findPlace<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string | number,
  place: RowPlace | undefined,
): number {
  const known = place && rows[place.index];
  if (place === undefined || (known !== undefined && rowKey(known) === place.key)) return place?.index ?? -1;
  return rows.findIndex((row) => rowKey(row) === place.key);
}

/** What is remembered of a table. */
interface Place {
  offset: number;
  current: RowPlace | undefined;
}
const places = new Map<string, Place>();

/**
 * The row in the tab order, which stays the same row when others come and go; the one in its place when it is gone. Under the name `memory`, it is
 * remembered with the scroll position as long as the window is open. It keeps its element, and with that the focus. The elements of other rows go
 * by their places: at a key of a search all rows in sight are others, and new texts in an element take much less than a new element.
 */
export function useRowPlace<Row>(
  rows: readonly Row[],
  rowKey: (row: Row) => string | number,
  memory: string | undefined,
) {
  const place = memory === undefined ? undefined : places.get(memory);
  const [current, setPlace] = useState(place?.current);
  const found = useMemo(() => findPlace(rows, rowKey, current), [rows, rowKey, current]);
  if (current !== undefined && found !== -1 && found !== current.index) setPlace({ ...current, index: found });
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
  const currentIndex = found === -1 ? Math.max(0, Math.min(current?.index ?? 0, rows.length - 1)) : found;
  const element = current?.element ?? currentIndex;
  /** What draws the row of an index, as React's key. */
  const elementOf = (index: number): number =>
    index === currentIndex ? element : index === element ? currentIndex : index;
  return {
    currentIndex,
    setCurrent: (row: Row, index: number): void => setPlace({ key: rowKey(row), index, element: elementOf(index) }),
    elementOf,
    initialOffset: place?.offset ?? 0,
    /** Notes how far the table is scrolled, in pixels. */
    noteOffset: useCallback((offset: number): void => {
      lastPlace.current.offset = offset;
    }, []),
  };
}
