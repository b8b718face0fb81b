import { diffArrays, diffLines } from 'diff';

/** Where a line differs from the one that it replaces: from and to, in characters. */
export type Mark = readonly [start: number, end: number];

export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  before: number | null;
  after: number | null;
  text: string;
  /** Only where the line replaces a similar one. */
  marks?: readonly Mark[];
}

/** A line of a comparison; a gap has the lines that are the same in both and far from a change. */
export type DiffRow = DiffLine | { kind: 'gap'; lines: readonly DiffLine[] };

const context = 3;
/** With more edits, two texts count as too different to compare. */
const maximumEdits = 20_000;
/** Of longer lines, such as those of minified code, all from the first to the last difference is marked, and not word by word. */
const markedLength = 1_000;
/** What is marked as a whole: a version with its prerelease, a word, space, or else one character. */
const tokens = /\d+(?:\.\d+)+(?:[-+][\w.+-]*)?|[\p{L}\p{M}\p{N}_$]+|\s+|[^]/gu;
/** Marks in a line that shares less than this with the other would only hide that it is new. */
const smallestShare = 0.35;

/**
 * What leads from one text to the other, line by line; what is equal is folded, except for three lines around each change. Undefined
 * if the texts have too little in common to be compared in reasonable time.
 */
export function diffRows(before: string, after: string): DiffRow[] | undefined {
  const changes = diffLines(before, after, { maxEditLength: maximumEdits, timeout: 1500 });
  if (changes === undefined) return undefined;
  const rows: DiffRow[] = [];
  let removed: DiffLine[] = [];
  let beforeLine = 1;
  let afterLine = 1;
  changes.forEach((change, index) => {
    const texts = linesOf(change.value);
    if (change.added) {
      const added = texts.map((text): DiffLine => ({ kind: 'added', before: null, after: afterLine++, text }));
      markPairs(removed, added);
      rows.push(...added);
      removed = [];
    } else if (change.removed) {
      removed = texts.map((text): DiffLine => ({ kind: 'removed', before: beforeLine++, after: null, text }));
      rows.push(...removed);
    } else {
      removed = [];
      const same = texts.map((text): DiffLine => ({ kind: 'same', before: beforeLine++, after: afterLine++, text }));
      rows.push(...folded(same, index === 0 ? 0 : context, index === changes.length - 1 ? 0 : context));
    }
  });
  return rows;
}

function folded(same: readonly DiffLine[], head: number, tail: number): DiffRow[] {
  const hidden = same.slice(head, same.length - tail);
  if (same.length - head - tail <= 1) return [...same];
  return [...same.slice(0, head), { kind: 'gap', lines: hidden }, ...same.slice(same.length - tail)];
}

/** Marks what differs within lines that were replaced by as many others. */
function markPairs(removed: readonly DiffLine[], added: readonly DiffLine[]): void {
  if (removed.length !== added.length) return;
  removed.forEach((was, index) => {
    const is = added[index];
    if (is === undefined) return;
    if (was.text.length > markedLength || is.text.length > markedLength) {
      markBetween(was, is);
      return;
    }
    const marks = { was: [] as Mark[], is: [] as Mark[] };
    let [wasAt, isAt, shared] = [0, 0, 0];
    for (const { value, added: isNew, removed: isOld } of diffArrays(tokensOf(was.text), tokensOf(is.text))) {
      const text = value.join('');
      const { length } = text;
      if (isNew) marks.is.push([isAt, (isAt += length)]);
      else if (isOld) marks.was.push([wasAt, (wasAt += length)]);
      else {
        wasAt += length;
        isAt += length;
        shared += text.trim().length;
      }
    }
    if (shared < smallestShare * Math.max(was.text.trim().length, is.text.trim().length)) return;
    was.marks = marks.was;
    is.marks = marks.is;
  });
}

const tokensOf = (text: string): string[] => text.match(tokens) ?? [];

/** Marks what stands between the start and the end that two lines share. */
function markBetween(was: DiffLine, is: DiffLine): void {
  const longest = Math.min(was.text.length, is.text.length);
  let start = 0;
  while (start < longest && was.text[start] === is.text[start]) start++;
  let end = 0;
  while (end < longest - start && was.text.at(-1 - end) === is.text.at(-1 - end)) end++;
  if (start + end < smallestShare * Math.max(was.text.length, is.text.length)) return;
  was.marks = [[start, was.text.length - end]];
  is.marks = [[start, is.text.length - end]];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
