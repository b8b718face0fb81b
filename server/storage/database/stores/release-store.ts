import type { Approval, ReleaseStore, TagRequest } from '../../../guards/release-store.ts';
import type { Sqlite } from '../sqlite.ts';

const columns = `tag_requests.id AS id, tag_requests.project_id AS projectId, package_id AS packageId, packages.name AS packageName, tag_requests.tag AS tag,
  tag_requests.version AS version, from_version AS fromVersion, actor_id AS actorId, actor_name AS actorName, tag_requests.created_at AS createdAt`;
const from = 'FROM tag_requests JOIN packages ON packages.id = package_id';
/** The tag stands elsewhere than when the move was asked for, or the version is gone. */
const isVoid = `from_version IS NOT (
    SELECT v.version FROM dist_tags t JOIN package_versions v ON v.id = t.version_id
     WHERE t.package_id = tag_requests.package_id AND t.tag = tag_requests.tag)
  OR NOT EXISTS (
    SELECT 1 FROM package_versions v WHERE v.package_id = tag_requests.package_id AND v.version = tag_requests.version)`;

/** Requests for moves of guarded tags, and approvals, in SQLite. */
export function sqliteReleases(sqlite: Sqlite): ReleaseStore {
  const statements = prepareStatements(sqlite);
  return {
    request: (id) => statements.one.get(id),
    findRequest: (packageId, tag, version) => statements.same.get(packageId, tag, version),
    requests: (projectIds, packageName) =>
      statements.all.all({ projects: JSON.stringify(projectIds), name: packageName ?? null }),
    countOf: (actorId) => statements.countOf.get(actorId) ?? 0,
    projects: () => new Set(statements.projects.all()),
    approvals: ({ kind, id }) => (kind === 'version' ? statements.ofStaged : statements.ofRequest).all(id),
    insertRequest: ({ packageName: _name, ...row }) => void statements.insert.run(row),
    deleteRequest: (id) => void statements.delete.run(id),
    voidRequests: (packageId) => statements.void.all(packageId),
    putApproval: ({ kind, id }, approval) =>
      void (kind === 'version' ? statements.approveStaged : statements.approveRequest).run({ id, ...approval }),
  };
}

function prepareStatements(sqlite: Sqlite) {
  const approvals = (column: string) =>
    sqlite.prepare<[string], Approval>(
      `SELECT user_id AS userId, comment, represented_as AS representedAs, created_at AS createdAt
         FROM approvals WHERE ${column} = ? ORDER BY created_at, id`,
    );
  const approve = (column: string) =>
    sqlite.prepare<Approval & { id: string }>(
      `INSERT INTO approvals (${column}, user_id, comment, represented_as, created_at)
       VALUES (:id, :userId, :comment, :representedAs, :createdAt)
       ON CONFLICT (${column}, user_id) DO UPDATE
         SET comment = excluded.comment, represented_as = excluded.represented_as`,
    );
  return {
    one: sqlite.prepare<[string], TagRequest>(
      `SELECT ${columns} ${from} WHERE tag_requests.id = ? AND NOT (${isVoid})`,
    ),
    same: sqlite.prepare<[number, string, string], TagRequest>(
      `SELECT ${columns} ${from} 
        WHERE package_id = ? AND tag = ? AND version = ? AND NOT (${isVoid}) ORDER BY tag_requests.created_at DESC LIMIT 1`,
    ),
    all: sqlite.prepare<[{ projects: string; name: string | null }], TagRequest>(
      `SELECT ${columns} ${from}
        WHERE tag_requests.project_id IN (SELECT value FROM json_each(:projects)) AND (:name IS NULL OR packages.name = :name)
          AND NOT (${isVoid})
        ORDER BY tag_requests.created_at DESC, tag_requests.id`,
    ),
    countOf: sqlite.prepare<[number], number>('SELECT count(*) FROM tag_requests WHERE actor_id = ?').pluck(),
    projects: sqlite
      .prepare<[], number>('SELECT project_id FROM staged_versions UNION SELECT project_id FROM tag_requests')
      .pluck(),
    void: sqlite.prepare<[number], TagRequest>(`SELECT ${columns} ${from} WHERE package_id = ? AND (${isVoid})`),
    insert: sqlite.prepare<Omit<TagRequest, 'packageName'>>(
      `INSERT INTO tag_requests (id, project_id, package_id, tag, version, from_version, actor_id, actor_name, created_at)
       VALUES (:id, :projectId, :packageId, :tag, :version, :fromVersion, :actorId, :actorName, :createdAt)`,
    ),
    delete: sqlite.prepare<[string]>('DELETE FROM tag_requests WHERE id = ?'),
    ofStaged: approvals('staged_id'),
    ofRequest: approvals('request_id'),
    approveStaged: approve('staged_id'),
    approveRequest: approve('request_id'),
  };
}
