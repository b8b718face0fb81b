/**
 * Home and End in a select whose list is open lead to its first and last option; the kit knows the arrows only. Returns the function that
 * stops it.
 */
export function followSelectKeys(page: Document = document): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const field = event.target;
    if ((event.key !== 'Home' && event.key !== 'End') || !(field instanceof HTMLElement)) return;
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    if (field.getAttribute('aria-expanded') !== 'true' || field.getAttribute('aria-haspopup') !== 'listbox') return;
    const list = page.getElementById(field.getAttribute('aria-controls') ?? '');
    const options = [...(list?.querySelectorAll('[role="option"]:not([data-combobox-disabled])') ?? [])];
    const current = options.findIndex((option) => option.hasAttribute('data-combobox-selected'));
    if (options.length === 0) return;
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
