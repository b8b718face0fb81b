import type { Sqlite, Statement } from '../sqlite.ts';

/** What begins, ends and divides a transaction; those of a batch are called marks here. */
type ControlStatement = 'begin' | 'commit' | 'rollback' | 'mark' | 'unmark' | 'backToMark';

/** Whose statements run: those of a batch that is logged or is not, those of whoever holds the transaction, or anybody's. */
type Runner = 'loggedBatch' | 'otherBatch' | 'holder' | 'others';

/** The transaction of a connection, and who writes in it at present. */
export class TransactionControl {
  readonly #sqlite: Sqlite;
  readonly #statements: Readonly<Record<ControlStatement, Statement<[]>>>;
  #runner: Runner = 'others';

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#statements = {
      begin: sqlite.prepare<[]>('BEGIN IMMEDIATE'),
      commit: sqlite.prepare<[]>('COMMIT'),
      rollback: sqlite.prepare<[]>('ROLLBACK'),
      mark: sqlite.prepare<[]>('SAVEPOINT batch'),
      unmark: sqlite.prepare<[]>('RELEASE batch'),
      backToMark: sqlite.prepare<[]>('ROLLBACK TO batch'),
    };
  }

  /** SQLite may end one by itself. */
  get isOpen(): boolean {
    return this.#sqlite.inTransaction;
  }

  get runner(): Runner {
    return this.#runner;
  }

  /** One that fails is dealt with by whoever calls this, not as a statement of somebody else. @throws the error of SQLite. */
  run(statement: ControlStatement): void {
    this.as('holder', () => this.#statements[statement].run());
  }

  /** Leaves nothing of it, if one is open. */
  end(): void {
    if (this.isOpen) this.run('rollback');
  }

  /** Statements that run in `work` are those of `who`. */
  as(who: Runner, work: () => unknown): void {
    const before = this.#runner;
    this.#runner = who;
    try {
      work();
    } finally {
      this.#runner = before;
    }
  }
}
