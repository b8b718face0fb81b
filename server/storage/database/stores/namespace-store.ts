import type { ClaimStore, NamespaceStore, ProjectStore } from '../../../accounts/directory-store.ts';
import type { ClaimRecord, NamespaceRecord, ProjectRecord } from '../../../accounts/records.ts';
import type { Sqlite } from '../sqlite.ts';

const namespaceColumns = `id, kind, parent_id AS parentId, owner_id AS ownerId, path, full_path AS fullPath, name, description,
  visibility, created_at AS createdAt, updated_at AS updatedAt`;
const projectColumns = `id, namespace_id AS namespaceId, path, full_path AS fullPath, name, description, visibility,
  creator_id AS creatorId, created_at AS createdAt, updated_at AS updatedAt`;

/** Groups and personal namespaces in SQLite. */
export function sqliteNamespaces(sqlite: Sqlite): NamespaceStore {
  const select = `SELECT ${namespaceColumns} FROM namespaces`;
  const all = sqlite.prepare<[], NamespaceRecord>(`${select} ORDER BY id`);
  const byId = sqlite.prepare<[number], NamespaceRecord>(`${select} WHERE id = ?`);
  const byPath = sqlite.prepare<[string], NamespaceRecord>(`${select} WHERE full_path = ?`);
  const byOwner = sqlite.prepare<[number], NamespaceRecord>(`${select} WHERE owner_id = ?`);
  const insert = sqlite.prepare<Omit<NamespaceRecord, 'id'>>(
    `INSERT INTO namespaces (kind, parent_id, owner_id, path, full_path, name, description, visibility, created_at, updated_at)
     VALUES (:kind, :parentId, :ownerId, :path, :fullPath, :name, :description, :visibility, :createdAt, :updatedAt)`,
  );
  const update = sqlite.prepare<NamespaceRecord>(
    `UPDATE namespaces SET path = :path, full_path = :fullPath, name = :name, description = :description, visibility = :visibility,
       updated_at = :updatedAt WHERE id = :id`,
  );
  const move = ['namespaces', 'projects'].map((table) =>
    sqlite.prepare<{ old: string; new: string }>(
      `UPDATE ${table} SET full_path = :new || substr(full_path, length(:old) + 1)
       WHERE substr(full_path, 1, length(:old) + 1) = :old || '/' COLLATE NOCASE`,
    ),
  );
  const below = `substr(full_path, 1, length(:old) + 1) = :old || '/' COLLATE NOCASE`;
  const addRedirects = [
    `INSERT OR REPLACE INTO project_redirects (old_full_path, project_id) SELECT full_path, id FROM projects WHERE ${below}`,
    `INSERT OR REPLACE INTO group_redirects (old_full_path, group_id)
     SELECT full_path, id FROM namespaces WHERE kind = 'group' AND ${below}`,
  ].map((statement) => sqlite.prepare<{ old: string }>(statement));
  const addRedirect = sqlite.prepare<NamespaceRecord>(
    `INSERT OR REPLACE INTO group_redirects (old_full_path, group_id)
     SELECT full_path, id FROM namespaces WHERE id = :id AND kind = 'group' AND full_path <> :fullPath COLLATE NOCASE`,
  );
  const moved = sqlite.prepare<[string], NamespaceRecord>(
    `${select} WHERE id = (SELECT group_id FROM group_redirects WHERE old_full_path = ?)`,
  );
  const withScope = sqlite
    .prepare<[string], number>(
      `SELECT DISTINCT p.namespace_id FROM package_summaries s JOIN projects p ON p.id = s.project_id
       WHERE s.scope = ? COLLATE NOCASE`,
    )
    .pluck();
  const remove = sqlite.prepare<[number]>('DELETE FROM namespaces WHERE id = ?');

  return {
    all: () => all.all(),
    find: (id) => byId.get(id),
    findByFullPath: (fullPath) => byPath.get(fullPath),
    findPersonal: (userId) => byOwner.get(userId),
    insert: (namespace) => Number(insert.run(namespace).lastInsertRowid),
    findMoved: (oldFullPath) => moved.get(oldFullPath),
    withScope: (scope) => withScope.all(scope),
    update: (namespace) => {
      addRedirect.run(namespace);
      update.run(namespace);
    },
    moveBelow: (oldFullPath, newFullPath) => {
      for (const statement of addRedirects) statement.run({ old: oldFullPath });
      for (const statement of move) statement.run({ old: oldFullPath, new: newFullPath });
    },
    delete: (id) => void remove.run(id),
  };
}

/** Claims in SQLite. */
export function sqliteClaims(sqlite: Sqlite): ClaimStore {
  const all = sqlite.prepare<[], ClaimRecord>(
    `SELECT name, namespace_id AS namespaceId, created_at AS createdAt, created_by AS createdBy FROM name_claims ORDER BY name`,
  );
  const put = sqlite.prepare<ClaimRecord>(
    `INSERT INTO name_claims (name, namespace_id, created_at, created_by) VALUES (:name, :namespaceId, :createdAt, :createdBy)
     ON CONFLICT (name) DO UPDATE SET namespace_id = excluded.namespace_id, created_at = excluded.created_at,
       created_by = excluded.created_by`,
  );
  const remove = sqlite.prepare<[string]>('DELETE FROM name_claims WHERE name = ?');
  return { all: () => all.all(), put: (claim) => void put.run(claim), delete: (name) => void remove.run(name) };
}

/** Projects in SQLite. */
export function sqliteProjects(sqlite: Sqlite): ProjectStore {
  const select = `SELECT ${projectColumns} FROM projects`;
  const all = sqlite.prepare<[], ProjectRecord>(`${select} ORDER BY id`);
  const byId = sqlite.prepare<[number], ProjectRecord>(`${select} WHERE id = ?`);
  const byPath = sqlite.prepare<[string], ProjectRecord>(`${select} WHERE full_path = ?`);
  const moved = sqlite.prepare<[string], ProjectRecord>(
    `${select} WHERE id = (SELECT project_id FROM project_redirects WHERE old_full_path = ?)`,
  );
  const insert = sqlite.prepare<Omit<ProjectRecord, 'id'>>(
    `INSERT INTO projects (namespace_id, path, full_path, name, description, visibility, creator_id, created_at, updated_at)
     VALUES (:namespaceId, :path, :fullPath, :name, :description, :visibility, :creatorId, :createdAt, :updatedAt)`,
  );
  const update = sqlite.prepare<ProjectRecord>(
    `UPDATE projects SET path = :path, full_path = :fullPath, name = :name, description = :description, visibility = :visibility,
       updated_at = :updatedAt WHERE id = :id`,
  );
  const addRedirect = sqlite.prepare<ProjectRecord>(
    `INSERT OR REPLACE INTO project_redirects (old_full_path, project_id)
     SELECT full_path, id FROM projects WHERE id = :id AND full_path <> :fullPath COLLATE NOCASE`,
  );
  const later = sqlite.prepare<[number], { name: string; projectId: number }>(
    `SELECT p.name, p.project_id AS projectId FROM packages own JOIN packages p ON p.name = own.name AND p.id > own.id
      WHERE own.project_id = ? AND p.project_id <> own.project_id ORDER BY p.id`,
  );
  const remove = sqlite.prepare<[number]>('DELETE FROM projects WHERE id = ?');
  const ofCreator = sqlite.prepare<[number], number>('SELECT count(*) FROM projects WHERE creator_id = ?').pluck();

  return {
    all: () => all.all(),
    find: (id) => byId.get(id),
    findByFullPath: (fullPath) => byPath.get(fullPath),
    findMoved: (oldFullPath) => moved.get(oldFullPath),
    laterPackages: (id) => later.all(id),
    countOfCreator: (userId) => ofCreator.get(userId) ?? 0,
    insert: (project) => Number(insert.run(project).lastInsertRowid),
    update: (project) => {
      addRedirect.run(project);
      update.run(project);
    },
    delete: (id) => void remove.run(id),
  };
}
