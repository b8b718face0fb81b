import { readFileSync } from 'node:fs';
import { GatehouseError } from '../contract/errors.ts';

/**
 * The text of a file that a person named; `-` is the standard input.
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
