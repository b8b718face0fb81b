import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { z } from 'zod';
import { GatehouseError } from '../../contract/errors.ts';
import { snapshotName } from '../../contract/maintenance.ts';
import type { Snapshot } from '../../contract/maintenance.ts';
import type { OnProgress } from './job-list.ts';
import { copyDatabase, countPackages } from '../database/database-copy.ts';
import { syncFile, syncFolder } from '../../lib/durable.ts';
import type { Sqlite, Statement } from '../database/sqlite.ts';

/** The content of `snapshot.json`. */
const snapshotFacts = z.object({
  createdAt: z.int(),
  packages: z.int(),
  versions: z.int(),
  automatic: z.boolean(),
});

interface Opened {
  readonly sqlite: Sqlite;
  readonly holds: Statement<[string], number>;
}

/**
 * Named states of the data folder: `snapshots/NAME/` with a copy of the database. Tarballs are not copied; those of a snapshot count as
 * referenced (`holds`).
 */
export class Snapshots {
  readonly #root: string;
  readonly #databaseFile: string;
  readonly #opened = new Map<string, Opened>();

  constructor(root: string, databaseFile: string) {
    this.#root = root;
    this.#databaseFile = databaseFile;
  }

  /** Newest first. Unreadable ones are left out. */
  list(): Snapshot[] {
    return this.names()
      .flatMap((name) => {
        const found = this.#read(name);
        return found ? [found] : [];
      })
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.name < b.name ? -1 : 1));
  }

  /** Names of all snapshots, damaged ones included. */
  names(): string[] {
    if (!existsSync(this.#root)) return [];
    return readdirSync(this.#root).filter(
      (name) => snapshotName.safeParse(name).success && existsSync(join(this.#root, name, 'gatehouse.db')),
    );
  }

  /**
   * Saves the present state under a name. No tarball may be deleted meanwhile.
   * @throws GatehouseError `conflict` if there is one of that name.
   */
  async create(
    name: string,
    { automatic, onProgress }: { readonly automatic: boolean; readonly onProgress: OnProgress },
  ): Promise<void> {
    const folder = join(this.#root, name);
    if (this.#isTaken(name)) {
      throw new GatehouseError(
        'conflict',
        `There is a snapshot "${name}" already. Delete it first, or choose another name.`,
      );
    }
    // No snapshot is named with a leading dot, so the leftover of a crash does not count as one.
    const partial = join(this.#root, `.making-${name}`);
    await rm(partial, { recursive: true, force: true });
    await mkdir(partial, { recursive: true, mode: 0o700 });
    try {
      const file = join(partial, 'gatehouse.db');
      await copyDatabase(this.#databaseFile, file, ({ done, total }) =>
        onProgress('Copying the database', done, total),
      );
      const counts = countPackages(file);
      await writeFile(join(partial, 'snapshot.json'), JSON.stringify({ createdAt: Date.now(), automatic, ...counts }), {
        mode: 0o600,
      });
      await syncFile(join(partial, 'snapshot.json'));
      await syncFolder(partial);
      await rename(partial, folder);
      await syncFolder(this.#root);
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      throw error;
    }
  }

  /** The database of a snapshot. @throws GatehouseError `not_found`. */
  fileOf(name: string): string {
    const file = join(this.#root, name, 'gatehouse.db');
    if (snapshotName.safeParse(name).success && existsSync(file)) return file;
    const known = this.list().map((snapshot) => snapshot.name);
    throw new GatehouseError(
      'not_found',
      `There is no snapshot "${name.slice(0, 64)}". ${known.length === 0 ? 'None was made yet.' : `There are: ${known.join(', ')}.`}`,
    );
  }

  /** Deletes a snapshot; returns the contents that it referred to, as far as it can be read. @throws GatehouseError `not_found`. */
  async drop(name: string): Promise<string[]> {
    this.fileOf(name);
    const contents = contentsIn(join(this.#root, name));
    // Renamed first, so that a half deleted snapshot does not count as one.
    const gone = join(this.#root, `.dropping-${name}`);
    await rm(gone, { recursive: true, force: true });
    this.#move(name, gone);
    await rm(gone, { recursive: true, force: true });
    return contents;
  }

  /** Renames a snapshot, replacing one of that name; returns the contents that the replaced one referred to. */
  async replace(from: string, to: string): Promise<string[]> {
    const contents = existsSync(join(this.#root, to)) ? await this.drop(to) : [];
    this.#move(from, join(this.#root, to));
    await syncFolder(this.#root);
    return contents;
  }

  /** In one turn: between the two a sweep would open the snapshot again, and go on asking it under a name that another one gets. */
  #move(name: string, target: string): void {
    this.#close(name);
    renameSync(join(this.#root, name), target);
  }

  /** Whether any snapshot refers to this content. An unreadable one counts as referring to everything. */
  holds(sha512: string): boolean {
    return this.names().some((name) => {
      try {
        return this.#open(name).holds.get(sha512) !== undefined;
      } catch {
        return true;
      }
    });
  }

  /** Contents that a snapshot refers to. @throws the error of SQLite for a damaged one. */
  contentsOf(name: string): string[] {
    return this.#open(name).sqlite.prepare<[], string>('SELECT sha512 FROM tarballs').pluck().all();
  }

  /** Removes leftovers of crashes; returns the contents that snapshots referred to whose deletion was interrupted. */
  tidy(): string[] {
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
    return readdirSync(this.#root)
      .filter((name) => /^\.(?:making|dropping)-/.test(name))
      .flatMap((name) => {
        const folder = join(this.#root, name);
        const contents = name.startsWith('.dropping-') ? contentsIn(folder) : [];
        rmSync(folder, { recursive: true, force: true });
        return contents;
      });
  }

  close(): void {
    for (const name of this.#opened.keys()) this.#close(name);
  }

  #isTaken(name: string): boolean {
    // Some file systems ignore case.
    return this.names().some((other) => other.toLowerCase() === name.toLowerCase());
  }

  #read(name: string): Snapshot | undefined {
    try {
      const folder = join(this.#root, name);
      const facts = snapshotFacts.parse(JSON.parse(readFileSync(join(folder, 'snapshot.json'), 'utf8')));
      return { name, size: statSync(join(folder, 'gatehouse.db')).size, ...facts };
    } catch {
      return undefined;
    }
  }

  #open(name: string): Opened {
    const known = this.#opened.get(name);
    if (known) return known;
    const sqlite = new BetterSqlite3(join(this.#root, name, 'gatehouse.db'), { readonly: true, fileMustExist: true });
    try {
      const holds = sqlite.prepare<[string], number>('SELECT 1 FROM tarballs WHERE sha512 = ?').pluck();
      const opened = { sqlite, holds };
      this.#opened.set(name, opened);
      return opened;
    } catch (error) {
      sqlite.close();
      throw error;
    }
  }

  #close(name: string): void {
    this.#opened.get(name)?.sqlite.close();
    this.#opened.delete(name);
  }
}

/** Contents that the snapshot in a folder refers to; none if it cannot be read. */
function contentsIn(folder: string): string[] {
  try {
    const sqlite = new BetterSqlite3(join(folder, 'gatehouse.db'), { readonly: true, fileMustExist: true });
    try {
      return sqlite.prepare<[], string>('SELECT sha512 FROM tarballs').pluck().all();
    } finally {
      sqlite.close();
    }
  } catch {
    return [];
  }
}
