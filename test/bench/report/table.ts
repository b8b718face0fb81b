import { shortNumber } from './row.ts';
import type { Goal, Row } from './row.ts';

const headings = ['work', 'Gatehouse', 'Verdaccio', 'bare', 'unit', 'goal', 'reached', ''];

/** The rows as aligned text, one line for each goal. */
export function textTable(rows: readonly Row[]): string {
  const lines = [headings, ...rows.flatMap(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const numeric = new Set([1, 2, 3]);
  const format = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return numeric.has(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const [head = [], ...body] = lines;
  return [format(head), widths.map((width) => '-'.repeat(width)).join('  '), ...body.map(format)].join('\n');
}

/** The rows as a Markdown table. */
export function markdownTable(rows: readonly Row[]): string {
  const lines = rows.flatMap(cellsOf).map((cells) => `| ${cells.join(' | ')} |`);
  return [
    `| ${headings.slice(0, -1).join(' | ')} | |`,
    '| --- | ---: | ---: | ---: | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}

function cellsOf(row: Row): string[][] {
  const first = [row.work, shortNumber(row.gatehouse), figure(row.verdaccio), figure(row.bare), row.unit];
  const goals: readonly (Goal | undefined)[] = row.goals.length === 0 ? [undefined] : row.goals;
  return goals.map((goal, index) => [
    ...(index === 0 ? first : ['', '', '', '', '']),
    goal ? `${goal.wanted} ${goal.against}` : '',
    goal?.reached ?? '',
    goal ? (goal.met ? 'met' : 'MISSED') : '',
  ]);
}

function figure(value: number | undefined): string {
  return value === undefined ? '' : shortNumber(value);
}
