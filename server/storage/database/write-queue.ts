import type { EventPayload, EventTopic } from '../../contract/events.ts';
import type { AuditEntry, Change, UnitOfWork, WriteOptions } from '../../accounts/change.ts';
import { nextTurn } from '../../lib/next-turn.ts';
import { HeldTransaction, MustDivide } from './commit-log/held-transaction.ts';
import type { HeldTransactionOptions } from './commit-log/held-transaction.ts';

/** An announcement that waits for its commit. */
export type Announcement = { [T in EventTopic]: { topic: T; payload: EventPayload<T> } }[EventTopic];

interface Waiting {
  readonly work: (change: Change) => unknown;
  readonly isReplayable: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriteQueueOptions extends HeldTransactionOptions {
  readonly recordAudit: (at: number, entry: AuditEntry) => void;
  /** Called after the commit, in the order of the changes, before the promises resolve. */
  readonly announce: (announcement: Announcement) => void;
  readonly clock?: () => number;
}

/**
 * All writes of a server, one after another on the event loop. Whatever waits when a turn comes shares one batch, hence one fsync: under load
 * that is many times the throughput of one each, while every answer still waits for its own data to be on disk (how it gets there:
 * `HeldTransaction`). A refused work leaves its neighbours alone.
 */
export class WriteQueue implements UnitOfWork {
  readonly #options: WriteQueueOptions;
  readonly #clock: () => number;
  readonly #transaction: HeldTransaction;
  readonly #savepoint;
  readonly #release;
  readonly #undo;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #paused = false;

  constructor(options: WriteQueueOptions) {
    const { sqlite } = options;
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
    this.#transaction = new HeldTransaction(options);
    this.#savepoint = sqlite.prepare('SAVEPOINT work');
    this.#release = sqlite.prepare('RELEASE work');
    this.#undo = sqlite.prepare('ROLLBACK TO work');
  }

  write<T>(work: (change: Change) => T, { isReplayable = false }: WriteOptions = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, isReplayable, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /**
   * Runs `work` while no write happens and everything is committed: those that come meanwhile wait for its end. For the one change that no
   * transaction of this connection can make, putting another state in the place of the whole database.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#paused) throw new Error('Two works cannot both be alone.');
    this.#paused = true;
    try {
      return await this.#transaction.alone(work);
    } finally {
      this.#paused = false;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#scheduled || this.#waiting.length > 0) await nextTurn();
  }

  /** Whether reads lack what was acknowledged, as SQLite gave it up and could not be given it again yet. */
  get isLost(): boolean {
    return this.#transaction.isLost;
  }

  /** Commits what is done, so that other connections to the database see it too. @throws the error of SQLite. */
  settle(): void {
    this.#transaction.commit();
  }

  /** Writes everything that waits, and ends; nothing may be written after it. */
  async close(): Promise<void> {
    await this.idle();
    await this.#transaction.close();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    if (this.#paused) return;
    const batch = this.#waiting;
    this.#waiting = [];
    const now = this.#clock();
    let settled: (() => void)[] = [];
    let announcements: Announcement[] = [];
    try {
      this.#transaction.run(
        (isDivided) => {
          settled = [];
          announcements = [];
          const [only] = batch;
          // One alone stands or falls with the batch.
          if (only && batch.length === 1) settled.push(this.#run(only, now, announcements));
          else for (const waiting of batch) settled.push(this.#attempt(waiting, now, announcements, isDivided));
        },
        batch.every(({ isReplayable }) => isReplayable),
      );
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    for (const announcement of announcements) this.#options.announce(announcement);
    for (const settle of settled) settle();
  }

  /**
   * Runs one work of several; answers how to settle its promise once the commit stands.
   * @throws MustDivide if it failed after it had written, and there is no savepoint to go back to
   */
  #attempt(waiting: Waiting, now: number, announcements: Announcement[], isDivided: boolean): () => void {
    const own: Announcement[] = [];
    const writesBefore = this.#transaction.writes;
    if (isDivided) this.#savepoint.run();
    try {
      const settle = this.#run(waiting, now, own);
      if (isDivided) this.#release.run();
      announcements.push(...own);
      return settle;
    } catch (error) {
      // A full disk or an I/O error may have ended the transaction as a whole; then nothing of the batch can stand.
      if (!this.#options.sqlite.inTransaction) throw error;
      if (isDivided) {
        this.#undo.run();
        this.#release.run();
      } else if (this.#transaction.writes > writesBefore)
        throw new MustDivide('A work failed halfway.', { cause: error });
      return () => waiting.reject(error);
    }
  }

  #run(waiting: Waiting, now: number, announcements: Announcement[]): () => void {
    const value = waiting.work({
      now,
      record: (entry) => this.#options.recordAudit(now, entry),
      emit: (topic, payload) => announcements.push({ topic, payload } as Announcement),
    });
    return () => waiting.resolve(value);
  }
}
