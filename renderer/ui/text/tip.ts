/** Properties that give an element a tooltip and screen readers the same words; none for no text. See `Tips`. */
export function tip(text: string | undefined): { 'data-tip'?: string; 'aria-description'?: string } {
  return text === undefined || text === '' ? {} : { 'data-tip': text, 'aria-description': text };
}

/**
 * What the tooltip of an element says: what `tip` gave it or what it is in, else the whole text of what is cut off. Undefined for
 * nothing.
 */
export function tipAt(element: Element): { element: Element; text: string } | undefined {
  let each: Element | null = element;
  for (let depth = 0; each !== null && depth < 6; depth += 1, each = each.parentElement) {
    const given = each.getAttribute('data-tip');
    if (given !== null) return { element: each, text: given };
    if (isCut(each)) {
      const whole = each.closest('.gh-tail-texts') ?? each.closest('.gh-tail-text') ?? each;
      const text = whole instanceof HTMLInputElement ? whole.value : (whole.textContent ?? '');
      return { element: whole, text: text.trim() };
    }
  }
  return undefined;
}

/** Of what a keyboard user came to: its own tooltip, else the first text in it that is cut off. A field that is typed into has none: it scrolls. */
export function tipOnFocus(element: Element): { element: Element; text: string } | undefined {
  if (element instanceof HTMLInputElement && !element.readOnly && !element.hasAttribute('data-tip')) return undefined;
  if (element.hasAttribute('data-tip') || isCut(element)) return tipAt(element);
  if (!element.matches('a, button, [role="row"], [role="tab"]')) return undefined;
  const cut = [...element.querySelectorAll('*')].find(isCut);
  return cut && tipAt(cut);
}

function isCut(element: Element): boolean {
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
  if (scrollWidth > clientWidth + 1) return getComputedStyle(element).textOverflow === 'ellipsis';
  return scrollHeight > clientHeight + 1 && Number(getComputedStyle(element).webkitLineClamp) > 0;
}
