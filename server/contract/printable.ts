/* What a text from outside may not bring to a place where people read it: none of these is seen, and each changes what is. */

/** Controls, line separators, what reverses the direction of text, and characters without a width. */
const hidden =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** Most texts have nothing but these and are looked through no further. */
const suspicious = /[^\n\t\u0020-\u007e]/;

/** The joiner within an emoji of several parts. */
const joiner = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})/u;

/** A text of several lines with a mark in the place of each character that is not seen; line feeds and tabs stay. */
export function hideControls(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .split(joiner)
    .map((part) => part.replaceAll('\r\n', '\n').replaceAll(hidden, '�'))
    .join('\u200d');
}

/** JSON of the same meaning in which such characters are escaped: those that JSON itself lets stand. */
export function escapeControls(json: string): string {
  return json.replaceAll(hidden, (found) =>
    Array.from(
      { length: found.length },
      (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** The same for a text that is one line: line feeds and tabs get the mark, too. */
export function printable(text: string): string {
  return hideControls(text).replaceAll(/[\n\t]/g, '�');
}
