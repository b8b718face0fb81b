import { printable } from '../contract/printable.ts';

/** For messages: text from outside, cut to a readable length and without characters that are not seen. */
export function shorten(text: string, length = 100): string {
  const shown = printable(text.length > 2 * length ? text.slice(0, 2 * length) : text);
  return shown.length <= length ? shown : `${shown.slice(0, length)}…`;
}
