import type {
  CatalogQuery,
  CatalogStore,
  CatalogVersion,
  SearchHit,
  SummaryRow,
} from '../../packages/package-catalog.ts';
import type { Sqlite, Statement } from '../sqlite.ts';

interface RawSummary extends Omit<SummaryRow, 'deprecated'> {
  readonly deprecated: number;
}

const summaryColumns = `s.package_id AS id, s.project_id AS projectId, s.name, s.description, s.latest, s.version_count AS versionCount,
  s.tag_count AS tagCount, s.total_size AS totalSize, s.published_at AS publishedAt, s.deprecated`;

const orders = { name: 's.name', publishedAt: 's.published_at', size: 's.total_size' } as const;

/** Lists and searches in SQLite. Statements differ by the filters in use and are kept once prepared. */
export class SqliteCatalogStore implements CatalogStore {
  readonly #sqlite: Sqlite;
  readonly #prepared = new Map<string, Statement<(string | number)[]>>();
  readonly #summary;
  readonly #versions;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#summary = sqlite.prepare<[number], RawSummary>(
      `SELECT ${summaryColumns} FROM package_summaries s WHERE s.package_id = ?`,
    );
    this.#versions = sqlite.prepare<[number], CatalogVersion>(
      `SELECT v.id, v.version, v.published_at AS publishedAt, u.username AS publisher, v.size, v.file_count AS fileCount,
         v.unpacked_size AS unpackedSize, v.integrity, v.shasum, v.deprecated, v.download_count AS downloads
       FROM package_versions v LEFT JOIN users u ON u.id = v.publisher_id WHERE v.package_id = ? ORDER BY v.id DESC`,
    );
  }

  list(query: CatalogQuery): { total: number; rows: SummaryRow[] } {
    const conditions: string[] = [];
    const values: (string | number)[] = [];
    if (query.search !== undefined && query.search !== '') {
      conditions.push(
        `(s.name LIKE ? ESCAPE '\\' OR s.description LIKE ? ESCAPE '\\' OR s.keywords LIKE ? ESCAPE '\\')`,
      );
      const pattern = `%${query.search.replaceAll(/[\\%_]/g, '\\$&')}%`;
      values.push(pattern, pattern, pattern);
    }
    if (query.projectIds) {
      conditions.push('s.project_id IN (SELECT value FROM json_each(?))');
      values.push(JSON.stringify(query.projectIds));
    }
    if (query.scope !== undefined) {
      conditions.push('s.scope = ?');
      values.push(query.scope);
    }
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const direction = query.direction === 'asc' ? 'ASC' : 'DESC';
    const rows = this.#prepare(
      `SELECT ${summaryColumns} FROM package_summaries s ${where}
       ORDER BY ${orders[query.orderBy]} ${direction}, s.package_id ${direction} LIMIT ? OFFSET ?`,
    ).all(...values, query.limit, query.offset) as RawSummary[];
    const total = this.#prepare(`SELECT count(*) AS total FROM package_summaries s ${where}`).get(...values) as {
      total: number;
    };
    return { total: total.total, rows: rows.map(fromRaw) };
  }

  summary(packageId: number): SummaryRow | undefined {
    const row = this.#summary.get(packageId);
    return row && fromRaw(row);
  }

  versions(packageId: number): CatalogVersion[] {
    return this.#versions.all(packageId);
  }

  search(
    terms: readonly string[],
    projectIds: readonly number[] | undefined,
    page: { offset: number; limit: number },
  ): { total: number; hits: SearchHit[] } {
    const values: (string | number)[] = [];
    const conditions = ['s.latest IS NOT NULL'];
    if (terms.length > 0) {
      conditions.push('package_search MATCH ?');
      // Quoted, since FTS5 has a language of its own that nobody here means to speak.
      values.push(terms.map((term) => `"${term.replaceAll('"', '""')}"*`).join(' '));
    }
    if (projectIds) {
      conditions.push('s.project_id IN (SELECT value FROM json_each(?))');
      values.push(JSON.stringify(projectIds));
    }
    const source =
      terms.length > 0
        ? 'package_search JOIN package_summaries s ON s.package_id = package_search.rowid'
        : 'package_summaries s';
    // A word in the name weighs most, one in the readme least.
    const score = terms.length > 0 ? '-bm25(package_search, 10.0, 4.0, 3.0, 0.5)' : '0.0';
    const where = `WHERE ${conditions.join(' AND ')}`;
    const rows = this.#prepare(
      `SELECT s.package_id AS packageId, s.project_id AS projectId, s.name, s.description, s.keywords, s.latest,
         s.published_at AS publishedAt, ${score} AS score
       FROM ${source} ${where} ORDER BY score DESC, s.published_at DESC, s.package_id LIMIT ? OFFSET ?`,
    ).all(...values, page.limit, page.offset) as (Omit<SearchHit, 'keywords'> & { keywords: string })[];
    const { total } = this.#prepare(`SELECT count(*) AS total FROM ${source} ${where}`).get(...values) as {
      total: number;
    };
    return { total, hits: rows.map((row) => ({ ...row, keywords: JSON.parse(row.keywords) as string[] })) };
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

function fromRaw(row: RawSummary): SummaryRow {
  return { ...row, deprecated: row.deprecated === 1 };
}
