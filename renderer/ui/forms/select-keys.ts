/**
 * In a select whose list is open, Home and End lead to the first and last option; the kit knows the arrows only. Enter takes the option
 * that is highlighted; the kit forgets it when the list opens with the first letter, and would send the form with the former choice.
 * Returns the function that stops it.
 */
export function followSelectKeys(page: Document = document): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const field = event.target;
    if (!['Home', 'End', 'Enter'].includes(event.key) || event.isComposing || !(field instanceof HTMLElement)) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    // The kit sets it while the list is open.
    const listId = field.getAttribute('aria-haspopup') === 'listbox' ? field.getAttribute('aria-controls') : null;
    const list = listId === null ? null : page.getElementById(listId);
    const options = [...(list?.querySelectorAll<HTMLElement>('[role="option"]:not([data-combobox-disabled])') ?? [])];
    const current = options.findIndex((option) => option.hasAttribute('data-combobox-selected'));
    if (event.key === 'Enter') {
      if (options[current] === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      options[current].click();
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
