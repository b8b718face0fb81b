import { matchRank } from '../forms/match-rank.ts';

/** Milliseconds after which typing begins anew. */
const pause = 800;

export interface TypeAhead {
  /** The text so far with this key; undefined if the key is no text. */
  readonly type: (
    event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>,
  ) => string | undefined;
}

/**
 * Collects what is typed on a list, key by key, until the typing pauses or another key is pressed.
 * @param shortcuts keys that do something else, and begin nothing. A slash is the shortcut of the search field, a space presses.
 */
export function createTypeAhead(shortcuts = '/ '): TypeAhead {
  let text = '';
  let last = -Infinity;
  return {
    type: ({ key, ctrlKey, metaKey, altKey, timeStamp }) => {
      if (key === 'Shift') return undefined;
      if (key.length !== 1 || ctrlKey || metaKey || altKey) {
        last = -Infinity;
        return undefined;
      }
      const begins = timeStamp - last > pause;
      if (begins && shortcuts.includes(key)) return undefined;
      text = begins ? key : text + key;
      last = timeStamp;
      return text;
    },
  };
}

/**
 * The index of the name that typed text leads to from the one at `from`; -1 if none matches. Names that begin with it go before those
 * with a later word that does. One letter, typed once or repeatedly, leads to the next name.
 */
export function findTyped(names: readonly string[], typed: string, from: number): number {
  const letters = new Set(typed.toLowerCase());
  const isOneLetter = letters.size === 1;
  const start = isOneLetter ? from + 1 : from;
  const wanted = isOneLetter ? typed.slice(0, 1) : typed;
  let later = -1;
  for (let step = 0; step < names.length; step += 1) {
    const index = (start + step) % names.length;
    const rank = matchRank(wanted, names[index] ?? '');
    if (rank === 0) return index;
    if (rank === 1 && later === -1) later = index;
  }
  return later;
}
