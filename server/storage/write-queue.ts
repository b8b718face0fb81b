import type { EventPayload, EventTopic } from '../contract/events.ts';
import type { AuditEntry, Change, UnitOfWork } from '../directory/change.ts';
import type { Sqlite } from './sqlite.ts';

/** An announcement that waits for its commit. */
export type Announcement = { [T in EventTopic]: { topic: T; payload: EventPayload<T> } }[EventTopic];

interface Waiting {
  readonly work: (change: Change) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriteQueueOptions {
  readonly sqlite: Sqlite;
  readonly recordAudit: (at: number, entry: AuditEntry) => void;
  /** Called after the commit, in the order of the changes, before the promises resolve. */
  readonly announce: (announcement: Announcement) => void;
  readonly clock?: () => number;
}

/**
 * All writes of a server, one after another on the event loop. Whatever waits when a turn comes shares one transaction, hence one
 * fsync: under load that is many times the throughput of one commit each, while every answer still waits for its own data to be
 * on disk. Each work runs in a savepoint, so a refused one leaves its neighbours alone.
 */
export class WriteQueue implements UnitOfWork {
  readonly #options: WriteQueueOptions;
  readonly #clock: () => number;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
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
    this.#begin = sqlite.prepare('BEGIN IMMEDIATE');
    this.#commit = sqlite.prepare('COMMIT');
    this.#rollback = sqlite.prepare('ROLLBACK');
    this.#savepoint = sqlite.prepare('SAVEPOINT work');
    this.#release = sqlite.prepare('RELEASE work');
    this.#undo = sqlite.prepare('ROLLBACK TO work');
  }

  write<T>(work: (change: Change) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  /**
   * Runs `work` while no write happens: those that come meanwhile wait for its end. For the one change that no transaction of this
   * connection can make, putting another state in the place of the whole database.
   */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#paused) throw new Error('Two works cannot both be alone.');
    this.#paused = true;
    try {
      return await work();
    } finally {
      this.#paused = false;
      if (this.#waiting.length > 0) this.#schedule();
    }
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#scheduled || this.#waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
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
    const settled: (() => void)[] = [];
    const announcements: Announcement[] = [];
    try {
      this.#begin.run();
      const [only] = batch;
      // One alone needs no savepoint: the transaction is its own.
      if (only && batch.length === 1) settled.push(this.#run(only, now, announcements));
      else for (const waiting of batch) settled.push(this.#attempt(waiting, now, announcements));
      this.#commit.run();
    } catch (error) {
      if (this.#options.sqlite.inTransaction) this.#rollback.run();
      for (const waiting of batch) waiting.reject(error);
      return;
    }
    for (const announcement of announcements) this.#options.announce(announcement);
    for (const settle of settled) settle();
  }

  /** Runs one work in its savepoint; answers how to settle its promise once the commit stands. */
  #attempt(waiting: Waiting, now: number, announcements: Announcement[]): () => void {
    const own: Announcement[] = [];
    this.#savepoint.run();
    try {
      const settle = this.#run(waiting, now, own);
      this.#release.run();
      announcements.push(...own);
      return settle;
    } catch (error) {
      // A full disk or an I/O error may have ended the transaction as a whole; then nothing of the batch can stand.
      if (!this.#options.sqlite.inTransaction) throw error;
      this.#undo.run();
      this.#release.run();
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
