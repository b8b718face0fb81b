/** Selects what lies over the page and takes the focus. */
export const layers = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Whether a dialog, a menu or a list of options lies over the screen. The kit keeps closed lists in the page, hidden. */
export function isCovered(): boolean {
  return [...document.querySelectorAll(layers)].some((layer) => layer.checkVisibility());
}

let wasCovered = false;
// Heard before anything that a key closes is closed.
addEventListener('keydown', () => (wasCovered = isCovered()), { capture: true });

/** `isCovered` when the present key was pressed. */
export function wasCoveredAtKey(): boolean {
  return wasCovered;
}
