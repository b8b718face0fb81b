import type { Sqlite, Statement } from '../database/sqlite.ts';

/** A column that refers to contents. */
export interface ReferringColumn {
  readonly table: string;
  readonly column: string;
}

/** Every column with a foreign key to `tarballs`. */
export function referringColumns(sqlite: Sqlite): ReferringColumn[] {
  const tables = sqlite
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .pluck()
    .all();
  return tables.flatMap((table) =>
    (sqlite.pragma(`foreign_key_list("${table}")`) as { table: string; from: string }[])
      .filter((key) => key.table === 'tarballs')
      .map((key) => ({ table, column: key.from })),
  );
}

/** SQL that holds where a row of `tarballs` is in use: some row of some table refers to it by a foreign key. */
export function referenceCondition(sqlite: Sqlite, sha512: string): string {
  const conditions = referringColumns(sqlite).map(
    ({ table, column }) => `EXISTS (SELECT 1 FROM "${table}" WHERE "${column}" = ${sha512})`,
  );
  return conditions.length === 0 ? '0' : conditions.join(' OR ');
}

/**
 * Which tarballs anything in the database refers to. The tables are found by their foreign keys to `tarballs`, so a table that
 * a later migration adds holds its tarballs without being named here.
 */
export class TarballReferences {
  readonly #isUsed: Statement<[string], number>;
  readonly #hasRow: Statement<[string], number>;
  readonly #deleteUnused: Statement<[number]>;

  constructor(sqlite: Sqlite) {
    this.#isUsed = sqlite
      .prepare<[string], number>(
        `SELECT ${referenceCondition(sqlite, 'wanted.sha512')} FROM (SELECT ? AS sha512) wanted`,
      )
      .pluck();
    this.#hasRow = sqlite.prepare<[string], number>('SELECT 1 FROM tarballs WHERE sha512 = ?').pluck();
    this.#deleteUnused = sqlite.prepare<[number]>(
      `DELETE FROM tarballs WHERE sha512 IN (
         SELECT sha512 FROM tarballs t WHERE NOT (${referenceCondition(sqlite, 't.sha512')}) LIMIT ?)`,
    );
  }

  isUsed(sha512: string): boolean {
    return this.#isUsed.get(sha512) === 1;
  }

  /** Whether the database has, or had until its next sweep, a use for this content. */
  hasRow(sha512: string): boolean {
    return this.#hasRow.get(sha512) === 1;
  }

  /** Deletes rows of tarballs that nothing refers to, at most `limit`; returns how many. For a unit of work. */
  deleteUnusedRows(limit: number): number {
    return this.#deleteUnused.run(limit).changes;
  }
}
