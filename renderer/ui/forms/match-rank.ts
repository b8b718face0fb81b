import type { ComboboxParsedItem, OptionsFilter } from '@mantine/core';

/**
 * How well typed text matches one of several texts; lower is better, undefined is no match. A match at the beginning comes before one at
 * the beginning of a later word, and that before one inside a word.
 */
export function matchRank(typed: string, ...texts: readonly string[]): number | undefined {
  const wanted = typed.trim().toLowerCase();
  const ranks = texts.flatMap((text) => {
    const found = text.toLowerCase();
    if (found.startsWith(wanted)) return 0;
    if (!found.includes(wanted)) return [];
    return found.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted)) ? 1 : 2;
  });
  return ranks.length === 0 ? undefined : Math.min(...ranks);
}

/**
 * How well typed text finds something by its title and by further keywords; lower is better, undefined is no match. The whole title
 * comes first, then a match in the title, then its words in any order, then keywords, and last the letters of the title in their order
 * ("gof" finds "Go offline").
 */
export function searchRank(typed: string, title: string, keywords = ''): number | undefined {
  const wanted = typed.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const inTitle = matchRank(wanted, title);
  if (inTitle !== undefined) return title.toLowerCase() === wanted ? -1 : inTitle;
  if (words.every((word) => matchRank(word, title) !== undefined)) return 3;
  const begins = (word: string) => (matchRank(word, keywords) ?? 2) < 2;
  if (words.every((word) => matchRank(word, title) !== undefined || begins(word))) return 4;
  const pieces = letterPieces(words.join(''), title.toLowerCase());
  return pieces === undefined ? undefined : 5 + pieces;
}

/**
 * Into how many pieces the letters fall when they are found in this order, the first at the beginning of a word; undefined if they are
 * not found, or so scattered that nobody who typed them meant this text.
 */
function letterPieces(letters: string, text: string): number | undefined {
  let best: number | undefined;
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) {
    let pieces = 0;
    let last = -1;
    for (const letter of letters) {
      const found = text.indexOf(letter, last === -1 ? index : last + 1);
      if (found === -1 || (last === -1 && found !== index)) {
        pieces = Infinity;
        break;
      }
      if (found !== last + 1 || last === -1) pieces += 1;
      last = found;
    }
    if (pieces <= Math.max(2, Math.ceil(letters.length / 2))) best = Math.min(best ?? pieces, pieces);
  }
  return best;
}

/** The items that match, best first; equal ones keep their order. */
export function rankMatches<T>(items: readonly T[], typed: string, textsOf: (item: T) => readonly string[]): T[] {
  return items
    .flatMap((item) => {
      const rank = matchRank(typed, ...textsOf(item));
      return rank === undefined ? [] : [{ item, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** The order of every select that can be typed into, also within its groups. */
export const rankOptions: OptionsFilter = ({ options, search, limit }) => {
  const texts = (option: ComboboxParsedItem) =>
    'group' in option ? option.items.map(({ label }) => label) : [option.label];
  return rankMatches(options, search, texts)
    .slice(0, limit)
    .map((option) =>
      'group' in option ? { ...option, items: rankMatches(option.items, search, (item) => [item.label]) } : option,
    );
};
