import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { GatehouseError } from '../contract/errors.ts';

/** Writes a line to standard output. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Writes a remark to standard error, which scripts that read standard output do not see. */
export function remark(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Writes a value as JSON. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
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
