import { changeKinds } from '../../../contract/constants.ts';
import type { AuditFilter, AuditRecord, AuditStore } from '../../../accounts/audit-store.ts';
import type { Sqlite } from '../sqlite.ts';

type AuditRow = Omit<AuditRecord, 'before' | 'after'> & {
  readonly before: string | null;
  readonly after: string | null;
};

const columns = `id, at, actor_id AS actorId, actor_name AS actorName, origin, address, token, action, target_type AS targetType,
  target_id AS targetId, target_name AS targetName, project_id AS projectId, group_id AS groupId, before, after`;

/** A filter with every part present; null where it does not narrow the list. */
interface FilterParameters {
  projectId: number | null;
  groupId: number | null;
  from: number | null;
  to: number | null;
  search: string | null;
  actorId: number | null;
  /** Its word in `kindSql`. */
  kind: string | null;
  beforeId: number | null;
}

/** The kind of a row, from the first word of its action. */
const kindSql = `CASE substr(action, 1, instr(action, '.') - 1)
  ${Object.entries(changeKinds)
    .flatMap(([kind, words]) => words.map((word) => `WHEN '${word}' THEN '${kind}'`))
    .join(' ')} ELSE 'registry' END`;

/** Of a change of a token, its name and the end of its secret, as `tokenLabel` has them of the one that a change was made with. */
const changedTokenSql = `CASE target_type WHEN 'token'
  THEN (SELECT target_name || ' …' || hint FROM access_tokens WHERE id = target_id) END`;

const searchedSql = `lower(action || ' ' || target_name || ' ' || actor_name || ' ' || coalesce(token, '') || ' ' || coalesce(${changedTokenSql}, ''))`;

const where = `WHERE (:projectId IS NULL OR project_id = :projectId) AND (:groupId IS NULL OR group_id = :groupId)
  AND (:from IS NULL OR at >= :from) AND (:to IS NULL OR at <= :to) AND (:beforeId IS NULL OR id < :beforeId)
  AND (:search IS NULL OR instr(${searchedSql}, lower(:search)) > 0)
  AND (:actorId IS NULL OR actor_id = :actorId) AND (:kind IS NULL OR ${kindSql} = :kind)`;

/** The audit trail in SQLite. Rows are only ever added. */
export function sqliteAudit(sqlite: Sqlite): AuditStore {
  const statements = prepareStatements(sqlite);
  return {
    append: (at, entry) => {
      const { actor, target } = entry;
      statements.insert.run(
        at,
        actor.userId,
        actor.username,
        actor.origin,
        actor.address,
        actor.token ?? null,
        entry.action,
        target.type,
        target.id,
        target.name,
        entry.projectId ?? null,
        entry.groupId ?? null,
        entry.before === undefined ? null : JSON.stringify(entry.before),
        entry.after === undefined ? null : JSON.stringify(entry.after),
      );
    },
    find: (id) => {
      const row = statements.byId.get(id);
      return row && toRecord(row);
    },
    count: (filter) => statements.count.get(parameters(filter))?.count ?? 0,
    list: (filter, page) =>
      statements.list.all({ ...parameters(filter), limit: page.limit, offset: page.offset }).map(toRecord),
  };
}

function prepareStatements(sqlite: Sqlite) {
  return {
    insert: sqlite.prepare<unknown[]>(
      `INSERT INTO audit_events (at, actor_id, actor_name, origin, address, token, action, target_type, target_id,
         target_name, project_id, group_id, before, after) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    byId: sqlite.prepare<[number], AuditRow>(`SELECT ${columns} FROM audit_events WHERE id = ?`),
    count: sqlite.prepare<FilterParameters, { count: number }>(`SELECT count(*) AS count FROM audit_events ${where}`),
    list: sqlite.prepare<FilterParameters & { limit: number; offset: number }, AuditRow>(
      `SELECT ${columns} FROM audit_events ${where} ORDER BY id DESC LIMIT :limit OFFSET :offset`,
    ),
  };
}

function parameters(filter: AuditFilter): FilterParameters {
  return {
    projectId: filter.projectId ?? null,
    groupId: filter.groupId ?? null,
    from: filter.from ?? null,
    to: filter.to ?? null,
    search: filter.search ?? null,
    actorId: filter.actorId ?? null,
    kind: filter.kind ?? null,
    beforeId: filter.beforeId ?? null,
  };
}

function toRecord(row: AuditRow): AuditRecord {
  return {
    ...row,
    before: row.before === null ? null : JSON.parse(row.before),
    after: row.after === null ? null : JSON.parse(row.after),
  };
}
