/** Marks a field that takes other text than its options, too. */
export const freeTextClass = 'gh-free-text';

/** Frames in which the list of an open select is drawn and its first match highlighted, on a busy machine too. */
const drawnWithin = 30;

/**
 * In a select whose list is open, Home and End lead to the first and last option; the kit knows the arrows only. Enter takes the option
 * that is highlighted; the kit forgets it when the list opens with the first letter, and would send the form with the former choice.
 * An Enter that comes before the list is drawn, or while the list says that it is still being read (`aria-busy`), takes what is highlighted
 * then. Returns the function that stops it.
 */
export function followSelectKeys(page: Document = document): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const field = event.target;
    if (!['Home', 'End', 'Enter'].includes(event.key) || event.isComposing || !(field instanceof HTMLElement)) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    if (field.getAttribute('aria-haspopup') !== 'listbox') return;
    const options = optionsOf(field);
    const current = options.findIndex(isHighlighted);
    if (event.key === 'Enter') {
      // The kit sets the attribute while the list is open.
      if (!field.hasAttribute('data-expanded')) return;
      if (current === -1 && field.classList.contains(freeTextClass)) return;
      // What matches nothing is for the form to refuse.
      if (options.length === 0 && listOf(field) !== null && !isBeingRead(field)) return;
      event.preventDefault();
      event.stopPropagation();
      takeHighlighted(field, drawnWithin);
      return;
    }
    if (options.length === 0 || field.getAttribute('aria-expanded') !== 'true') return;
    event.preventDefault();
    event.stopPropagation();
    const code = event.key === 'Home' ? 'ArrowUp' : 'ArrowDown';
    const steps = event.key === 'Home' ? Math.max(0, current) : options.length - 1 - current;
    // The list moves by its arrows, so that it scrolls and says where it is as ever.
    for (let step = 0; step < steps; step += 1) {
      field.dispatchEvent(new KeyboardEvent('keydown', { code, key: code, bubbles: true, cancelable: true }));
    }
  };
  page.addEventListener('keydown', onKeyDown, { capture: true });
  return () => page.removeEventListener('keydown', onKeyDown, { capture: true });
}

/** The list of a select; null until it is drawn. */
function listOf(field: HTMLElement): HTMLElement | null {
  return field.ownerDocument.getElementById(field.getAttribute('aria-controls') ?? '');
}

function optionsOf(field: HTMLElement): HTMLElement[] {
  return [...(listOf(field)?.querySelectorAll<HTMLElement>('[role="option"]:not([data-combobox-disabled])') ?? [])];
}

const isHighlighted = (option: HTMLElement): boolean => option.hasAttribute('data-combobox-selected');

/** Whether what is offered for the text in the field is still being read. */
const isBeingRead = (field: HTMLElement): boolean => listOf(field)?.getAttribute('aria-busy') === 'true';

const textOf = (field: HTMLElement): string => (field instanceof HTMLInputElement ? field.value : '');

/** Clicks the highlighted option, in one of the next frames if it is not drawn yet; not once the list is closed or something else is typed. */
function takeHighlighted(field: HTMLElement, frames: number): void {
  const option = optionsOf(field).find(isHighlighted);
  if (option) {
    option.click();
    return;
  }
  const typed = textOf(field);
  requestAnimationFrame(() => {
    const left = isBeingRead(field) ? drawnWithin : frames - 1;
    if (left > 0 && field.hasAttribute('data-expanded') && textOf(field) === typed) takeHighlighted(field, left);
  });
}
