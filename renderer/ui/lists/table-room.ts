import { useLayoutEffect, useRef, useState } from 'react';

/** Where a table is drawn, in pixels. */
interface Room {
  width: number;
  /** What stands above its first row and scrolls with it. */
  above: number;
}

/**
 * The room of a table and what scrolls its rows: the table itself, or the page around it where the style sheet gives the table no height of its
 * own. Known before it is painted, so that a table shows no column that it then leaves out. The style sheet gets the width of the scrollbar.
 */
export function useTableRoom(
  ref: React.RefObject<HTMLElement | null>,
): Room & { scroller: React.RefObject<HTMLElement | null> } {
  const scroller = useRef<HTMLElement>(null);
  const [room, setRoom] = useState<Room>({ width: 0, above: 0 });
  useLayoutEffect(() => {
    const table = ref.current;
    if (table === null) return;
    const measure = () => {
      const scrolling = scrollerOf(table);
      scroller.current = scrolling;
      // Written at once, as no frame may show the columns elsewhere.
      table.style.setProperty('--gh-scrollbar-width', `${table.offsetWidth - table.clientWidth}px`);
      const body = table.lastElementChild?.getBoundingClientRect().top ?? 0;
      const next: Room = {
        width: table.offsetWidth,
        above: body - scrolling.getBoundingClientRect().top + scrolling.scrollTop,
      };
      setRoom((before) => (before.width === next.width && before.above === next.above ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(table);
    return () => observer.disconnect();
  }, [ref]);
  return { ...room, scroller };
}

function scrollerOf(table: HTMLElement): HTMLElement {
  for (let each: HTMLElement | null = table; each !== null; each = each.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  }
  return table;
}
