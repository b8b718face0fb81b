import { randomBytes } from 'node:crypto';
import { watchWrites } from '../late-statement.ts';
import type { WrittenStatement } from '../late-statement.ts';
import type { Sqlite } from '../sqlite.ts';
import { MetaStore } from '../stores/meta-store.ts';
import { headerSize, logSize } from './log-file.ts';
import type { LogFile } from './log-file.ts';
import { putToken, runAgain } from './replay.ts';
import { StatementRecorder } from './statement-log.ts';
import { TransactionControl } from './transaction-control.ts';

/** Milliseconds after which what is held is committed at the latest, and after how many batches. */
const longestHold = 50;
const mostBatches = 64;
/** Milliseconds until a commit that failed is tried again. */
const retryTime = 1000;

/** What a work throws to have its batch run again in such a way that each of its works can be undone by itself. */
export class MustDivide extends Error {}

export interface HeldTransactionOptions {
  readonly sqlite: Sqlite;
  /** Where batches are logged; without one each is committed at once. */
  readonly log?: LogFile | undefined;
  /** Whether another process waits for its turn to write; then nothing is held. */
  readonly isAwaited?: (() => boolean) | undefined;
  /** Called after what SQLite had given up was run again: whatever was read meanwhile lacked it. */
  readonly onRegained?: (() => void) | undefined;
}

/**
 * Makes batches of writes durable, at the least price. A batch whose statements say all that it does is written to the log with one sync and
 * stays in an open transaction, where everybody who reads through this connection sees it; SQLite commits it a little later together with
 * those that came after it, as each of its commits costs some thirty pages. Any other batch is committed at once, and what is held with it.
 * Whatever happens in between, the log has what SQLite has not: a crash, a full disk or a failed commit end with those batches run again.
 */
export class HeldTransaction {
  readonly #sqlite: Sqlite;
  readonly #log: LogFile | undefined;
  readonly #isAwaited: () => boolean;
  readonly #onRegained: () => void;
  readonly #recorder = new StatementRecorder(headerSize, logSize / 2);
  /** Where the token goes; only with a log. */
  readonly #meta: MetaStore | undefined;
  readonly #transaction: TransactionControl;
  #making: Promise<void> | undefined;
  /** Batches that are in the log and not committed. */
  #held = 0;
  /** Whether the token that the log writes is the one in the database. */
  #isTokenKnown = false;
  #isLogGood = true;
  /** Whether there may be something on disk that must not count, in our log or in SQLite's; the next commit takes care of both. */
  #isInDoubt = false;
  /** Whether the last commit failed; until one succeeds nothing more is held. */
  #isStuck = false;
  #isAlone = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ sqlite, log, isAwaited = () => false, onRegained = () => undefined }: HeldTransactionOptions) {
    this.#sqlite = sqlite;
    this.#log = log;
    this.#isAwaited = isAwaited;
    this.#onRegained = onRegained;
    this.#meta = log && new MetaStore(sqlite);
    this.#transaction = new TransactionControl(sqlite);
    if (log) {
      watchWrites(sqlite, {
        // Somebody writes by himself: that must not become part of what is held.
        beforeWrite: () => {
          if (this.#transaction.runner === 'others') this.commit();
        },
        writeDerived: (work) => this.#writeDerived(work),
        wrote: (statement: WrittenStatement, values) => {
          if (this.#transaction.runner === 'loggedBatch') this.#recorder.add(statement, values);
        },
        failed: () => {
          if (this.#transaction.runner === 'others') this.#tryToRegain();
        },
      });
    }
  }

  /** Whether batches are held at present. */
  get isHolding(): boolean {
    return this.#held > 0;
  }

  /**
   * Whether SQLite has given up the transaction with what is held, which could not be run again yet: then reads lack it, and nothing may be
   * concluded from what is not there. It may do so for any statement that fails, also one that only reads.
   */
  get isLost(): boolean {
    return this.#held > 0 && !this.#transaction.isOpen;
  }

  /**
   * Runs a batch and returns when it is on disk. If it throws, nothing of it is left, and its error comes out; earlier batches stand.
   * @param batch may throw `MustDivide` if it is not told to be divided, and is called again then: each of its works can be rolled back by itself
   * @param isReplayable whether the batch changes nothing but through statements, and these mean the same when they are run again
   */
  run(batch: (isDivided: boolean) => void, isReplayable: boolean): void {
    this.#regain();
    const log = isReplayable ? this.#readyLog() : undefined;
    if (!log) {
      this.#runMarked(() => batch(true));
      return;
    }
    try {
      this.#runUnmarked(() => batch(false), log);
    } catch (error) {
      if (!(error instanceof MustDivide)) throw error;
      this.#regain();
      this.#runMarked(() => batch(true));
    }
  }

  /** How many statements of a batch that is to be logged have written so far. */
  get writes(): number {
    return this.#recorder.count;
  }

  /** Commits what is held, if anything is. @throws the error of SQLite; what is held stays safe in the log. */
  commit(): void {
    if (this.#held === 0 && !this.#isInDoubt) return;
    this.#regain();
    try {
      if (this.#held === 0) this.#transaction.run('begin');
      this.#commitAll();
    } catch (error) {
      this.#undoCommit();
      throw error;
    }
  }

  /**
   * Runs `work`, which may put another state in the place of the database's: everything is committed before it, and nothing that was logged
   * goes on from the new state. No batch may be run meanwhile.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    this.commit();
    this.#isAlone = true;
    try {
      return await work();
    } finally {
      this.#isAlone = false;
      this.#isTokenKnown = false;
    }
  }

  /** Commits what is held and takes the log away; if it cannot be committed, the log stays for the next start. */
  async close(): Promise<void> {
    this.#isLogGood = false;
    await this.#making;
    try {
      this.commit();
      this.#log?.remove();
    } catch {
      this.#log?.close();
    }
    clearTimeout(this.#timer);
  }

  #writeDerived(work: () => void): boolean {
    if (this.#isAlone) return false;
    // A batch is reading what it needs; what it writes in passing goes with it.
    const { runner } = this.#transaction;
    if (runner === 'loggedBatch' || runner === 'otherBatch') {
      work();
      return true;
    }
    this.#regain();
    try {
      // A transaction within the one that is held is a savepoint.
      this.#transaction.as('holder', () => this.#sqlite.transaction(work).immediate());
    } catch (error) {
      this.#tryToRegain();
      throw error;
    }
    return true;
  }

  /** The log, if the next batch may go there. */
  #readyLog(): LogFile | undefined {
    const log = this.#log;
    if (!log || !this.#isLogGood || this.#isStuck) return undefined;
    if (!log.isOpen) {
      // Without a log, as on a disk that is nearly full, every batch is committed at once.
      this.#making ??= log.make().catch(() => {
        this.#isLogGood = false;
      });
      return undefined;
    }
    if (!this.#isTokenKnown || (this.#held === 0 && this.#isAwaited())) return undefined;
    return log;
  }

  /** Writes the batch to the log if it can be; it is durable then. If it can't, it must be committed. */
  #logs(log: LogFile): boolean {
    const entry = this.#recorder.written();
    if (!this.#recorder.isComplete || !log.fits(entry.length)) return false;
    try {
      log.append(entry);
    } catch {
      // The commit makes the entry count no more, whether it is on disk or not; and the log is not used again.
      this.#isInDoubt = true;
      this.#isLogGood = false;
      log.spoilNext();
      return false;
    }
    this.#held += 1;
    if (this.#held === mostBatches) this.#commitIn(0);
    else if (!this.#timer) this.#commitIn(longestHold);
    return true;
  }

  #commitAll(): void {
    const log = this.#log?.isOpen ? this.#log : undefined;
    const meta = this.#meta;
    // After one that failed there must be something to write.
    const mustRenew = this.#held > 0 || !this.#isTokenKnown || this.#isInDoubt || this.#isStuck;
    const renews = log !== undefined && mustRenew;
    const token = renews ? randomBytes(16).toString('hex') : undefined;
    try {
      if (token !== undefined && meta) this.#transaction.as('holder', () => putToken(meta, token));
      this.#transaction.run('commit');
    } catch (error) {
      // What a failed commit has left in SQLite's own log must be written over, before anything goes on from the state without it.
      this.#isStuck = true;
      if (log) {
        this.#isInDoubt = true;
        this.#commitIn(retryTime);
      }
      throw error;
    }
    this.#held = 0;
    this.#isStuck = false;
    this.#isInDoubt = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (token === undefined) return;
    log?.restart(token);
    this.#isTokenKnown = true;
  }

  #commitIn(delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#tryToCommit();
    }, delay);
    this.#timer.unref();
  }

  #tryToCommit(): void {
    try {
      this.commit();
    } catch {
      // A full disk, say. The log keeps what is held, and it is tried again.
      this.#commitIn(retryTime);
    }
  }

  /**
   * Runs a batch for the log. No savepoint is kept for it: SQLite would copy every page that changes, and go through those copies with each
   * statement. If it fails after it has written, everything that is not committed is rolled back, and what is held is run again.
   */
  #runUnmarked(batch: () => void, log: LogFile): void {
    if (this.#held === 0) this.#transaction.run('begin');
    try {
      this.#recorder.begin();
      this.#runBatch(batch, 'loggedBatch');
      if (this.writes === 0) this.#endUntouched();
      else if (!this.#logs(log)) this.#commitAll();
    } catch (error) {
      const isIntact = this.#transaction.isOpen && !this.#isStuck;
      if (isIntact && this.writes === 0) this.#endUntouched();
      else if (isIntact && this.#held > 0) this.#goBack(log);
      else this.#undoCommit();
      if (this.#isInDoubt) this.#tryToCommit();
      throw error;
    }
  }

  /** Ends a batch that wrote nothing. */
  #endUntouched(): void {
    if (this.#held === 0) this.#transaction.run('rollback');
  }

  /** Takes a batch out that has written. Nobody reads in between, so nobody need be told. */
  #goBack(log: LogFile): void {
    try {
      this.#transaction.run('rollback');
      this.#runHeldAgain(log);
    } catch {
      this.#undoCommit();
    }
    // Once committed, what is held need not be run again for the next one that fails.
    this.#tryToCommit();
  }

  /** Runs a batch and commits it, with a savepoint that keeps those before it from harm. */
  #runMarked(batch: () => void): void {
    this.#transaction.run(this.#held === 0 ? 'begin' : 'mark');
    try {
      this.#runBatch(batch, 'otherBatch');
      this.#commitAll();
    } catch (error) {
      if (this.#transaction.isOpen && this.#held > 0) {
        this.#transaction.run('backToMark');
        this.#transaction.run('unmark');
      } else this.#undoCommit();
      if (this.#isInDoubt) this.#tryToCommit();
      throw error;
    }
  }

  #runBatch(batch: () => void, runner: 'loggedBatch' | 'otherBatch'): void {
    this.#transaction.as(runner, batch);
    // A work may have passed over the error that ended it all.
    if (!this.#transaction.isOpen) throw new Error('SQLite gave up the transaction.');
  }

  #undoCommit(): void {
    this.#transaction.end();
    this.#tryToRegain();
  }

  /** Runs again what is held, if SQLite gave it up; if that fails, whoever writes next tries again, and the timer. */
  #tryToRegain(): void {
    try {
      this.#regain();
    } catch (error) {
      process.emitWarning(
        `The last publishes are safe in the commit log, but cannot be read for now: ${String(error)}. It is tried again; make room on the disk if it is full.`,
      );
    }
  }

  /** @throws the error of SQLite, as a disk may be full. */
  #regain(): void {
    const log = this.#log;
    if (!this.isLost || !log) return;
    this.#isStuck = true;
    this.#commitIn(retryTime);
    this.#runHeldAgain(log);
    this.#onRegained();
  }

  /** In a new transaction, of which nothing is left if that fails. @throws the error of SQLite or of the log. */
  #runHeldAgain(log: LogFile): void {
    this.#transaction.run('begin');
    try {
      this.#transaction.as('holder', () => runAgain(this.#sqlite, log.entries()));
    } catch (error) {
      this.#transaction.end();
      throw error;
    }
  }
}
