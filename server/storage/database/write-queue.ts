import type { EventPayload, EventTopic } from '../../contract/events.ts';
import { confirmationOfWrite, onOwnBehalf } from '../../accounts/access/standing.ts';
import type { AuditEntry, Change, UnitOfWork } from '../../accounts/change.ts';
import { nextTurn } from '../../lib/turns.ts';
import { isSqliteError, type Sqlite } from './sqlite.ts';

/** An event to publish after its commit. */
export type Announcement = { [T in EventTopic]: { topic: T; payload: EventPayload<T> } }[EventTopic];

interface PendingWrite {
  readonly work: (change: Change) => unknown;
  /** Throws if whoever asked for the write may not make it any more. */
  readonly confirm: (() => void) | undefined;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How one write of a batch ended; `settle` resolves or rejects its promise. */
interface Outcome {
  readonly announcements: readonly Announcement[];
  readonly settle: () => void;
}

export interface WriteQueueOptions {
  readonly sqlite: Sqlite;
  readonly recordAudit: (at: number, entry: AuditEntry) => void;
  /** Called after the commit, in the order of the changes, before the promises resolve. */
  readonly announce: (announcement: Announcement) => void;
  readonly clock?: () => number;
  /** Milliseconds for which writes wait while another program is writing to the database. */
  readonly patience?: number;
}

/** Milliseconds for which SQLite itself waits for another program, which holds the event loop. */
const busyTimeout = 10;
/** Milliseconds between two tries. */
const retryInterval = 50;

/**
 * All writes of a server, in order, on the event loop. Writes that are pending at the same moment share one transaction, hence one sync;
 * each still succeeds or fails on its own. Whether a request may still make its write is decided inside the transaction, so nothing
 * comes between that decision and the change.
 */
export class WriteQueue implements UnitOfWork {
  readonly #options: WriteQueueOptions;
  readonly #clock: () => number;
  #conclude: ((announcement: Announcement, change: Change) => void) | undefined;
  readonly #runBatch;
  readonly #withSavepoint;
  #pending: PendingWrite[] = [];
  /** Since when another program keeps these from being written. */
  #busySince: number | undefined;
  #hasBegun = false;
  #isScheduled = false;
  #isPaused = false;

  constructor(options: WriteQueueOptions) {
    const { sqlite } = options;
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    sqlite.pragma(`busy_timeout = ${busyTimeout}`);
    this.#runBatch = sqlite.transaction((batch: readonly PendingWrite[]): Outcome[] => {
      this.#hasBegun = true;
      const now = this.#clock();
      const [only] = batch;
      // A single write needs no savepoint: it is rolled back with the transaction.
      if (only && batch.length === 1) return [this.#run(only, now)];
      return batch.map((write) => this.#attempt(write, now));
    });
    // Inside a transaction this is a savepoint.
    this.#withSavepoint = sqlite.transaction((write: PendingWrite, now: number) => this.#run(write, now));
  }

  write<T>(work: (change: Change) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#pending.push({
        work,
        confirm: confirmationOfWrite(),
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#schedule();
    });
  }

  /** Calls `conclude` inside the transaction with everything that a write is going to announce, so that what follows from a change comes with it. */
  beforeCommit(conclude: (announcement: Announcement, change: Change) => void): void {
    this.#conclude = conclude;
  }

  /**
   * Runs `work` while no write runs; writes that come meanwhile are queued until it ends. For the one change that no transaction of this
   * connection can make: replacing the whole database.
   */
  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isPaused) throw new Error('Another exclusive work is running.');
    this.#isPaused = true;
    try {
      return await work();
    } finally {
      this.#isPaused = false;
      if (this.#pending.length > 0) this.#schedule();
    }
  }

  /** Resolves when no write is pending. */
  async idle(): Promise<void> {
    while (this.#isScheduled || this.#pending.length > 0) await nextTurn();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    // A batch holds the writes of many requests, and what hears of them acts for none of these.
    onOwnBehalf(() => setImmediate(() => this.#flush()));
  }

  #flush(): void {
    this.#isScheduled = false;
    if (this.#isPaused || this.#pending.length === 0) return;
    const batch = this.#pending;
    this.#pending = [];
    let outcomes: Outcome[];
    this.#hasBegun = false;
    try {
      outcomes = this.#runBatch.immediate(batch);
    } catch (error) {
      if (this.#mayRetry(error)) {
        this.#pending = [...batch, ...this.#pending];
        this.#isScheduled = true;
        onOwnBehalf(() => setTimeout(() => this.#flush(), retryInterval));
        return;
      }
      this.#busySince = undefined;
      for (const { reject } of batch) reject(error);
      return;
    }
    this.#busySince = undefined;
    for (const { announcements } of outcomes) announcements.forEach(this.#options.announce);
    for (const { settle } of outcomes) settle();
  }

  /** Whether nothing was done yet, since another program writes, and that has not lasted long. */
  #mayRetry(error: unknown): boolean {
    if (this.#hasBegun || !isSqliteError(error, 'SQLITE_BUSY')) return false;
    const now = performance.now();
    this.#busySince ??= now;
    return now - this.#busySince < (this.#options.patience ?? 5000);
  }

  /** @throws the error of a write that ended the whole transaction, as a full disk does. */
  #attempt(write: PendingWrite, now: number): Outcome {
    try {
      return this.#withSavepoint(write, now);
    } catch (error) {
      if (!this.#options.sqlite.inTransaction) throw error;
      return { announcements: [], settle: () => write.reject(error) };
    }
  }

  #run({ work, confirm, resolve }: PendingWrite, now: number): Outcome {
    const announcements: Announcement[] = [];
    confirm?.();
    const change: Change = {
      now,
      record: (entry) => this.#options.recordAudit(now, entry),
      emit: (topic, payload) => announcements.push({ topic, payload } as Announcement),
    };
    const value = work(change);
    if (this.#conclude) for (const announcement of announcements) this.#conclude(announcement, change);
    // A work may have caught the error that made SQLite end the transaction; the next write would then commit by itself.
    if (!this.#options.sqlite.inTransaction) throw new Error('SQLite ended the transaction.');
    return { announcements, settle: () => resolve(value) };
  }
}
