import type { Sqlite, Statement } from './sqlite.ts';

/** A content that waits to be moved to its file. */
export interface FreshTarball {
  readonly sha512: string;
  readonly bytes: Buffer;
}

/** Up to this size a content is committed with its version; a larger one costs more in the database than a file of its own does. */
export const largestFresh = 64 * 1024;

/** Bytes that may wait in the database; uploads beyond that go to their files at once. */
const mostWaiting = 64 * 1024 * 1024;

/**
 * Contents that were committed to the database together with the version that they belong to, and are not in their files yet.
 * A commit is one sync where a file of its own takes two more, and the making of a file.
 */
export class FreshTarballs {
  readonly #put: Statement<[string, Buffer]>;
  readonly #get: Statement<[string], Buffer>;
  readonly #oldest: Statement<[number, number], FreshTarball>;
  readonly #newest: Statement<[], number>;
  readonly #delete: Statement<[string]>;
  readonly #size: Statement<[], number>;
  #waiting: number;
  /** Called when contents wait that did not before; their transaction may still be open. */
  onAdded: () => void = () => undefined;

  constructor(sqlite: Sqlite) {
    this.#put = sqlite.prepare('INSERT INTO fresh_tarballs (sha512, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#get = sqlite.prepare<[string], Buffer>('SELECT bytes FROM fresh_tarballs WHERE sha512 = ?').pluck();
    this.#oldest = sqlite.prepare('SELECT sha512, bytes FROM fresh_tarballs WHERE id <= ? ORDER BY id LIMIT ?');
    this.#newest = sqlite.prepare<[], number>('SELECT coalesce(max(id), 0) FROM fresh_tarballs').pluck();
    this.#delete = sqlite.prepare('DELETE FROM fresh_tarballs WHERE sha512 = ?');
    this.#size = sqlite.prepare<[], number>('SELECT coalesce(sum(length(bytes)), 0) FROM fresh_tarballs').pluck();
    this.#waiting = this.#size.get() ?? 0;
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
    this.#put.run(sha512, bytes);
    this.#waiting += bytes.length;
    this.onAdded();
  }

  read(sha512: string): Buffer | undefined {
    return this.#waiting === 0 ? undefined : this.#get.get(sha512);
  }

  /** Number of the content that came last; later ones have greater numbers. */
  newest(): number {
    return this.#newest.get() ?? 0;
  }

  /** Those that wait longest, up to a number. */
  oldest(upTo: number, limit: number): FreshTarball[] {
    return this.#oldest.all(upTo, limit);
  }

  /** Inside a unit of work, once the files are on disk. */
  delete(contents: readonly FreshTarball[]): void {
    for (const { sha512 } of contents) this.#delete.run(sha512);
  }

  /** Counts anew, as after another state took the place of the present one. */
  recount(): void {
    this.#waiting = this.#size.get() ?? 0;
    if (this.#waiting > 0) this.onAdded();
  }
}
