import type BetterSqlite3 from 'better-sqlite3';

type Prepared = BetterSqlite3.Statement<unknown[]>;

/** The part of a statement that the stores use. */
type StatementMethods = Pick<Prepared, 'get' | 'all' | 'run' | 'iterate' | 'pluck'>;

/** A statement that is prepared when it first runs. What is wrong with its text shows then, and not before. */
class LateStatement implements StatementMethods {
  readonly #prepare: () => Prepared;
  #prepared: Prepared | undefined;
  #plucks = false;

  constructor(prepare: () => Prepared) {
    this.#prepare = prepare;
  }

  get(...values: unknown[]): unknown {
    return (this.#prepared ?? this.#made()).get(...values);
  }

  all(...values: unknown[]): unknown[] {
    return (this.#prepared ?? this.#made()).all(...values);
  }

  run(...values: unknown[]): BetterSqlite3.RunResult {
    return (this.#prepared ?? this.#made()).run(...values);
  }

  iterate(...values: unknown[]): IterableIterator<unknown> {
    return (this.#prepared ?? this.#made()).iterate(...values);
  }

  pluck(toggle = true): Prepared {
    this.#plucks = toggle;
    this.#prepared?.pluck(toggle);
    return this as unknown as Prepared;
  }

  #made(): Prepared {
    this.#prepared = this.#prepare();
    if (this.#plucks) this.#prepared.pluck();
    return this.#prepared;
  }
}

/**
 * Lets a database prepare its statements when they first run: the stores have some two hundred, of which a server that starts runs
 * twenty and most servers never run half.
 */
export function prepareLate(sqlite: BetterSqlite3.Database): void {
  const prepare = sqlite.prepare.bind(sqlite) as (sql: string) => Prepared;
  Object.assign(sqlite, { prepare: (sql: string) => new LateStatement(() => prepare(sql)) });
}
