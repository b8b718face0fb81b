import { withoutBuild } from '../../../registry/package-version.ts';
import type { PreparedVersion } from '../../../registry/publish/prepare-version.ts';
import type { StagedEntry, StagedVersion, StageStore } from '../../../registry/staging.ts';
import type { Sqlite } from '../sqlite.ts';

interface StageRow {
  readonly id: string;
  readonly projectId: number;
  readonly actorId: number | null;
  readonly actorName: string;
  readonly createdAt: number;
  readonly content: string;
}

interface EntryRow extends Omit<StagedEntry, 'tags' | 'digests'> {
  readonly tags: string;
  readonly sha512: string;
  readonly sha1: string;
  readonly size: number;
}

const own = `id, project_id AS projectId, actor_id AS actorId, actor_name AS actorName, created_at AS createdAt`;
const columns = `${own}, content`;

/** Staged versions in SQLite. */
export function sqliteStages(sqlite: Sqlite): StageStore {
  const statements = prepareStatements(sqlite);
  return {
    find: (id) => toStaged(statements.find.get(id)),
    findVersion: (projectId, name, version) => {
      const base = withoutBuild(version);
      return toStaged(statements.findVersion.get(projectId, name, base, `${base}+`, `${base},`));
    },
    list: ({ projectIds, packageName, offset, limit }) => {
      const filter = { projects: JSON.stringify(projectIds), name: packageName ?? null };
      return {
        total: statements.count.get(filter) ?? 0,
        rows: statements.list.all({ ...filter, limit, offset }).map(({ tags, sha512, sha1, size, ...row }) => ({
          ...row,
          tags: JSON.parse(tags) as string[],
          digests: { sha512, sha1, size },
        })),
      };
    },
    countOf: (actorId) => statements.countOf.get(actorId) ?? 0,
    insert: ({ id, projectId, actorId, actorName, createdAt, prepared }) => {
      const { name, tags, digests, version } = prepared;
      statements.insert.run(
        id,
        projectId,
        name,
        version.version,
        JSON.stringify(tags),
        digests.sha512,
        digests.sha1,
        digests.size,
        actorId,
        actorName,
        JSON.stringify(prepared),
        createdAt,
      );
    },
    delete: (id) => void statements.delete.run(id),
  };
}

function prepareStatements(sqlite: Sqlite) {
  const where = `WHERE project_id IN (SELECT value FROM json_each(:projects)) AND (:name IS NULL OR name = :name)`;
  return {
    find: sqlite.prepare<[string], StageRow>(`SELECT ${columns} FROM staged_versions WHERE id = ?`),
    findVersion: sqlite.prepare<[number, string, string, string, string], StageRow>(
      `SELECT ${columns} FROM staged_versions
        WHERE project_id = ? AND name = ? AND (version = ? OR (version > ? AND version < ?)) LIMIT 1`,
    ),

    list: sqlite.prepare<[{ projects: string; name: string | null; limit: number; offset: number }], EntryRow>(
      `SELECT ${own}, name, version, tags, tarball_sha512 AS sha512, shasum AS sha1, size FROM staged_versions ${where} ORDER BY created_at DESC, id LIMIT :limit OFFSET :offset`,
    ),
    count: sqlite
      .prepare<[{ projects: string; name: string | null }], number>(`SELECT count(*) FROM staged_versions ${where}`)
      .pluck(),
    countOf: sqlite.prepare<[number], number>('SELECT count(*) FROM staged_versions WHERE actor_id = ?').pluck(),
    insert: sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO staged_versions (id, project_id, name, version, tags, tarball_sha512, shasum, size, actor_id, actor_name, content,
         created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    delete: sqlite.prepare<[string]>('DELETE FROM staged_versions WHERE id = ?'),
  };
}

function toStaged(row: StageRow | undefined): StagedVersion | undefined {
  if (!row) return undefined;
  const { content, ...rest } = row;
  return { ...rest, prepared: JSON.parse(content) as PreparedVersion };
}
