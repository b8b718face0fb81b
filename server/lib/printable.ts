/** For messages: text from outside, cut to a readable length and without control characters. */
export function shorten(text: string, length = 100): string {
  // eslint-disable-next-line no-control-regex
  const printable = text.replaceAll(/[\u0000-\u001f\u007f]/g, '�');
  return printable.length <= length ? printable : `${printable.slice(0, length)}…`;
}
