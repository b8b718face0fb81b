import type { ListedVersion, VersionList, VersionOrder, VersionQuery } from '../../packages/version-list.ts';
import type { Sqlite, Statement } from '../sqlite.ts';

const columns = `v.id, v.package_id AS packageId, k.project_id AS projectId, k.name, v.version, v.deprecated, v.published_at AS publishedAt,
  v.last_downloaded_at AS lastDownloadedAt, v.size, v.shasum`;
const source = `package_versions v JOIN packages k ON k.id = v.package_id JOIN projects p ON p.id = k.project_id`;

/** All packages are of one type, so ordering by that leaves the order of their ids. */
const orders: Readonly<Record<VersionOrder, string>> = {
  created_at: 'v.published_at',
  name: 'k.name',
  version: 'v.version',
  type: '1',
  project_path: 'p.full_path',
};

/** Lists of versions in SQLite. Statements differ by the filters in use and are kept once prepared. */
export class SqliteVersionList implements VersionList {
  readonly #sqlite: Sqlite;
  readonly #prepared = new Map<string, Statement<(string | number)[]>>();
  readonly #find;
  readonly #ofPackage;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#find = sqlite.prepare<[number], ListedVersion>(`SELECT ${columns} FROM ${source} WHERE v.id = ?`);
    this.#ofPackage = sqlite.prepare<[number], ListedVersion>(
      `SELECT ${columns} FROM ${source} WHERE v.package_id = ? ORDER BY v.id`,
    );
  }

  find(versionId: number): ListedVersion | undefined {
    return this.#find.get(versionId);
  }

  ofPackage(packageId: number): ListedVersion[] {
    return this.#ofPackage.all(packageId);
  }

  list(query: VersionQuery): { total: number; rows: ListedVersion[] } {
    const conditions = ['k.project_id IN (SELECT value FROM json_each(?))'];
    const values: (string | number)[] = [JSON.stringify(query.projectIds)];
    if (query.name !== undefined) {
      conditions.push(`k.name LIKE ? ESCAPE '\\'`);
      values.push(`%${query.name.replaceAll(/[\\%_]/g, '\\$&')}%`);
    }
    if (query.version !== undefined) {
      conditions.push('v.version = ?');
      values.push(query.version);
    }
    if (query.deprecated !== undefined) conditions.push(`v.deprecated IS ${query.deprecated ? 'NOT ' : ''}NULL`);
    const where = `WHERE ${conditions.join(' AND ')}`;
    const direction = query.direction === 'asc' ? 'ASC' : 'DESC';
    const order =
      query.orderBy === 'type' ? `v.id ${direction}` : `${orders[query.orderBy]} ${direction}, v.id ${direction}`;
    const rows = this.#prepare(`SELECT ${columns} FROM ${source} ${where} ORDER BY ${order} LIMIT ? OFFSET ?`);
    const count = this.#prepare(`SELECT count(*) AS total FROM ${source} ${where}`);
    return {
      total: (count.get(...values) as { total: number }).total,
      rows: rows.all(...values, query.limit, query.offset) as ListedVersion[],
    };
  }

  #prepare(sql: string): Statement<(string | number)[]> {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#sqlite.prepare<(string | number)[]>(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}
