let observer: ResizeObserver | undefined;

/**
 * Draws what follows `head` up to its ellipsis while `head` is cut: the room of a letter that did not fit would stand between them.
 * For the `ref` of a span with text alone; returns the function that ends it.
 */
export function closeGapAfter(head: HTMLElement): () => void {
  // Called between layout and painting, for all that changed at once.
  observer ??= new ResizeObserver((entries) => {
    const heads = entries.map(({ target }) => target as HTMLElement);
    // All is measured before anything is moved, so that nothing is laid out twice.
    const gaps = heads.map(gapAfter);
    for (const [index, { nextElementSibling }] of heads.entries()) {
      if (nextElementSibling instanceof HTMLElement) nextElementSibling.style.translate = `${-(gaps[index] ?? 0)}px`;
    }
  });
  observer.observe(head);
  return () => observer?.unobserve(head);
}

/** CSS pixels between the ellipsis and the end of the box; 0 for text that is whole. */
function gapAfter(head: HTMLElement): number {
  const text = head.firstChild;
  if (!(text instanceof Text) || head.scrollWidth <= head.clientWidth) return 0;
  const room = head.getBoundingClientRect().width - ellipsisWidth(getComputedStyle(head));
  const range = document.createRange();
  range.setStart(text, 0);
  const widthOf = (letters: number): number => {
    range.setEnd(text, letters);
    return range.getBoundingClientRect().width;
  };
  let fitting = 0;
  for (let step = 2 ** Math.floor(Math.log2(text.length)); step >= 1; step /= 2) {
    if (fitting + step <= text.length && widthOf(fitting + step) <= room) fitting += step;
  }
  return fitting === 0 ? 0 : room - widthOf(fitting);
}

let canvas: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

function ellipsisWidth({ fontWeight, fontSize, fontFamily }: CSSStyleDeclaration): number {
  // The shorthand of a style is empty where it could not say everything.
  const font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const known = widths.get(font);
  if (known !== undefined) return known;
  canvas ??= document.createElement('canvas').getContext('2d');
  if (canvas === null) return 0;
  canvas.font = font;
  const { width } = canvas.measureText('…');
  widths.set(font, width);
  return width;
}
