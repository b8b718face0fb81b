import { randomUUID } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { GatehouseError } from '../../contract/errors.ts';
import type { Actor, AuditEntry } from '../../accounts/change.ts';
import { syncFile, syncFolder } from '../../lib/durable.ts';
import { requireSound } from '../database/database-copy.ts';
import { forgetLegacyCommitLog } from '../database/legacy-commit-log.ts';
import { settleLegacyTables } from '../database/legacy-tables.ts';
import { migrate, requireKnownSchema, shippedMigrations } from '../database/migrations.ts';
import { StartupError } from '../../lib/startup-error.ts';
import type { DataFolder } from '../data-folder.ts';
import type { Sqlite } from '../database/sqlite.ts';
import { sqliteAudit } from '../database/stores/audit-store.ts';
import { carryOver, disarm } from './carry-over.ts';
import { MetaStore } from '../database/stores/meta-store.ts';

export interface PreparedState {
  readonly file: string;
  discard(): void;
}

export interface PrepareOptions {
  /** A database without a WAL beside it; it is not changed. */
  readonly source: string;
  /** Where the copy is made, and where tarballs go that an older version left in the database. */
  readonly folder: Pick<DataFolder, 'tarballs' | 'temporary'>;
  /** The database that the state will replace, if there is one. */
  readonly live?: Sqlite;
  readonly actor: Actor;
  readonly action: 'registry.rewound' | 'registry.restored';
  /** Name of the snapshot or of the file. */
  readonly name: string;
}

/**
 * Makes a copy of a state that can replace the present one: with today's schema, a new epoch (entity tags stay unique), an audit row, and
 * what must not go back (`carryOver`) or act by itself (`disarm`).
 * @throws GatehouseError `data_damaged`, `invalid_request` if a newer Gatehouse wrote it.
 */
export async function prepareState(options: PrepareOptions): Promise<PreparedState> {
  const file = join(options.folder.temporary, `state-${randomUUID()}.db`);
  const discard = (): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  };
  try {
    await copyFile(options.source, file, constants.COPYFILE_FICLONE);
    const state = new BetterSqlite3(file);
    try {
      state.pragma('journal_mode = DELETE');
      // A newer one is named as such, not by its parts.
      asRefusal(() => requireKnownSchema(state, shippedMigrations()));
      requireKnownParts(state);
      requireSound(state, 'This state');
      await bringUpToDate(state, options.folder);
      if (options.live) carryOver(options.live, state);
      else if (options.action === 'registry.restored') disarm(state);
      state.transaction(() => {
        new MetaStore(state).renewEpoch();
        forgetLegacyCommitLog(state);
        sqliteAudit(state).append(Date.now(), auditEntry(options));
      })();
    } finally {
      state.close();
    }
    return { file, discard };
  } catch (error) {
    discard();
    throw error;
  }
}

/**
 * Replaces a live database by a prepared state, in one transaction that its connections see as another's commit. Nothing may write
 * meanwhile (`WriteQueue.runExclusive`). A crash leaves the one state or the other.
 */
export async function replaceDatabase(prepared: PreparedState, databaseFile: string): Promise<void> {
  const state = new BetterSqlite3(prepared.file, { readonly: true });
  try {
    // All pages at once: between two steps the file would be locked for this process's readers.
    await state.backup(databaseFile, { progress: () => 0x7f_ff_ff_ff });
  } finally {
    state.close();
  }
  // SQLite has synced it only if it went through the log.
  await syncFile(databaseFile);
  await syncFolder(dirname(databaseFile));
}

/**
 * Triggers, defaults, constraints and indexes act later, in the name of the registry: only those of the migrations may come along. Asked
 * before any check of SQLite, which would compute them. @throws GatehouseError `invalid_request`.
 */
function requireKnownParts(state: Sqlite): void {
  const known = new Set<string>();
  const memory = new BetterSqlite3(':memory:');
  const migrations = shippedMigrations();
  for (const [index] of migrations.entries()) {
    migrate(memory, migrations.slice(0, index + 1));
    for (const { sql } of partsOf(memory)) known.add(sql);
  }
  memory.close();
  const parts = partsOf(state);
  if (!parts.some(({ name }) => name === 'package_versions'))
    throw new GatehouseError('invalid_request', 'This state holds no registry: its database is empty. Choose another.');
  const foreign = parts.find(({ sql }) => !known.has(sql));
  if (!foreign) return;
  const { type, name } = foreign;
  throw new GatehouseError(
    'invalid_request',
    `This state holds a ${type} of its own ("${name.slice(0, 60)}"), which no Gatehouse made, and is not restored.`,
  );
}

function partsOf(sqlite: Sqlite): { type: string; name: string; sql: string }[] {
  return sqlite
    .prepare<[], { type: string; name: string; sql: string }>(
      'SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL',
    )
    .all();
}

async function bringUpToDate(state: Sqlite, folder: PrepareOptions['folder']): Promise<void> {
  await settleLegacyTables(state, folder);
  asRefusal(() => migrate(state, shippedMigrations()));
}

/** What stops a start refuses a state. */
function asRefusal(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (error instanceof StartupError) throw new GatehouseError('invalid_request', error.message);
    throw error;
  }
}

function auditEntry(options: PrepareOptions): AuditEntry {
  return {
    actor: options.actor,
    action: options.action,
    target: { type: 'registry', id: null, name: options.name },
    after: { state: options.name },
  };
}
