import { createTypeAhead, findTyped } from './type-ahead.ts';

const stops = 'a[href], button:not(:disabled)';

/**
 * Keys of lists that are links or buttons below each other, in any `nav`: arrows, Home, End and the first letters of a name. From where
 * nothing is chosen, an arrow leads into the table of the screen. Returns the function that stops it.
 */
export function followListKeys(page: Document = document): () => void {
  const typeAhead = createTypeAhead();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target instanceof HTMLElement ? event.target : page.body;
    const next = target.closest('nav') === null ? fromNowhere(page, event, target) : inNavigation(event, target);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  };
  const inNavigation = (event: KeyboardEvent, target: HTMLElement): HTMLElement | undefined => {
    const list = [...(target.closest('nav')?.querySelectorAll<HTMLElement>(stops) ?? [])];
    const index = list.indexOf(target);
    if (index === -1) return undefined;
    const places: Record<string, number> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: list.length - 1,
    };
    const typed = typeAhead.type(event);
    if (typed !== undefined) {
      const names = list.map((each) => (each.getAttribute('aria-label') ?? each.textContent).trim());
      return list[findTyped(names, typed, index)];
    }
    const place = places[event.key];
    return place === undefined ? undefined : list[Math.min(list.length - 1, Math.max(0, place))];
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}

function fromNowhere(page: Document, event: KeyboardEvent, target: HTMLElement): HTMLElement | undefined {
  const isNowhere = target === page.body || target.matches('h1, main');
  if (!isNowhere || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return undefined;
  return page.querySelector<HTMLElement>('main .gh-table-row[tabindex="0"]') ?? undefined;
}
