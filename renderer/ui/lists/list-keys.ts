import { createTypeAhead, findTyped } from './type-ahead.ts';

const stops = 'a[href], button:not(:disabled)';

/**
 * Keys of lists that are links or buttons below each other, in any `nav`: arrows, Home, End and the first letters of a name. From where
 * nothing is chosen, an arrow leads into the table of the screen, and keys scroll a screen without one. Returns the function that stops it.
 */
export function followListKeys(page: Document = document): () => void {
  const typeAhead = createTypeAhead();
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target instanceof HTMLElement ? event.target : page.body;
    const isNowhere = target === page.body || target.matches('h1, main');
    const next = isNowhere ? firstRow(page, event) : inNavigation(event, target);
    if (next === undefined) {
      if (isNowhere) scrollScreen(page, event);
      return;
    }
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

function firstRow(page: Document, event: KeyboardEvent): HTMLElement | undefined {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return undefined;
  return page.querySelector<HTMLElement>('main .gh-table-row[tabindex="0"]') ?? undefined;
}

/** As the browser would if the focus were inside what scrolls: it is on the heading above. */
function scrollScreen(page: Document, event: KeyboardEvent): void {
  const body = page.querySelector('main .gh-page-body');
  if (body === null || body.scrollHeight <= body.clientHeight) return;
  const most = body.clientHeight * 0.9;
  const distances: Record<string, number> = {
    ArrowDown: 40,
    ArrowUp: -40,
    PageDown: most,
    PageUp: -most,
    ' ': most,
    End: body.scrollHeight,
    Home: -body.scrollHeight,
  };
  const top = distances[event.key];
  if (top === undefined) return;
  event.preventDefault();
  body.scrollBy({ top });
}
