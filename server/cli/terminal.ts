import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { GatehouseError } from '../contract/errors.ts';
import { escapeControls, hideControls, printable } from '../contract/printable.ts';

/* All that the command line writes passes here: what comes from outside may neither steer the terminal nor make lines of its own. */

/** Writes a line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${printable(line)}\n`);
}

/** Writes a remark to standard error, which scripts that read standard output do not see. */
export function remark(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Writes a text that has its own lines, to standard output or as an error. */
export function printText(text: string, stream: 'stdout' | 'stderr' = 'stdout'): void {
  process[stream].write(hideControls(text));
}

/** Writes a value as JSON. @param indent spaces for each level; 0 for one line */
export function printJson(value: unknown, indent = 2): void {
  process.stdout.write(`${escapeControls(JSON.stringify(value, null, indent))}\n`);
}

let progressWidth = 0;
let lastLine = '';

/** Writes over the former progress, on a terminal only; an empty text removes it. The app asks for lines instead (`GATEHOUSE_PROGRESS`). */
export function showProgress(text: string): void {
  const line = printable(text);
  if (process.env['GATEHOUSE_PROGRESS'] === 'lines') {
    if (line !== '' && line !== lastLine) process.stderr.write(`progress: ${line}\n`);
    lastLine = line;
    return;
  }
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r${line.padEnd(progressWidth)}${line === '' ? '\r' : ''}`);
  progressWidth = line.length;
}

/** Shows how far a step of a job is; `total` is 0 while it is unknown. */
export function showStep(phase: string, done: number, total: number): void {
  showProgress(total > 0 ? `${phase} ${Math.floor((100 * done) / total)} %` : phase);
}

/** "1 package", "2 packages". */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Rows as aligned columns. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * The text of a file; `-` is the standard input.
 * @throws GatehouseError `not_found` with the reason.
 */
export function readInput(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    const name = file === '-' ? 'The standard input' : file;
    throw new GatehouseError(
      'not_found',
      `${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** A parser of whole numbers from `least` to `most` for an option or argument; `complaint` is shown for anything else. */
export function wholeNumber(least: number, most: number, complaint: string): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= least && number <= most) return number;
    throw new InvalidArgumentError(complaint);
  };
}
