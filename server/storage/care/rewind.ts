import { randomUUID } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { GatehouseError } from '../../contract/errors.ts';
import type { Actor, AuditEntry } from '../../accounts/change.ts';
import { requireSound } from '../database/database-copy.ts';
import { forgetLegacyCommitLog } from '../database/legacy-commit-log.ts';
import { settleLegacyTables } from '../database/legacy-tables.ts';
import { migrate, shippedMigrations } from '../database/migrations.ts';
import { StartupError } from '../../lib/startup-error.ts';
import type { DataFolder } from '../data-folder.ts';
import type { Sqlite } from '../database/sqlite.ts';
import { sqliteAudit } from '../database/stores/audit-store.ts';
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
  /** Whether the state is an earlier one of the same registry, whose audit trail goes on. */
  readonly isEarlierState: boolean;
  readonly actor: Actor;
  readonly action: 'registry.rewound' | 'registry.restored';
  /** Name of the snapshot or of the file. */
  readonly name: string;
}

/**
 * Makes a copy of a state that can replace the present one: with today's schema, a new epoch (entity tags stay unique), an audit row, and
 * those facts of the present that must not be reverted: the backup schedule, signing keys, the audit trail, revoked tokens and blocked
 * users.
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
      requireSound(state, 'This state');
      await bringUpToDate(state, options.folder);
      state.transaction(() => {
        if (options.live) carryOver(options.live, state, options.isEarlierState);
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
}

async function bringUpToDate(state: Sqlite, folder: PrepareOptions['folder']): Promise<void> {
  try {
    await settleLegacyTables(state, folder);
    migrate(state, shippedMigrations());
  } catch (error) {
    if (error instanceof StartupError) throw new GatehouseError('invalid_request', error.message);
    throw error;
  }
}

function carryOver(live: Sqlite, state: Sqlite, isEarlierState: boolean): void {
  copyRows(live, state, `SELECT * FROM meta WHERE key LIKE 'backup.%'`, 'meta');
  copyRows(live, state, 'SELECT * FROM signing_keys', 'signing_keys');
  if (!isEarlierState) return;
  const last = state.prepare<[], number>('SELECT coalesce(max(id), 0) FROM audit_events').pluck().get() ?? 0;
  copyRows(live, state, `SELECT * FROM audit_events WHERE id > ${last}`, 'audit_events');
  // Tokens that were revoked and users that were blocked since stay so.
  const revoke = state.prepare<[number, number]>(
    'UPDATE access_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  const known = live.prepare<[number], { revokedAt: number | null }>(
    'SELECT revoked_at AS revokedAt FROM access_tokens WHERE id = ?',
  );
  for (const id of state.prepare<[], number>('SELECT id FROM access_tokens').pluck().all()) {
    const now = known.get(id);
    if (!now || now.revokedAt !== null) revoke.run(now?.revokedAt ?? Date.now(), id);
  }
  const block = state.prepare<[number]>(`UPDATE users SET state = 'blocked' WHERE id = ?`);
  const blocked = live.prepare<[], number>(`SELECT id FROM users WHERE state = 'blocked'`).pluck().all();
  for (const id of blocked) block.run(id);
}

/** Copies rows between databases of the same schema; existing keys are replaced. */
function copyRows(from: Sqlite, to: Sqlite, query: string, table: string): void {
  const rows = from.prepare<[], Record<string, unknown>>(query).all();
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const insert = to.prepare<unknown[]>(
    `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
  );
  for (const row of rows) insert.run(...columns.map((column) => row[column]));
}

function auditEntry(options: PrepareOptions): AuditEntry {
  return {
    actor: options.actor,
    action: options.action,
    target: { type: 'registry', id: null, name: options.name },
    after: { state: options.name },
  };
}
