import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file by which a command that works beside a server asks it to let others write. */
const turnName = 'gatehouse.turn';
/** Milliseconds after which a request is taken to be left behind by a command that was killed, and after which it is made again. */
const longest = 10_000;
const refreshTime = 1000;

/**
 * Asks the server that has this data folder to hold no transaction open while a command writes beside it. Several commands may ask at once: if
 * the first one to end takes the request back, the others make it again.
 * @returns what takes the request back
 */
export function askForTurn(folder: string): () => void {
  const file = join(folder, turnName);
  const ask = (): void => writeFileSync(file, '', { mode: 0o600 });
  ask();
  const timer = setInterval(ask, refreshTime).unref();
  return () => {
    clearInterval(timer);
    rmSync(file, { force: true });
  };
}

/** Whether a command asks for its turn. A look costs a few microseconds. */
export function isTurnAsked(folder: string): boolean {
  try {
    const found = statSync(join(folder, turnName), { throwIfNoEntry: false });
    return found !== undefined && Math.abs(Date.now() - found.mtimeMs) < longest;
  } catch {
    return true;
  }
}
