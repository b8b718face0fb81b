/** A field whose text is replaced as a whole: a select that can be typed into, or what is only suggested. */
const replaced = 'input[aria-haspopup="listbox"]:not([readonly]), input[data-suggested]';

/** Selects the whole text, which is read from its start where it is longer than the field. */
function selectText(field: HTMLInputElement): void {
  field.select();
  // The browser scrolls to the end of what is selected once the focus is there.
  requestAnimationFrame(() => {
    if (field.selectionStart === 0) field.scrollLeft = 0;
  });
}

/**
 * Selects the text of such a field when it gets the focus, so that typing replaces it: at once, as the first letter may come before the next
 * frame, and after a press when it ends, as a press places the caret. Tab selects that of any field, as browsers do; in a dialog the kit moves
 * the focus instead of them. Returns the function that stops it.
 */
export function selectOnFocus(page: Document = document): () => void {
  let isPressed = false;
  let isTabDown = false;
  /** The field that a press gave the focus to. */
  let pressed: HTMLInputElement | undefined;
  const press = (): void => {
    isPressed = true;
    pressed = undefined;
  };
  const focus = ({ target }: FocusEvent): void => {
    if (!(target instanceof HTMLInputElement)) return;
    if (isTabDown) {
      // Null where nothing can be selected, as in a checkbox.
      if (target.selectionStart !== null) selectText(target);
    } else if (target.matches(replaced)) {
      if (isPressed) pressed = target;
      else selectText(target);
    }
  };
  const release = (): void => {
    isPressed = false;
    // What was marked by drawing the pointer over it stays marked.
    if (pressed && page.activeElement === pressed && pressed.selectionStart === pressed.selectionEnd)
      selectText(pressed);
    pressed = undefined;
  };
  const key = ({ type, key: name }: KeyboardEvent): void => {
    isTabDown = type === 'keydown' && name === 'Tab';
  };
  const listeners = {
    pointerdown: press,
    focusin: focus,
    pointerup: release,
    pointercancel: release,
    keydown: key,
    keyup: key,
  } as const;
  for (const [type, listener] of Object.entries(listeners))
    page.addEventListener(type, listener as EventListener, true);
  return () => {
    for (const [type, listener] of Object.entries(listeners))
      page.removeEventListener(type, listener as EventListener, true);
  };
}
