import type { Sqlite, Statement } from './sqlite.ts';

/** Statements whose text differs by the filters in use, each prepared when it is first needed and kept. */
export class StatementCache {
  readonly #sqlite: Sqlite;
  readonly #prepared = new Map<string, Statement<(string | number)[]>>();

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
  }

  prepare(sql: string): Statement<(string | number)[]> {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#sqlite.prepare<(string | number)[]>(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
