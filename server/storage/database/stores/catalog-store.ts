import type {
  CatalogQuery,
  CatalogStore,
  CatalogVersion,
  PackageUsage,
  SearchHit,
  SummaryRow,
} from '../../../registry/packuments/package-catalog.ts';
import { dateOf } from '../../../lib/calendar.ts';
import type { NamedPackage } from '../../../registry/package-store.ts';
import type { SearchQuery } from '../../../registry/packuments/search-query.ts';
import { preparedOnce } from '../sqlite.ts';
import type { Sqlite } from '../sqlite.ts';

interface RawSummary extends Omit<SummaryRow, 'deprecated'> {
  readonly deprecated: number;
}

const summaryColumns = `s.package_id AS id, s.project_id AS projectId, s.name, s.description, s.latest, s.version_count AS versionCount,
  s.tag_count AS tagCount, s.total_size AS totalSize, s.published_at AS publishedAt, s.deprecated`;

/** Hits from which on a search counts as broad. */
const broadSearch = 2000;

interface RawHit extends Omit<SearchHit, 'keywords'> {
  readonly keywords: string;
  readonly total: number;
}

const orders = { name: 's.name', publishedAt: 's.published_at', size: 's.total_size' } as const;

/** Lists and searches in SQLite. Statements differ by the filters in use and by nothing else, so that there are few of them. */
export class SqliteCatalogStore implements CatalogStore {
  readonly #prepared;
  readonly #summary;
  readonly #versions;

  constructor(sqlite: Sqlite) {
    this.#prepared = preparedOnce(sqlite);
    this.#summary = sqlite.prepare<[number], RawSummary>(
      `SELECT ${summaryColumns} FROM package_summaries s WHERE s.package_id = ?`,
    );
    this.#versions = sqlite.prepare<[number], Omit<CatalogVersion, 'imported'> & { imported: number }>(
      `SELECT v.id, v.version, v.published_at AS publishedAt, u.username AS publisher, v.imported, v.size, v.file_count AS fileCount,
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
    const rows = this.#prepared<RawSummary>(
      `SELECT ${summaryColumns} FROM package_summaries s ${where}
       ORDER BY ${orders[query.orderBy]} ${direction}, s.package_id ${direction} LIMIT ? OFFSET ?`,
    ).all(...values, query.limit, query.offset);
    const counted = this.#prepared<{ total: number }>(`SELECT count(*) AS total FROM package_summaries s ${where}`);
    return { total: counted.get(...values)?.total ?? 0, rows: rows.map(fromRaw) };
  }

  summary(packageId: number): SummaryRow | undefined {
    const row = this.#summary.get(packageId);
    return row && fromRaw(row);
  }

  versions(packageId: number): CatalogVersion[] {
    return this.#versions.all(packageId).map((row) => ({ ...row, imported: row.imported === 1 }));
  }

  search(
    query: SearchQuery,
    projectIds: readonly number[] | undefined,
    page: { offset: number; limit: number },
    hidden: ReadonlySet<number> = new Set(),
  ): { total: number; hits: SearchHit[] } {
    if (query.impossible) return { total: 0, hits: [] };
    const { conditions, values } = searchConditions(query, projectIds, hidden);
    const text = query.terms.join(' ');
    const isFullText = query.terms.length > 0;
    const source = isFullText
      ? 'package_search JOIN package_summaries s ON s.package_id = package_search.rowid'
      : 'package_summaries s';
    const score = isFullText ? this.#score(values[0] ?? '') : '0.0';
    // The texts of hits are read for one page only. SQLite takes the other columns of a group from the row that has the
    // greatest publish time.
    const rows = this.#prepared<RawHit>(
      `WITH found AS MATERIALIZED (
         SELECT s.package_id AS packageId, s.name, s.published_at AS publishedAt, ${score} AS score
           FROM ${source} WHERE ${conditions.join(' AND ')}
       ), page AS MATERIALIZED (
         SELECT packageId, max(publishedAt) AS publishedAt, score, name = ? COLLATE NOCASE AS exact, name LIKE ? AS begins
           FROM found GROUP BY name ORDER BY exact DESC, score DESC, begins DESC, publishedAt DESC, name LIMIT ? OFFSET ?
       )
       SELECT s.package_id AS packageId, s.project_id AS projectId, s.name, s.description, s.keywords, s.latest,
         s.published_at AS publishedAt, page.score, (SELECT count(DISTINCT name) FROM found) AS total
         FROM page JOIN package_summaries s ON s.package_id = page.packageId
         ORDER BY page.exact DESC, page.score DESC, page.begins DESC, page.publishedAt DESC, s.name`,
    ).all(...values, text, `${text.replaceAll(/[%_]/g, '')}%`, page.limit, page.offset);
    const total = rows[0]?.total ?? (page.offset === 0 ? 0 : this.#countHits(source, conditions, values));
    return {
      total,
      hits: rows.map(({ total: _total, keywords, ...hit }) => ({ ...hit, keywords: JSON.parse(keywords) as string[] })),
    };
  }

  /** The total for a page past the end. */
  #countHits(source: string, conditions: readonly string[], values: readonly (string | number)[]): number {
    const counted = this.#prepared<{ total: number }>(
      `SELECT count(DISTINCT s.name) AS total FROM ${source} WHERE ${conditions.join(' AND ')}`,
    );
    return counted.get(...values)?.total ?? 0;
  }

  /**
   * How well a hit fits: a word in the name weighs most, one in the readme least. A word that
   * thousands of packages have does not rank them, so weighing each of them is left out.
   */
  #score(match: string | number): string {
    const counted = this.#prepared<{ hits: number }>(
      'SELECT count(*) AS hits FROM (SELECT 1 FROM package_search WHERE package_search MATCH ? LIMIT ?)',
    );
    return (counted.get(match, broadSearch)?.hits ?? 0) < broadSearch
      ? '-bm25(package_search, 10.0, 4.0, 3.0, 0.5)'
      : '0.0';
  }

  usage(
    packages: readonly Pick<SearchHit, 'packageId' | 'name'>[],
    projectIds: readonly number[] | undefined,
    hidden: ReadonlySet<number> = new Set(),
  ): Map<number, PackageUsage> {
    const now = Date.now();
    const downloads = this.#prepared<{ packageId: number; weekly: number; monthly: number }>(
      `SELECT d.package_id AS packageId, sum(iif(d.day >= ?, d.count, 0)) AS weekly, sum(d.count) AS monthly
         FROM json_each(?) w JOIN package_downloads d ON d.package_id = w.value AND d.day >= ? GROUP BY d.package_id`,
    ).all(firstDay(now, 7), JSON.stringify(packages.map(({ packageId }) => packageId)), firstDay(now, 30));
    const within = projectIds ? 'AND s.project_id IN (SELECT value FROM json_each(?))' : '';
    const dependents = this.#prepared<{ name: string; count: number }>(
      `SELECT d.name, count(*) AS count
         FROM json_each(?) w JOIN package_dependencies d ON d.name = w.value
           JOIN package_summaries s ON s.package_id = d.package_id
        WHERE s.name <> d.name AND s.package_id NOT IN (SELECT value FROM json_each(?)) ${within} GROUP BY d.name`,
    ).all(
      JSON.stringify(packages.map(({ name }) => name)),
      JSON.stringify([...hidden]),
      ...(projectIds ? [JSON.stringify(projectIds)] : []),
    );
    const downloadsById = new Map(downloads.map((row) => [row.packageId, row]));
    const dependentsByName = new Map(dependents.map((row) => [row.name, row.count]));
    return new Map(
      packages.map(({ packageId, name }) => {
        const { weekly = 0, monthly = 0 } = downloadsById.get(packageId) ?? {};
        return [packageId, { weekly, monthly, dependents: dependentsByName.get(name) ?? 0 }];
      }),
    );
  }

  namesOfUser(userId: number, projectIds: readonly number[] | undefined): NamedPackage[] {
    return this.#names(
      `k.id IN (SELECT package_id FROM package_maintainers WHERE user_id = ?
         UNION SELECT package_id FROM package_versions WHERE publisher_id = ?)`,
      [userId, userId],
      projectIds,
    );
  }

  namesStarredBy(userId: number, projectIds: readonly number[] | undefined): NamedPackage[] {
    return this.#names('k.id IN (SELECT package_id FROM package_stars WHERE user_id = ?)', [userId], projectIds);
  }

  #names(condition: string, values: readonly number[], projectIds: readonly number[] | undefined): NamedPackage[] {
    const within = projectIds ? 'AND k.project_id IN (SELECT value FROM json_each(?))' : '';
    return this.#prepared<NamedPackage>(
      `SELECT k.id AS packageId, k.project_id AS projectId, k.name FROM packages k WHERE ${condition} ${within}
       ORDER BY k.name, k.id`,
    ).all(...values, ...(projectIds ? [JSON.stringify(projectIds)] : []));
  }
}

/** The first of the last `days` days, today (UTC) among them. */
function firstDay(now: number, days: number): string {
  return dateOf(now - (days - 1) * 86_400_000);
}

function searchConditions(
  query: SearchQuery,
  projectIds: readonly number[] | undefined,
  hidden: ReadonlySet<number>,
): { conditions: string[]; values: (string | number)[] } {
  const conditions = ['s.latest IS NOT NULL'];
  const values: (string | number)[] = [];
  if (query.terms.length > 0) {
    conditions.push('package_search MATCH ?');
    // Quoted, since FTS5 has a language of its own that nobody here means to speak.
    values.push(query.terms.map((term) => `"${term.replaceAll('"', '""')}"*`).join(' '));
  }
  if (projectIds) {
    conditions.push('s.project_id IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(projectIds));
  }
  if (hidden.size > 0) {
    conditions.push('s.package_id NOT IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify([...hidden]));
  }
  if (query.scopes.length > 0) {
    conditions.push('s.scope COLLATE NOCASE IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(query.scopes));
  }
  if (query.keywords.length > 0) {
    conditions.push(
      `NOT EXISTS (SELECT 1 FROM json_each(?) l WHERE NOT EXISTS (
         SELECT 1 FROM json_each(s.keywords) k JOIN json_each(l.value) w ON k.value = w.value COLLATE NOCASE))`,
    );
    values.push(JSON.stringify(query.keywords));
  }
  if (query.people.length > 0) {
    conditions.push(
      `NOT EXISTS (SELECT 1 FROM json_each(?) p WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.username = p.value AND (
         EXISTS (SELECT 1 FROM package_maintainers m WHERE m.package_id = s.package_id AND m.user_id = u.id)
         OR EXISTS (SELECT 1 FROM package_versions v WHERE v.id = s.latest_version_id AND v.publisher_id = u.id))))`,
    );
    values.push(JSON.stringify(query.people));
  }
  if (query.deprecated !== undefined) {
    conditions.push('s.deprecated = ?');
    values.push(query.deprecated ? 1 : 0);
  }
  return { conditions, values };
}

function fromRaw(row: RawSummary): SummaryRow {
  return { ...row, deprecated: row.deprecated === 1 };
}
