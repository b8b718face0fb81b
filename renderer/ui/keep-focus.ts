/** What had the focus last in one layer: the page, a dialog or a menu above it. */
interface Stop {
  readonly layer: Element;
  readonly element: HTMLElement;
  /** What it stood in, the nearest first. */
  readonly around: readonly HTMLElement[];
}

const layers = '[role="dialog"], [role="menu"], [role="listbox"]';
/** Milliseconds that a dialog or a screen has to put the focus somewhere by itself. */
const patience = 60;
const reachable =
  'a[href], button:not(:disabled), input:not(:disabled):not([type=hidden]), select:not(:disabled), textarea:not(:disabled), [tabindex]';
/** The page itself and where dialogs are put: what stands in them has nothing to do with each other. */
const strangers = 'html, body, #root, [data-portal], [data-mantine-shared-portal-node]';

/**
 * Never leaves the focus nowhere. A row that is deleted, a menu item that opens a dialog, a button that is busy: each takes the focus with it when
 * it goes, and whoever has no mouse would start over from the top of the window. The focus goes to the nearest thing that is still there
 * instead: to a neighbour, or to what had it before. A button that was only busy gets it back when it is done.
 *
 * Whoever clicks beside everything wants the focus to be nowhere, and that is left alone. Returns the function that stops it.
 */
export function keepFocus(page: Document = document): () => void {
  /** The lowest layer first. */
  let stops: readonly Stop[] = [];
  /** What lost the focus because it was disabled. */
  let disabled: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isNowhere = (): boolean => page.activeElement === null || page.activeElement === page.body;

  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLElement) || target === page.body) return;
    disabled = undefined;
    const layer = target.closest(layers) ?? page.body;
    const known = stops.findIndex((stop) => stop.layer === layer);
    const below = (known === -1 ? stops : stops.slice(0, known)).filter((stop) => stop.layer.isConnected);
    stops = [...below, { layer, element: target, around: ancestors(target) }];
  };
  const restore = (): void => {
    const last = stops.at(-1)?.element;
    if (last === undefined || canTake(last) || isBusy(last)) return;
    // Chromium takes the focus from what is disabled only when it draws the next time.
    if (!isNowhere() && page.activeElement !== last) return;
    for (const { element, around } of stops.toReversed()) {
      const heir = canTake(element) ? element : neighbour(around, element);
      if (heir === undefined) continue;
      heir.focus();
      return;
    }
    // All of it went: another screen stands in the window.
    const screen = page.querySelector('main');
    (screen?.querySelector<HTMLElement>('h1[tabindex]') ?? screen?.querySelector<HTMLElement>(reachable))?.focus();
  };
  const look = (): void => {
    const last = stops.at(-1)?.element;
    if (last === undefined) return;
    if (canTake(last)) {
      if (last === disabled && isNowhere()) last.focus();
      return;
    }
    if (last.matches(':disabled')) disabled = last;
    clearTimeout(timer);
    timer = setTimeout(restore, patience);
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

/** What can take the focus nearest to where `gone` was: in the innermost of `around` that is still there and holds anything. */
function neighbour(around: readonly HTMLElement[], gone: HTMLElement): HTMLElement | undefined {
  for (const place of around) {
    if (!place.isConnected || place.matches(strangers)) continue;
    if (place.localName === 'main') return place.querySelector('h1') ?? undefined;
    const choices = [...place.querySelectorAll<HTMLElement>(reachable)].filter(
      (each) => each.tabIndex >= 0 && canTake(each),
    );
    // Nothing tells where in the place a thing was that is no longer there.
    const heir = gone.isConnected ? (choices.find((each) => follows(each, gone)) ?? choices.at(-1)) : choices[0];
    if (heir !== undefined) return heir;
  }
  return undefined;
}

function follows(each: HTMLElement, other: HTMLElement): boolean {
  return (other.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
