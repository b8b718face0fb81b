import type { AuditFilter, AuditRecord, AuditStore } from '../../../accounts/audit-store.ts';
import type { AuditEntry } from '../../../accounts/change.ts';
import type { Sqlite } from '../sqlite.ts';

interface AuditRow {
  id: number;
  at: number;
  actor_id: number | null;
  actor_name: string;
  origin: AuditRecord['origin'];
  address: string | null;
  action: string;
  target_type: string;
  target_id: number | null;
  target_name: string;
  project_id: number | null;
  group_id: number | null;
  before: string | null;
  after: string | null;
}

/** A filter with every part present; null where it does not narrow the list. */
interface FilterParameters {
  projectId: number | null;
  groupId: number | null;
  from: number | null;
  to: number | null;
  search: string | null;
  beforeId: number | null;
}

const where = `WHERE (:projectId IS NULL OR project_id = :projectId) AND (:groupId IS NULL OR group_id = :groupId)
  AND (:from IS NULL OR at >= :from) AND (:to IS NULL OR at <= :to) AND (:beforeId IS NULL OR id < :beforeId)
  AND (:search IS NULL OR instr(lower(action || ' ' || target_name || ' ' || actor_name), lower(:search)) > 0)`;

/** The audit trail in SQLite. Rows are only ever added. */
export class SqliteAuditStore implements AuditStore {
  readonly #insert;
  readonly #byId;
  readonly #count;
  readonly #list;

  constructor(sqlite: Sqlite) {
    this.#insert = sqlite.prepare<unknown[]>(
      `INSERT INTO audit_events (at, actor_id, actor_name, origin, address, action, target_type, target_id, target_name,
         project_id, group_id, before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#byId = sqlite.prepare<[number], AuditRow>('SELECT * FROM audit_events WHERE id = ?');
    this.#count = sqlite.prepare<FilterParameters, { count: number }>(
      `SELECT count(*) AS count FROM audit_events ${where}`,
    );
    this.#list = sqlite.prepare<FilterParameters & { limit: number; offset: number }, AuditRow>(
      `SELECT * FROM audit_events ${where} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
    );
  }

  append(at: number, entry: AuditEntry): void {
    const { actor, target } = entry;
    this.#insert.run(
      at,
      actor.userId,
      actor.username,
      actor.origin,
      actor.address,
      entry.action,
      target.type,
      target.id,
      target.name,
      entry.projectId ?? null,
      entry.groupId ?? null,
      entry.before === undefined ? null : JSON.stringify(entry.before),
      entry.after === undefined ? null : JSON.stringify(entry.after),
    );
  }

  find(id: number): AuditRecord | undefined {
    const row = this.#byId.get(id);
    return row && toRecord(row);
  }

  count(filter: AuditFilter): number {
    return this.#count.get(parameters(filter))?.count ?? 0;
  }

  list(filter: AuditFilter, page: { readonly limit: number; readonly offset: number }): AuditRecord[] {
    return this.#list.all({ ...parameters(filter), limit: page.limit, offset: page.offset }).map(toRecord);
  }
}

function parameters(filter: AuditFilter): FilterParameters {
  return {
    projectId: filter.projectId ?? null,
    groupId: filter.groupId ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    search: filter.search ?? null,
    beforeId: filter.beforeId ?? null,
  };
}

function toRecord(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: row.at,
    actorId: row.actor_id,
    actorName: row.actor_name,
    origin: row.origin,
    address: row.address,
    action: row.action,
    targetType: row.target_type,
    targetId: row.target_id,
    targetName: row.target_name,
    projectId: row.project_id,
    groupId: row.group_id,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  };
}
