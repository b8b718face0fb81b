import type { OptionsFilter } from '@mantine/core';

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

/** The order of every select that can be typed into. */
export const rankOptions: OptionsFilter = ({ options, search, limit }) =>
  rankMatches(options, search, (option) =>
    'group' in option ? option.items.map(({ label }) => label) : [option.label],
  ).slice(0, limit);
