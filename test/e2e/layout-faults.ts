/**
 * Runs in the page: what leaves the window or is covered, each fault in a line; an empty list for a whole screen. Text may be cut where it ends
 * in an ellipsis, and code, and what says so with `data-scrolls-sideways`, may scroll sideways; buttons and fields are never cut. With a
 * selector, only what is in the last visible element that it selects.
 */
export function layoutFaults(within?: string): string[] {
  const faults: string[] = [];
  const slack = 1.5;
  const scrollsSideways = 'pre, .gh-code, .gh-readme-table, [data-scrolls-sideways]';
  const controls = 'button, a[href], input, textarea, select, [role="tab"], [role="slider"]';

  interface Box {
    left: number;
    top: number;
    right: number;
    bottom: number;
  }
  interface Piece {
    name: string;
    element: Element;
    box: Box;
  }

  const nameOf = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    const kind =
      typeof element.className === 'string' ? element.className.split(' ').find((each) => each.startsWith('gh-')) : '';
    return `${element.tagName.toLowerCase()}${kind ? `.${kind}` : ''} "${text}"`;
  };
  const intersect = (a: Box, b: Box): Box => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = ({ left, top, right, bottom }: Box): boolean => right - left < 1 || bottom - top < 1;
  const windowBox: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const root =
    within === undefined
      ? document.body
      : [...document.querySelectorAll(within)].findLast((element) => element.checkVisibility());
  if (root === undefined) return ['it is not there'];

  for (const element of root.querySelectorAll('[title]'))
    faults.push(`${nameOf(element)} has a tooltip of the browser`);

  const visible = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    // For screen readers only.
    !(element.getBoundingClientRect().width <= 1 && element.getBoundingClientRect().height <= 1);

  /** What remains of a box in the parts that scroll or cut it, and whether its sides were cut by one that shows no ellipsis. */
  const clip = (element: Element, box: Box): { box: Box; cut: string | undefined } => {
    let rest = box;
    let cut: string | undefined;
    let ellipsis = false;
    for (
      let parent: Element | null = element;
      parent !== null && parent !== document.body;
      parent = parent.parentElement
    ) {
      const style = getComputedStyle(parent);
      if (parent !== element && style.position === 'fixed') break;
      // The ellipsis of a tail stands in front of it.
      ellipsis ||=
        style.textOverflow === 'ellipsis' || parent.matches('.gh-tail-text > :last-child, .gh-tail-parts > *');
      if (style.overflowX === 'visible' && style.overflowY === 'visible') continue;
      const outer = parent.getBoundingClientRect();
      const clipped = intersect(rest, outer);
      const missing = Math.max(rest.right - outer.right, outer.left - rest.left);
      const below = rest.bottom <= outer.top || rest.top >= outer.bottom;
      if (missing > slack && !below && cut === undefined && !ellipsis && parent.closest(scrollsSideways) === null) {
        cut = `${Math.round(missing)} px in ${nameOf(parent)}`;
      }
      rest = clipped;
    }
    return { box: rest, cut };
  };

  if (document.documentElement.scrollWidth > innerWidth)
    faults.push(`the page is ${document.documentElement.scrollWidth} px wide`);

  for (const element of root.querySelectorAll('*')) {
    const style = getComputedStyle(element);
    if (!/auto|scroll/.test(style.overflowX) || !visible(element) || element.closest(scrollsSideways) !== null)
      continue;
    if (element.scrollWidth > element.clientWidth + slack) {
      faults.push(`${nameOf(element)} scrolls sideways: ${element.scrollWidth} px in ${element.clientWidth}`);
    }
  }

  const pieces: Piece[] = [];
  const add = (element: Element, whole: Box, isText: boolean): void => {
    const { box, cut } = clip(element, whole);
    if (cut !== undefined) faults.push(`${nameOf(element)} is cut: ${cut}`);
    const outside = Math.max(box.right - innerWidth, -box.left);
    if (!isText && !isEmpty(box) && outside > slack && element.closest(scrollsSideways) === null) {
      faults.push(`${nameOf(element)} leaves the window by ${Math.round(outside)} px`);
    }
    const shown = intersect(box, windowBox);
    if (!isEmpty(shown)) pieces.push({ name: nameOf(element), element, box: shown });
  };
  for (const element of root.querySelectorAll(controls)) {
    if (!visible(element)) continue;
    // A link within a sentence may begin in one line and end in another.
    for (const box of element.getClientRects()) add(element, box, false);
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement;
    if (parent === null || node.textContent?.trim() === '' || !visible(parent) || parent.closest('svg, style, script'))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    // Of the cut start of a name, what is in sight follows the box of all of it: its end stands right behind the ellipsis.
    const isCutStart = boxes.length > 1 && parent.matches('.gh-tail-text > :first-child');
    for (const box of isCutStart ? boxes.slice(1) : boxes) if (!isEmpty(box)) add(parent, box, true);
  }

  // A notice hides what leaves it, and would give way first where a column is too high.
  for (const notice of root.querySelectorAll('[role="note"], [role="alert"]')) {
    const missing = notice.scrollHeight - notice.clientHeight;
    if (visible(notice) && missing > slack) faults.push(`${nameOf(notice)} is cut by ${missing} px at its end`);
  }

  // A list whose rows differ in height cannot be scanned.
  const heights = [...root.querySelectorAll('.gh-inbox-entry')].map((entry) => entry.getBoundingClientRect().height);
  if (new Set(heights.map(Math.round)).size > 1) faults.push(`the rows of the inbox are ${heights.join(', ')} px high`);

  // Only the visible part counts, and what lies inside each other or above it on purpose does not.
  const layerOf = (element: Element): Element | null =>
    element.closest(
      '[role="dialog"], .gh-table-head, .gh-dialog-header, .gh-dialog-footer, .gh-editor-footer, thead, .gh-access-table th:first-child',
    );
  for (const [index, one] of pieces.entries()) {
    for (const other of pieces.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      if (layerOf(one.element) !== layerOf(other.element)) continue;
      // A field and the buttons in it.
      const field = one.element.closest('.mantine-Input-wrapper');
      if (field !== null && field === other.element.closest('.mantine-Input-wrapper')) continue;
      const shared = intersect(one.box, other.box);
      if (shared.right - shared.left > 2 && shared.bottom - shared.top > 3)
        faults.push(`${one.name} overlaps ${other.name}`);
    }
  }
  return [...new Set(faults)];
}
