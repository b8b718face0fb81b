import type { Sqlite, Statement } from '../database/sqlite.ts';

/** A content that waits to be moved to its file. */
export interface FreshTarball {
  readonly id: number;
  readonly sha512: string;
  readonly bytes: Buffer;
}

/** Up to this size a content is committed with its version; a larger one costs more in the database than a file of its own does. */
export const largestFresh = 64 * 1024;

/** Bytes that may wait in the database; uploads beyond that go to their files at once. */
const mostWaiting = 128 * 1024 * 1024;

/**
 * Contents that were committed to the database together with the version that they belong to, and are not in their files yet.
 * A commit is one sync where a file of its own takes two more, and the making of a file.
 */
export class FreshTarballs {
  readonly #put: Statement<[string, Buffer]>;
  readonly #get: Statement<[number, string], Buffer>;
  readonly #oldest: Statement<[number, number], FreshTarball>;
  readonly #delete: Statement<[number, string]>;
  readonly #all: Statement<[], { id: number; sha512: string; size: number }>;
  /** Where a content is likely to wait. What was rolled back stays until the next `recount`, and is found to be no longer there. */
  #ids = new Map<string, number>();
  #waiting = 0;
  #newest = 0;
  /** Called when contents wait that did not before; their transaction may still be open. */
  onAdded: () => void = () => undefined;

  constructor(sqlite: Sqlite) {
    this.#put = sqlite.prepare('INSERT INTO fresh_tarballs (sha512, bytes) VALUES (?, ?)');
    this.#get = sqlite
      .prepare<[number, string], Buffer>('SELECT bytes FROM fresh_tarballs WHERE id = ? AND sha512 = ?')
      .pluck();
    this.#oldest = sqlite.prepare('SELECT id, sha512, bytes FROM fresh_tarballs WHERE id <= ? ORDER BY id LIMIT ?');
    this.#delete = sqlite.prepare('DELETE FROM fresh_tarballs WHERE id = ? AND sha512 = ?');
    this.#all = sqlite.prepare('SELECT id, sha512, length(bytes) AS size FROM fresh_tarballs');
    this.recount();
  }

  /** About how many bytes wait; what was rolled back counts until the next `recount`. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Whether another content may wait here. */
  takes(size: number): boolean {
    return size <= largestFresh && this.#waiting + size <= mostWaiting;
  }

  /** Inside the unit of work that refers to the content. */
  put(sha512: string, bytes: Buffer): void {
    // One that waits is left alone, so that a rollback of this unit cannot take the way to it.
    if (this.read(sha512)) return;
    this.#newest = Number(this.#put.run(sha512, bytes).lastInsertRowid);
    this.#ids.set(sha512, this.#newest);
    this.#waiting += bytes.length;
    this.onAdded();
  }

  read(sha512: string): Buffer | undefined {
    const id = this.#ids.get(sha512);
    return id === undefined ? undefined : this.#get.get(id, sha512);
  }

  /** Number of the content that came last; those that come later have greater ones, unless nothing waited. */
  newest(): number {
    return this.#newest;
  }

  /** Those that wait longest, up to a number. */
  oldest(upTo: number, limit: number): FreshTarball[] {
    return this.#oldest.all(upTo, limit);
  }

  /** Inside a unit of work, once the files are on disk. */
  delete(contents: readonly FreshTarball[]): void {
    for (const { id, sha512 } of contents) this.#delete.run(id, sha512);
  }

  /** Finds out anew what waits, as after another state took the place of the present one. */
  recount(): void {
    const ids = new Map<string, number>();
    let waiting = 0;
    let newest = 0;
    for (const { id, sha512, size } of this.#all.iterate()) {
      ids.set(sha512, id);
      newest = Math.max(newest, id);
      waiting += size;
    }
    this.#ids = ids;
    this.#waiting = waiting;
    this.#newest = newest;
    if (waiting > 0) this.onAdded();
  }
}
