import type { PreparedVersion } from '../../../registry/publish/prepare-version.ts';
import type { StagedVersion, StageQuery, StageStore } from '../../../registry/staging.ts';
import type { Sqlite } from '../sqlite.ts';

interface StageRow {
  readonly id: string;
  readonly projectId: number;
  readonly actorId: number | null;
  readonly actorName: string;
  readonly createdAt: number;
  readonly content: string;
}

const columns = `id, project_id AS projectId, actor_id AS actorId, actor_name AS actorName, created_at AS createdAt, content`;

/** Staged versions in SQLite. */
export class SqliteStageStore implements StageStore {
  readonly #find;
  readonly #findVersion;
  readonly #list;
  readonly #count;
  readonly #insert;
  readonly #delete;

  constructor(sqlite: Sqlite) {
    this.#find = sqlite.prepare<[string], StageRow>(`SELECT ${columns} FROM staged_versions WHERE id = ?`);
    this.#findVersion = sqlite.prepare<[number, string, string], StageRow>(
      `SELECT ${columns} FROM staged_versions WHERE project_id = ? AND name = ? AND version = ?`,
    );
    const where = `WHERE project_id IN (SELECT value FROM json_each(:projects)) AND (:name IS NULL OR name = :name)`;
    this.#list = sqlite.prepare<[{ projects: string; name: string | null; limit: number; offset: number }], StageRow>(
      `SELECT ${columns} FROM staged_versions ${where} ORDER BY created_at DESC, id LIMIT :limit OFFSET :offset`,
    );
    this.#count = sqlite
      .prepare<[{ projects: string; name: string | null }], number>(`SELECT count(*) FROM staged_versions ${where}`)
      .pluck();
    this.#insert = sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO staged_versions (id, project_id, name, version, tags, tarball_sha512, shasum, size, actor_id, actor_name, content,
         created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#delete = sqlite.prepare<[string]>('DELETE FROM staged_versions WHERE id = ?');
  }

  find(id: string): StagedVersion | undefined {
    return toStaged(this.#find.get(id));
  }

  findVersion(projectId: number, name: string, version: string): StagedVersion | undefined {
    return toStaged(this.#findVersion.get(projectId, name, version));
  }

  list({ projectIds, packageName, offset, limit }: StageQuery): { total: number; rows: StagedVersion[] } {
    const filter = { projects: JSON.stringify(projectIds), name: packageName ?? null };
    return {
      total: this.#count.get(filter) ?? 0,
      rows: this.#list.all({ ...filter, limit, offset }).flatMap((row) => toStaged(row) ?? []),
    };
  }

  insert({ id, projectId, actorId, actorName, createdAt, prepared }: StagedVersion): void {
    const { name, tags, digests, version } = prepared;
    this.#insert.run(
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
  }

  delete(id: string): void {
    this.#delete.run(id);
  }
}

function toStaged(row: StageRow | undefined): StagedVersion | undefined {
  if (!row) return undefined;
  const { content, ...rest } = row;
  return { ...rest, prepared: JSON.parse(content) as PreparedVersion };
}
