import type BetterSqlite3 from 'better-sqlite3';

type Prepared = BetterSqlite3.Statement<unknown[]>;

/** The part of a statement that the stores use. */
type StatementMethods = Pick<Prepared, 'get' | 'all' | 'run' | 'iterate' | 'pluck' | 'reader'>;

/** A statement as a watcher sees it. */
export interface WrittenStatement {
  readonly sql: string;
}

/** Told of every statement of a database that may change it. */
export interface WriteWatcher {
  /** The statement is about to run. */
  beforeWrite(): void;
  /** A statement failed, whatever it was to do. */
  failed(): void;
  /** As the function of this name. */
  writeDerived(work: () => void): boolean;
  /** The statement ran without an error. */
  wrote(statement: WrittenStatement, values: readonly unknown[]): void;
}

/** Where a watcher is put once there is one. */
interface Watch {
  watcher: WriteWatcher | undefined;
}

const watches = new WeakMap<BetterSqlite3.Database, Watch>();

/** A statement that is prepared when it first runs. What is wrong with its text shows then, and not before. */
class LateStatement implements StatementMethods, WrittenStatement {
  readonly sql: string;
  readonly #prepare: () => Prepared;
  readonly #watch: Watch;
  #prepared: Prepared | undefined;
  #writes = false;
  #plucks = false;

  constructor(sql: string, prepare: () => Prepared, watch: Watch) {
    this.sql = sql;
    this.#prepare = prepare;
    this.#watch = watch;
  }

  get(...values: unknown[]): unknown {
    const prepared = this.#prepared ?? this.#made();
    return this.#watch.watcher ? this.#watched(values, () => prepared.get(...values)) : prepared.get(...values);
  }

  all(...values: unknown[]): unknown[] {
    const prepared = this.#prepared ?? this.#made();
    return this.#watch.watcher ? this.#watched(values, () => prepared.all(...values)) : prepared.all(...values);
  }

  run(...values: unknown[]): BetterSqlite3.RunResult {
    const prepared = this.#prepared ?? this.#made();
    return this.#watch.watcher ? this.#watched(values, () => prepared.run(...values)) : prepared.run(...values);
  }

  iterate(...values: unknown[]): IterableIterator<unknown> {
    const prepared = this.#prepared ?? this.#made();
    // What changes rows and answers them is run to its end, so that nobody can leave it half done.
    return this.#writes ? this.all(...values).values() : prepared.iterate(...values);
  }

  get reader(): boolean {
    return (this.#prepared ?? this.#made()).reader;
  }

  pluck(toggle = true): Prepared {
    this.#plucks = toggle;
    this.#prepared?.pluck(toggle);
    return this as unknown as Prepared;
  }

  #watched<T>(values: unknown[], run: () => T): T {
    const { watcher } = this.#watch;
    if (this.#writes) watcher?.beforeWrite();
    let result: T;
    try {
      result = run();
    } catch (error) {
      watcher?.failed();
      throw error;
    }
    if (this.#writes) watcher?.wrote(this, values);
    return result;
  }

  #made(): Prepared {
    this.#prepared = this.#prepare();
    this.#writes = !this.#prepared.readonly;
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
  const watch: Watch = { watcher: undefined };
  watches.set(sqlite, watch);
  Object.assign(sqlite, { prepare: (sql: string) => new LateStatement(sql, () => prepare(sql), watch) });
}

/** From now on `watcher` is told of what the statements of a database write; there can be one, and only where statements are prepared late. */
export function watchWrites(sqlite: BetterSqlite3.Database, watcher: WriteWatcher): void {
  const watch = watches.get(sqlite);
  if (!watch || watch.watcher) throw new Error('The writes of this database cannot be watched.');
  watch.watcher = watcher;
}

/**
 * Writes what is derived from other rows and can be derived again: inside the transaction that is held open, if one is, else in one of its own. A
 * crash may take it back together with the note that it is due.
 * @returns false, having done nothing, while another state takes the place of the whole database: a transaction would wait for the end of that,
 *   and the end for it
 */
export function writeDerived(sqlite: BetterSqlite3.Database, work: () => void): boolean {
  const watcher = watches.get(sqlite)?.watcher;
  if (watcher) return watcher.writeDerived(work);
  if (sqlite.inTransaction) work();
  else sqlite.transaction(work).immediate();
  return true;
}
