import type { OnRefusal } from '../../../contract/guards.ts';
import type { GuardStore } from '../../../guards/guard-store.ts';
import type { TagGuard } from '../../../guards/records.ts';
import type { Sqlite } from '../sqlite.ts';

type Flag = 'allowSelfApproval' | 'deployersWait';
type GuardRow = Omit<TagGuard, Flag> & Readonly<Record<Flag, 0 | 1>>;

const columns = `id, project_id AS projectId, pattern, environment, allow_self_approval AS allowSelfApproval,
  deployers_wait AS deployersWait, created_at AS createdAt, updated_at AS updatedAt`;

/** Guards of dist-tags in SQLite. */
export function sqliteGuards(sqlite: Sqlite): GuardStore {
  const statements = prepareStatements(sqlite);
  return {
    guards: (projectId) => statements.all.all(projectId).map(toGuard),
    guard: (projectId, pattern) => {
      const row = statements.one.get(projectId, pattern);
      return row && toGuard(row);
    },
    insertGuard: (guard) => Number(statements.insert.run(toRow(guard)).lastInsertRowid),
    updateGuard: (guard) => void statements.update.run(toRow(guard)),
    deleteGuard: (id) => void statements.delete.run(id),
    onRefusal: (projectId) => statements.onRefusal.get(projectId) ?? 'refuse',
    setOnRefusal: (projectId, onRefusal) => void statements.setOnRefusal.run(projectId, onRefusal),
  };
}

function prepareStatements(sqlite: Sqlite) {
  return {
    all: sqlite.prepare<[number], GuardRow>(`SELECT ${columns} FROM tag_guards WHERE project_id = ? ORDER BY pattern`),
    one: sqlite.prepare<[number, string], GuardRow>(
      `SELECT ${columns} FROM tag_guards WHERE project_id = ? AND pattern = ?`,
    ),
    insert: sqlite.prepare<Omit<GuardRow, 'id'>>(
      `INSERT INTO tag_guards (project_id, pattern, environment, allow_self_approval, deployers_wait, created_at, updated_at)
       VALUES (:projectId, :pattern, :environment, :allowSelfApproval, :deployersWait, :createdAt, :updatedAt)`,
    ),
    update: sqlite.prepare<GuardRow>(
      `UPDATE tag_guards SET environment = :environment, allow_self_approval = :allowSelfApproval,
          deployers_wait = :deployersWait, updated_at = :updatedAt
        WHERE id = :id`,
    ),
    delete: sqlite.prepare<[number]>('DELETE FROM tag_guards WHERE id = ?'),
    onRefusal: sqlite
      .prepare<[number], OnRefusal>('SELECT on_refusal FROM guard_settings WHERE project_id = ?')
      .pluck(),
    setOnRefusal: sqlite.prepare<[number, OnRefusal]>(
      `INSERT INTO guard_settings (project_id, on_refusal) VALUES (?, ?)
       ON CONFLICT (project_id) DO UPDATE SET on_refusal = excluded.on_refusal`,
    ),
  };
}

function toGuard(row: GuardRow): TagGuard {
  return { ...row, allowSelfApproval: row.allowSelfApproval === 1, deployersWait: row.deployersWait === 1 };
}

function toRow<T extends Omit<TagGuard, 'id'>>(guard: T) {
  return { ...guard, allowSelfApproval: flag(guard.allowSelfApproval), deployersWait: flag(guard.deployersWait) };
}

function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
