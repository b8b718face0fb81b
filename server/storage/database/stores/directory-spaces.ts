import type { Visibility } from '../../../contract/levels.ts';
import type { NamespaceStore, ProjectStore } from '../../../accounts/directory-store.ts';
import type { NamespaceRecord, ProjectRecord } from '../../../accounts/records.ts';
import type { Sqlite } from '../sqlite.ts';

interface NamespaceRow {
  id: number;
  kind: 'group' | 'user';
  parent_id: number | null;
  owner_id: number | null;
  path: string;
  full_path: string;
  name: string;
  description: string;
  visibility: Visibility;
  created_at: number;
  updated_at: number;
}

function toNamespace(row: NamespaceRow): NamespaceRecord {
  return {
    id: row.id,
    kind: row.kind,
    parentId: row.parent_id,
    ownerId: row.owner_id,
    path: row.path,
    fullPath: row.full_path,
    name: row.name,
    description: row.description,
    visibility: row.visibility,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Groups and personal namespaces in SQLite. */
export function sqliteNamespaces(sqlite: Sqlite): NamespaceStore {
  const columns =
    'id, kind, parent_id, owner_id, path, full_path, name, description, visibility, created_at, updated_at';
  const all = sqlite.prepare<[], NamespaceRow>(`SELECT ${columns} FROM namespaces ORDER BY id`);
  const byId = sqlite.prepare<[number], NamespaceRow>(`SELECT ${columns} FROM namespaces WHERE id = ?`);
  const byPath = sqlite.prepare<[string], NamespaceRow>(`SELECT ${columns} FROM namespaces WHERE full_path = ?`);
  const byOwner = sqlite.prepare<[number], NamespaceRow>(`SELECT ${columns} FROM namespaces WHERE owner_id = ?`);
  const insert = sqlite.prepare<unknown[]>(
    `INSERT INTO namespaces (kind, parent_id, owner_id, path, full_path, name, description, visibility, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = sqlite.prepare<unknown[]>(
    `UPDATE namespaces SET path = ?, full_path = ?, name = ?, description = ?, visibility = ?, updated_at = ? WHERE id = ?`,
  );
  const move = ['namespaces', 'projects'].map((table) =>
    sqlite.prepare<{ old: string; new: string }>(
      `UPDATE ${table} SET full_path = :new || substr(full_path, length(:old) + 1)
       WHERE substr(full_path, 1, length(:old) + 1) = :old || '/' COLLATE NOCASE`,
    ),
  );
  const remember = sqlite.prepare<{ old: string }>(
    `INSERT OR REPLACE INTO project_redirects (old_full_path, project_id)
     SELECT full_path, id FROM projects WHERE substr(full_path, 1, length(:old) + 1) = :old || '/' COLLATE NOCASE`,
  );
  const remove = sqlite.prepare<[number]>('DELETE FROM namespaces WHERE id = ?');
  const optional = (row: NamespaceRow | undefined) => row && toNamespace(row);

  return {
    all: () => all.all().map(toNamespace),
    find: (id) => optional(byId.get(id)),
    findByFullPath: (fullPath) => optional(byPath.get(fullPath)),
    findPersonal: (userId) => optional(byOwner.get(userId)),
    insert: (namespace) =>
      Number(
        insert.run(
          namespace.kind,
          namespace.parentId,
          namespace.ownerId,
          namespace.path,
          namespace.fullPath,
          namespace.name,
          namespace.description,
          namespace.visibility,
          namespace.createdAt,
          namespace.updatedAt,
        ).lastInsertRowid,
      ),
    update: (namespace) => {
      update.run(
        namespace.path,
        namespace.fullPath,
        namespace.name,
        namespace.description,
        namespace.visibility,
        namespace.updatedAt,
        namespace.id,
      );
    },
    moveBelow: (oldFullPath, newFullPath) => {
      remember.run({ old: oldFullPath });
      for (const statement of move) statement.run({ old: oldFullPath, new: newFullPath });
    },
    delete: (id) => {
      remove.run(id);
    },
  };
}

interface ProjectRow {
  id: number;
  namespace_id: number;
  path: string;
  full_path: string;
  name: string;
  description: string;
  visibility: Visibility;
  creator_id: number | null;
  created_at: number;
  updated_at: number;
}

function toProject(row: ProjectRow): ProjectRecord {
  return {
    id: row.id,
    namespaceId: row.namespace_id,
    path: row.path,
    fullPath: row.full_path,
    name: row.name,
    description: row.description,
    visibility: row.visibility,
    creatorId: row.creator_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Projects in SQLite. */
export function sqliteProjects(sqlite: Sqlite): ProjectStore {
  const columns =
    'id, namespace_id, path, full_path, name, description, visibility, creator_id, created_at, updated_at';
  const all = sqlite.prepare<[], ProjectRow>(`SELECT ${columns} FROM projects ORDER BY id`);
  const byId = sqlite.prepare<[number], ProjectRow>(`SELECT ${columns} FROM projects WHERE id = ?`);
  const byPath = sqlite.prepare<[string], ProjectRow>(`SELECT ${columns} FROM projects WHERE full_path = ?`);
  const insert = sqlite.prepare<unknown[]>(
    `INSERT INTO projects (namespace_id, path, full_path, name, description, visibility, creator_id, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = sqlite.prepare<unknown[]>(
    `UPDATE projects SET path = ?, full_path = ?, name = ?, description = ?, visibility = ?, updated_at = ? WHERE id = ?`,
  );
  const moved = sqlite.prepare<[string], ProjectRow>(
    `SELECT ${columns} FROM projects WHERE id = (SELECT project_id FROM project_redirects WHERE old_full_path = ?)`,
  );
  const remember = sqlite.prepare<[number, string]>(
    `INSERT OR REPLACE INTO project_redirects (old_full_path, project_id)
     SELECT full_path, id FROM projects WHERE id = ? AND full_path <> ? COLLATE NOCASE`,
  );
  const remove = sqlite.prepare<[number]>('DELETE FROM projects WHERE id = ?');
  const optional = (row: ProjectRow | undefined) => row && toProject(row);

  return {
    all: () => all.all().map(toProject),
    find: (id) => optional(byId.get(id)),
    findByFullPath: (fullPath) => optional(byPath.get(fullPath)),
    findMoved: (oldFullPath) => optional(moved.get(oldFullPath)),
    insert: (project) =>
      Number(
        insert.run(
          project.namespaceId,
          project.path,
          project.fullPath,
          project.name,
          project.description,
          project.visibility,
          project.creatorId,
          project.createdAt,
          project.updatedAt,
        ).lastInsertRowid,
      ),
    update: (project) => {
      remember.run(project.id, project.fullPath);
      update.run(
        project.path,
        project.fullPath,
        project.name,
        project.description,
        project.visibility,
        project.updatedAt,
        project.id,
      );
    },
    delete: (id) => {
      remove.run(id);
    },
  };
}
