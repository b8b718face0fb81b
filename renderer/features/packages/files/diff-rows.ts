import { diffLines } from 'diff';

/** A line of a comparison; a gap stands for lines that are the same in both. */
export type DiffRow =
  | { kind: 'same' | 'added' | 'removed'; before: number | null; after: number | null; text: string }
  | { kind: 'gap'; lines: number };

const context = 3;
/** With more edits, two texts count as too different to compare. */
const maximumEdits = 20_000;

/**
 * What leads from one text to the other, line by line, with three lines around each change. Undefined if the texts have too little
 * in common to be compared in reasonable time.
 */
export function diffRows(before: string, after: string): DiffRow[] | undefined {
  const changes = diffLines(before, after, { maxEditLength: maximumEdits, timeout: 1500 });
  if (changes === undefined) return undefined;
  const rows: DiffRow[] = [];
  let beforeLine = 1;
  let afterLine = 1;
  changes.forEach((change, index) => {
    const lines = linesOf(change.value);
    if (change.added) {
      for (const text of lines) rows.push({ kind: 'added', before: null, after: afterLine++, text });
    } else if (change.removed) {
      for (const text of lines) rows.push({ kind: 'removed', before: beforeLine++, after: null, text });
    } else {
      const head = index === 0 ? 0 : context;
      const tail = index === changes.length - 1 ? 0 : context;
      const hidden = lines.length - head - tail;
      lines.forEach((text, line) => {
        const shown = hidden <= 1 || line < head || line >= lines.length - tail;
        if (shown) rows.push({ kind: 'same', before: beforeLine, after: afterLine, text });
        else if (line === head) rows.push({ kind: 'gap', lines: hidden });
        beforeLine += 1;
        afterLine += 1;
      });
    }
  });
  return rows;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
