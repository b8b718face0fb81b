/**
 * Runs in the page: what is wrong with the last visible element that `selector` selects (a dialog, a menu, a list of options, a message),
 * each fault in a line. It lies within the window, all of its controls can be reached, and the keys go to it, if `takesFocus`.
 */
export function layerFaults({ selector, takesFocus }: { selector: string; takesFocus: boolean }): string[] {
  const layer = [...document.querySelectorAll(selector)].findLast((element) => element.checkVisibility());
  if (layer === undefined) return ['it is not there'];
  const faults: string[] = [];
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}"`;

  const { left, top, right, bottom } = layer.getBoundingClientRect();
  const outside = Math.max(-left, -top, right - innerWidth, bottom - innerHeight);
  if (outside > 0.5) faults.push(`it leaves the window by ${Math.round(outside)} px`);

  const scrolling = [layer, ...layer.querySelectorAll('*')].filter(
    (element) =>
      /auto|scroll/.test(getComputedStyle(element).overflowY) &&
      element.checkVisibility() &&
      element.scrollHeight > element.clientHeight + 1,
  );
  for (const inner of scrolling) {
    const over = inner.scrollHeight - inner.clientHeight;
    // A few pixels less of what is in it, and all of it is in sight.
    if (over <= 12) faults.push(`${nameOf(inner)} scrolls by ${over} px`);
    const outer = scrolling.find((each) => each !== inner && each.contains(inner));
    if (outer !== undefined) faults.push(`${nameOf(inner)} scrolls in ${nameOf(outer)}, which scrolls, too`);
  }

  const focused = document.activeElement;
  if (takesFocus) {
    // A field keeps the focus while its list of options is open.
    const list = layer.matches('[role="listbox"]') ? layer : layer.querySelector('[role="listbox"]');
    const isControlled = list !== null && focused?.getAttribute('aria-controls') === list.id;
    const isAtClose =
      focused?.matches('.mantine-Modal-close') === true && layer.querySelector('input, textarea') !== null;
    if (isAtClose || (!layer.contains(focused) && !isControlled))
      faults.push(`the focus is on ${focused ? nameOf(focused) : 'nothing'}`);
  }

  const places = scrolling.map((element) => [element, element.scrollTop] as const);
  for (const control of layer.querySelectorAll('button, a[href], input, textarea, summary, [role^="menuitem"]')) {
    const isDrawn = control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!isDrawn || control.matches(':disabled, [type=radio]')) continue;
    control.scrollIntoView({ block: 'nearest' });
    const box = control.getBoundingClientRect();
    const at = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    const isHit = at !== null && (control.contains(at) || at.contains(control) || at.closest('label') !== null);
    if (!isHit) faults.push(`${nameOf(control)} is behind ${at === null ? 'the edge of the window' : nameOf(at)}`);
  }
  for (const [element, place] of places) element.scrollTop = place;
  return faults;
}
