import type { Sqlite, Statement } from '../sqlite.ts';
import { MetaStore } from '../stores/meta-store.ts';
import { readRuns } from './statement-log.ts';
import type { LoggedValue } from './statement-log.ts';
import { readEntries } from './log-file.ts';

/** Where the database says which entries of the log go on from its state. */
const tokenKey = 'commit_log';

/** The token of the database's state; undefined if nothing was ever logged, or the state is one that was gone back to. */
export function tokenIn(meta: MetaStore): string | undefined {
  return meta.get(tokenKey);
}

/** Inside the transaction that takes in what was logged before: the log's entries so far count no more once it is committed. */
export function putToken(meta: MetaStore, token: string): void {
  meta.set(tokenKey, token);
}

/** Makes a state into one that no log goes on from. */
export function dropToken(meta: MetaStore): void {
  meta.delete(tokenKey);
}

/** Runs logged statements again, inside a transaction, on the state that they ran on. @returns how many entries there were. */
export function runAgain(sqlite: Sqlite, entries: Iterable<Buffer>): number {
  const prepared = new Map<string, Statement<LoggedValue[]>>();
  let count = 0;
  for (const entry of entries) {
    for (const { sql, values } of readRuns(entry)) {
      let statement = prepared.get(sql);
      if (!statement) prepared.set(sql, (statement = sqlite.prepare<LoggedValue[]>(sql)));
      // What answers rows (RETURNING) is run to its end as well.
      if (statement.reader) statement.all(...values);
      else statement.run(...values);
    }
    count += 1;
  }
  return count;
}

/**
 * Takes in what a server that was killed had logged and not yet committed; before migrations, as the statements are those of the version that
 * wrote them. The log is left as it is, and counts no more.
 * @returns how many entries there were
 * @throws the error of SQLite if one of them cannot be run again; then nothing is changed
 */
export function takeInLeftLog(sqlite: Sqlite, file: string): number {
  const hasMeta = sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'meta'`).get() !== undefined;
  if (!hasMeta) return 0;
  const meta = new MetaStore(sqlite);
  const token = tokenIn(meta);
  if (token === undefined) return 0;
  return sqlite
    .transaction(() => {
      const count = runAgain(sqlite, readEntries(file, token));
      if (count > 0) dropToken(meta);
      return count;
    })
    .immediate();
}
