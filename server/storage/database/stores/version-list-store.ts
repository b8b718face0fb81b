import type {
  ListedVersion,
  VersionList,
  VersionOrder,
  VersionQuery,
} from '../../../registry/packuments/version-list.ts';
import { preparedOnce } from '../sqlite.ts';
import type { Sqlite } from '../sqlite.ts';

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

/** Above this GitLab leaves the totals out. */
const countedVersions = 10_000;

/** Lists of versions in SQLite. Statements differ by the filters in use and by nothing else, so that there are few of them. */
export class SqliteVersionList implements VersionList {
  readonly #prepared;
  readonly #find;
  readonly #ofPackage;

  constructor(sqlite: Sqlite) {
    this.#prepared = preparedOnce(sqlite);
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
    const [onlyProject] = query.projectIds;
    const conditions = [
      query.projectIds.length === 1 ? 'k.project_id = ?' : 'k.project_id IN (SELECT value FROM json_each(?))',
    ];
    const values = [query.projectIds.length === 1 ? (onlyProject ?? 0) : JSON.stringify(query.projectIds)];
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
    const total = this.#count(where, values);
    const rows = this.#prepared<ListedVersion>(
      `SELECT ${columns} FROM ${this.#source(query, total)} ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    );
    return { total, rows: rows.all(...values, query.limit, query.offset) };
  }

  /** Counting stops where a list no longer shows its total, as that would cost more than the page itself. */
  #count(where: string, values: readonly (string | number)[]): number {
    const count = this.#prepared<{ total: number }>(
      `SELECT count(*) AS total FROM (SELECT 1 FROM packages k CROSS JOIN package_versions v ON v.package_id = k.id ${where} LIMIT ?)`,
    );
    return count.get(...values, countedVersions + 1)?.total ?? 0;
  }

  /**
   * Where to start: a long list in the order of time or ids is read along that order and left when the page is full; anything
   * else is gathered by package and sorted.
   */
  #source(query: VersionQuery, total: number): string {
    const alongVersions = query.orderBy !== 'name' && query.orderBy !== 'project_path';
    return alongVersions && total > countedVersions && query.name === undefined
      ? 'package_versions v CROSS JOIN packages k ON k.id = v.package_id CROSS JOIN projects p ON p.id = k.project_id'
      : 'packages k CROSS JOIN package_versions v ON v.package_id = k.id CROSS JOIN projects p ON p.id = k.project_id';
  }
}
