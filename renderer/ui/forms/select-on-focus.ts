/** A field whose text is replaced as a whole: a select that can be typed into. */
const fields = 'input[aria-haspopup="listbox"]:not([readonly])';

/** Selects the text of such a field when it gets the focus, so that typing replaces it. Returns the function that stops it. */
export function selectOnFocus(page: Document = document): () => void {
  const select = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLInputElement) || !target.matches(fields)) return;
    const before = target.value;
    // A click places the caret after this event. What was typed until then stays.
    requestAnimationFrame(() => {
      if (page.activeElement === target && target.value === before) target.select();
    });
  };
  page.addEventListener('focusin', select);
  return () => page.removeEventListener('focusin', select);
}
