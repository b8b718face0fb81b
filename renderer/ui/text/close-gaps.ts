/**
 * For the element of a text in two pieces, of which the first ends with an ellipsis where it is cut. That one is as wide as its room, and the
 * letters in sight seldom fill it: moves the second piece up to the ellipsis, or of a text at the right the first piece down to the second, and
 * hides what is left of a letter at the start of the second. Only as painted, so that nothing is laid out again. A ref: followed until the
 * element leaves.
 */
export function closeGaps(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined;
  const pieces = [...element.children];
  for (const piece of pieces) observer.observe(piece);
  return () => {
    for (const piece of pieces) observer.unobserve(piece);
  };
}

// It tells of a new size before that is painted; one for all, which reads of all before it writes to any.
const observer = new ResizeObserver((entries) => {
  const texts = new Set(entries.flatMap(({ target }) => target.parentElement ?? []));
  const measured = [...texts].flatMap((text) => {
    const [head, tail] = text.children;
    if (!(head instanceof HTMLElement) || !(tail instanceof HTMLElement)) return [];
    const rest = restOfLetter(tail);
    const isAtEnd = ['right', 'end'].includes(getComputedStyle(text).textAlign);
    return [{ head, tail, rest, isAtEnd, shift: gapAfter(head) + rest, next: secondOf(text) }];
  });
  for (const { head, tail, rest, isAtEnd, shift, next } of measured) {
    const moved = shift === 0 ? '' : `${-shift}px`;
    head.style.translate = isAtEnd && shift !== 0 ? `${shift}px` : '';
    tail.style.translate = isAtEnd ? '' : moved;
    tail.style.clipPath = rest === 0 ? '' : `inset(0 0 0 ${rest}px)`;
    if (next !== undefined) next.style.translate = isAtEnd ? '' : moved;
  }
});

/** Of two texts that are one name (`gh-tail-texts`) the second, given the first: no gap may come between them. */
function secondOf(text: Element): HTMLElement | undefined {
  const next = text.nextElementSibling;
  return text.parentElement?.className === 'gh-tail-texts' && next instanceof HTMLElement ? next : undefined;
}

/** What is empty after the ellipsis, in pixels. */
function gapAfter(head: HTMLElement): number {
  const text = document.createRange();
  text.selectNodeContents(head);
  // The whole line and, where it is cut, what is left of it.
  const shown = [...text.getClientRects()].slice(1).at(-1);
  return shown === undefined ? 0 : Math.max(0, head.clientWidth - shown.width - widthOfEllipsis(head));
}

const widths = new Map<string, number>();

function widthOfEllipsis(element: HTMLElement): number {
  // Their shorthand is empty where the letters have features, as those of the monospaced font do.
  const { fontFamily, fontSize, fontWeight } = getComputedStyle(element);
  const font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const known = widths.get(font);
  if (known !== undefined) return known;
  const ellipsis = document.createElement('span');
  ellipsis.textContent = '…';
  Object.assign(ellipsis.style, { position: 'absolute', visibility: 'hidden' });
  element.append(ellipsis);
  const { width } = ellipsis.getBoundingClientRect();
  ellipsis.remove();
  widths.set(font, width);
  return width;
}

/** How much is in sight of the letter at which the start of an end is cut, in pixels. */
function restOfLetter(tail: HTMLElement): number {
  const text = tail.firstElementChild?.firstChild;
  if (!(text instanceof Text)) return 0;
  const room = tail.getBoundingClientRect().width;
  const letters = document.createRange();
  letters.setEndAfter(text);
  const widthFrom = (start: number) => {
    letters.setStart(text, start);
    return letters.getBoundingClientRect().width;
  };
  // A part of a pixel is rounding.
  if (widthFrom(0) <= room + 0.5) return 0;
  let [cut, whole] = [0, text.length];
  while (whole - cut > 1) {
    const middle = (cut + whole) >> 1;
    if (widthFrom(middle) > room + 0.5) cut = middle;
    else whole = middle;
  }
  return Math.max(0, room - widthFrom(whole));
}
