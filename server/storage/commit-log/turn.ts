import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file by which a command that works beside a server asks it to let others write. */
const turnName = 'gatehouse.turn';
/** Milliseconds after which a request is taken to be left behind by a command that was killed. */
const longest = 30_000;

/**
 * Asks the server that has this data folder to hold no transaction open while a command writes beside it.
 * @returns what takes the request back
 */
export function askForTurn(folder: string): () => void {
  const file = join(folder, turnName);
  writeFileSync(file, '', { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Whether a command asks for its turn. A look costs a few microseconds. */
export function isTurnAsked(folder: string): boolean {
  const found = statSync(join(folder, turnName), { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < longest;
}
