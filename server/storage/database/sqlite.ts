import BetterSqlite3 from 'better-sqlite3';

export type Sqlite = BetterSqlite3.Database;
export type Statement<Args extends unknown[], Row = unknown> = BetterSqlite3.Statement<Args, Row>;

/**
 * Opens the database file of a data folder (made if missing) the way that the rest of the store relies on: WAL, a commit that has
 * returned is on disk, and foreign keys are enforced.
 */
export function openSqlite(file: string): Sqlite {
  const sqlite = new BetterSqlite3(file);
  const prepare = sqlite.prepare.bind(sqlite);
  Object.assign(sqlite, { prepare: (text: string) => prepare(withStablePlan(text)) });
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  // On macOS a plain sync leaves data in the memory of the disk; Node's own syncs do not, and the order between the two matters.
  sqlite.pragma('fullfsync = ON');
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('busy_timeout = 5000');
  sqlite.pragma('cache_size = -32768');
  sqlite.pragma('temp_store = MEMORY');
  // Pages that change with every publish are copied once per checkpoint; yet a small log is soon written over, which is faster to sync than
  // one that grows.
  sqlite.pragma('wal_autocheckpoint = 4000');
  return sqlite;
}

/**
 * A statement that SQLite compiles once. better-sqlite3 forgets what was bound after each run, and SQLite compiles again then what may have a better
 * plan for other values: each SELECT with `= ?` that has a JOIN or an ORDER BY, for ten times what running it takes. It does not look behind a sign.
 */
function withStablePlan(text: string): string {
  return text.replaceAll(/= (?=[?:])/g, '= +');
}

/**
 * Prepares each text once, when it first runs. A statement that is dropped keeps its memory until V8 happens to collect it, so texts must come
 * from a small set: nothing that grows with a request may be part of one.
 */
export function preparedOnce(sqlite: Sqlite): <Row>(text: string) => Statement<unknown[], Row> {
  const statements = new Map<string, Statement<unknown[]>>();
  return <Row>(text: string) => {
    const statement = statements.get(text) ?? sqlite.prepare<unknown[]>(text);
    statements.set(text, statement);
    return statement as Statement<unknown[], Row>;
  };
}

/** Whether `error` is SQLite's own, with a code such as `SQLITE_FULL` or `SQLITE_CORRUPT_VTAB`. */
export function isSqliteError(error: unknown, codePrefix = 'SQLITE_'): error is Error & { code: string } {
  return error instanceof BetterSqlite3.SqliteError && error.code.startsWith(codePrefix);
}
