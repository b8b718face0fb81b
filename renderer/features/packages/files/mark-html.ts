import type { Mark } from './diff-rows.ts';

/** Wraps parts of the text of a line of HTML in `<mark>`; `marks` count characters of the text, in order. Tags stay properly nested. */
export function markHtml(html: string, marks: readonly Mark[]): string {
  if (marks.length === 0) return html;
  let at = 0;
  let isOpen = false;
  let result = '';
  const setOpen = (open: boolean) => {
    if (open !== isOpen) result += open ? '<mark>' : '</mark>';
    isOpen = open;
  };
  // A tag, an escaped character, or a character.
  for (const [piece] of html.matchAll(/<[^>]*>|&[^;\s]+;|[^]/g)) {
    if (piece.length > 1 && piece.startsWith('<')) {
      setOpen(false);
    } else {
      setOpen(marks.some(([start, end]) => at >= start && at < end));
      at += 1;
    }
    result += piece;
  }
  setOpen(false);
  return result;
}
