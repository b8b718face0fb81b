import type { Sqlite } from './sqlite.ts';

/** Milliseconds between two looks. A look costs a few microseconds. */
const interval = 1000;

/**
 * Calls `onChange` after another process has changed the database: the `gatehouse` command works on a data folder that a server has
 * open, and what the server remembers must not outlive that.
 * @returns a function that ends the watch.
 */
export function watchOutsideChanges(sqlite: Sqlite, onChange: () => void): () => void {
  // SQLite counts here the commits of other connections, never our own.
  const version = () => sqlite.pragma('data_version', { simple: true });
  let known = version();
  const timer = setInterval(() => {
    const current = version();
    if (current === known) return;
    known = current;
    onChange();
  }, interval);
  timer.unref();
  return () => clearInterval(timer);
}
