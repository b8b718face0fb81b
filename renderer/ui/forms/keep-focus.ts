import { layers } from './layers.ts';

/** The last focused element of one layer: the page, a dialog or a menu. */
interface Stop {
  readonly layer: Element;
  readonly element: HTMLElement;
  /** Its ancestors, the nearest first. */
  readonly around: readonly HTMLElement[];
  /** Where it was, once it went. */
  gap?: Gap;
}

/** The place that a removed element left: what came after it, `null` if nothing did. */
interface Gap {
  readonly parent: Node;
  readonly next: Node | null;
}

/** Milliseconds in which a dialog or a screen may set the focus itself. */
const restoreDelay = 60;
const reachable =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), [tabindex]';
/** Elements whose children have nothing to do with each other. */
const boundaries = 'html, body, #root, [data-portal], [data-mantine-shared-portal-node]';

/**
 * Moves the focus on when the element that has it goes away or is disabled: a deleted row, a menu item that opens a dialog, a busy button.
 * It goes to the nearest focusable neighbour, or to the element that had it before; a button that was only busy gets it back.
 * Clicking empty space still clears the focus. Returns the function that stops it.
 */
export function keepFocus(page: Document = document): () => void {
  /** The lowest layer first. */
  let stops: readonly Stop[] = [];
  /** The element that lost the focus because it was disabled. */
  let disabled: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isNowhere = (): boolean => page.activeElement === null || page.activeElement === page.body;

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === page.body) return;
    disabled = undefined;
    // The kit gives the focus to a field of a dialog without scrolling to it. Above a button stands what is to be read first.
    if (target.matches('input[data-autofocus], textarea[data-autofocus]')) target.scrollIntoView({ block: 'nearest' });
    const layer = target.closest(layers) ?? page.body;
    const known = stops.findIndex((stop) => stop.layer === layer);
    const below = (known === -1 ? stops : stops.slice(0, known)).filter((stop) => stop.layer.isConnected);
    stops = [...below, { layer, element: target, around: ancestors(target) }];
  };
  const restore = (): void => {
    const last = stops.at(-1)?.element;
    if (last === undefined || canTake(last) || isBusy(last)) return;
    // Chromium takes the focus from a disabled element only with the next frame.
    if (!isNowhere() && page.activeElement !== last) return;
    for (const stop of stops.toReversed()) {
      const nextTarget = canTake(stop.element) ? stop.element : neighbour(stop);
      if (nextTarget === undefined) continue;
      nextTarget.focus();
      return;
    }
    // Everything is gone: another screen is shown.
    const screen = page.querySelector('main');
    (screen?.querySelector<HTMLElement>('h1[tabindex]') ?? screen?.querySelector<HTMLElement>(reachable))?.focus();
  };
  const noteGaps = ({ target, removedNodes, nextSibling }: MutationRecord): void => {
    for (const removed of removedNodes) {
      for (const stop of stops) if (removed.contains(stop.element)) stop.gap = { parent: target, next: nextSibling };
    }
  };
  const look = (records: readonly MutationRecord[]): void => {
    records.forEach(noteGaps);
    const last = stops.at(-1)?.element;
    if (last === undefined) return;
    if (canTake(last)) {
      if (last === disabled && isNowhere()) last.focus();
      return;
    }
    if (last.matches(':disabled')) disabled = last;
    clearTimeout(timer);
    timer = setTimeout(restore, restoreDelay);
  };

  const observer = new MutationObserver(look);
  page.addEventListener('focusin', remember);
  observer.observe(page.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'data-loading'],
  });
  return () => {
    page.removeEventListener('focusin', remember);
    observer.disconnect();
    clearTimeout(timer);
  };
}

function ancestors(element: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let each = element.parentElement; each !== null; each = each.parentElement) found.push(each);
  return found;
}

function canTake(element: HTMLElement): boolean {
  const barred = element.matches(':disabled') || element.closest('[inert], [aria-hidden="true"]') !== null;
  return element.isConnected && !barred;
}

function isBusy(element: HTMLElement): boolean {
  return element.isConnected && element.matches('[data-loading]');
}

/** The focusable element nearest to where the one of `stop` was, in its innermost ancestor that still has one, or is one. */
function neighbour({ element, around, gap }: Stop): HTMLElement | undefined {
  /** Stands where it was, or comes after it; undefined where that is unknown. */
  let mark: Node | undefined = element.isConnected ? element : undefined;
  for (const place of around) {
    if (!place.isConnected || place.matches(boundaries)) continue;
    if (place.localName === 'main') return place.querySelector('h1') ?? undefined;
    if (place.tabIndex >= 0 && canTake(place)) return place;
    const choices = [...place.querySelectorAll<HTMLElement>(reachable)].filter(
      (each) => each.tabIndex >= 0 && canTake(each) && each.checkVisibility(),
    );
    const wasLast = mark === undefined && gap?.parent === place && gap.next === null;
    if (gap?.parent === place && gap.next?.isConnected === true) mark ??= gap.next;
    const before = mark;
    const after = before && choices.find((each) => each === before || follows(each, before));
    const nextTarget =
      after ?? (before !== undefined || wasLast ? choices.findLast((each) => !isWithin(each, choices)) : choices[0]);
    if (nextTarget !== undefined) return nextTarget;
    mark ??= place;
  }
  return undefined;
}

/** Whether this is a control of another choice, as of a row. */
function isWithin(each: Node, choices: readonly Node[]): boolean {
  return choices.some((other) => other !== each && other.contains(each));
}

function follows(each: Node, other: Node): boolean {
  return (other.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
