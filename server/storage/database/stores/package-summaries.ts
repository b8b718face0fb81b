import { computedLatest } from '../../../registry/package-version.ts';
import { declaredDependencies } from '../../../registry/packuments/dependencies.ts';
import { baseNameOf, scopeOf } from '../../../registry/package-name.ts';
import type { Sqlite } from '../sqlite.ts';

interface Latest {
  readonly id: number;
  readonly version: string;
  readonly manifest: string;
  readonly deprecated: string | null;
  readonly readme: string | null;
}

/** Readme text beyond this length adds nothing to a search and much to its index. */
const indexedReadme = 20_000;

/** What lists and searches show of packages: a row per package and its words in the search index, derived from its versions and tags. */
export class PackageSummaries {
  readonly #package;
  readonly #facts;
  readonly #latestByTag;
  readonly #latestByVersion;
  readonly #versionNames;
  readonly #save;
  readonly #dependencies;
  readonly #unindex;
  readonly #index;

  constructor(sqlite: Sqlite) {
    this.#package = sqlite.prepare<[number], { projectId: number; name: string }>(
      'SELECT project_id AS projectId, name FROM packages WHERE id = ?',
    );
    this.#facts = sqlite.prepare<
      [number, number],
      { versions: number; size: number; publishedAt: number; tags: number }
    >(
      `SELECT count(*) AS versions, coalesce(sum(size), 0) AS size, coalesce(max(published_at), 0) AS publishedAt,
         (SELECT count(*) FROM dist_tags WHERE package_id = ?) AS tags
       FROM package_versions WHERE package_id = ?`,
    );
    const columns = `v.id, v.version, v.manifest, v.deprecated, r.readme
      FROM package_versions v LEFT JOIN version_readmes r ON r.version_id = v.id`;
    this.#latestByTag = sqlite.prepare<[number], Latest>(
      `SELECT ${columns} JOIN dist_tags t ON t.version_id = v.id AND t.tag = 'latest' WHERE t.package_id = ?`,
    );
    this.#latestByVersion = sqlite.prepare<[number, string], Latest>(
      `SELECT ${columns} WHERE v.package_id = ? AND v.version = ?`,
    );
    this.#versionNames = sqlite
      .prepare<[number], string>('SELECT version FROM package_versions WHERE package_id = ?')
      .pluck();
    this.#save = sqlite.prepare<(string | number | null)[]>(
      `INSERT OR REPLACE INTO package_summaries (package_id, project_id, name, scope, description, keywords, latest_version_id, latest,
         deprecated, version_count, tag_count, total_size, published_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    // A database that is being brought up to date gets this table, filled, by a later step.
    const hasDependencies = sqlite
      .prepare<[], number>(`SELECT 1 FROM sqlite_schema WHERE name = 'package_dependencies'`)
      .pluck()
      .get();
    this.#dependencies = hasDependencies !== undefined && {
      names: sqlite.prepare<[number], string>('SELECT name FROM package_dependencies WHERE package_id = ?').pluck(),
      forget: sqlite.prepare<[number]>('DELETE FROM package_dependencies WHERE package_id = ?'),
      add: sqlite.prepare<[number, string]>(
        'INSERT INTO package_dependencies (package_id, name) SELECT ?, value FROM json_each(?)',
      ),
    };
    this.#unindex = sqlite.prepare<[number]>('DELETE FROM package_search WHERE rowid = ?');
    this.#index = sqlite.prepare<[number, string, string, string, string]>(
      'INSERT INTO package_search (rowid, name, description, keywords, readme) VALUES (?, ?, ?, ?, ?)',
    );
  }

  /** Derives the summary of a package again; part of the transaction that changes the package. */
  refresh(packageId: number): void {
    const row = this.#package.get(packageId);
    const facts = this.#facts.get(packageId, packageId);
    if (!row || !facts) return;
    const latest = this.#latestOf(packageId);
    const manifest = latest ? (JSON.parse(latest.manifest) as Record<string, unknown>) : {};
    const description = typeof manifest['description'] === 'string' ? manifest['description'] : '';
    const keywords = Array.isArray(manifest['keywords'])
      ? manifest['keywords'].filter((word): word is string => typeof word === 'string')
      : [];
    this.#save.run(
      packageId,
      row.projectId,
      row.name,
      scopeOf(row.name),
      description,
      JSON.stringify(keywords),
      latest?.id ?? null,
      latest?.version ?? null,
      latest?.deprecated === null || latest === undefined ? 0 : 1,
      facts.versions,
      facts.tags,
      facts.size,
      facts.publishedAt,
    );
    this.#saveDependencies(packageId, manifest);
    this.#unindex.run(packageId);
    this.#index.run(
      packageId,
      searchableName(row.name),
      description,
      keywords.join(' '),
      (latest?.readme ?? '').slice(0, indexedReadme),
    );
  }

  #saveDependencies(packageId: number, manifest: Readonly<Record<string, unknown>>): void {
    if (!this.#dependencies) return;
    const { names: stored, forget, add } = this.#dependencies;
    const declared = declaredDependencies(manifest).filter(({ kind }) => kind !== 'devDependencies');
    const names = JSON.stringify([...new Set(declared.map(({ name }) => name))].toSorted());
    // Most publishes change none.
    if (names === JSON.stringify(stored.all(packageId).toSorted())) return;
    forget.run(packageId);
    add.run(packageId, names);
  }

  #latestOf(packageId: number): Latest | undefined {
    const tagged = this.#latestByTag.get(packageId);
    if (tagged) return tagged;
    const computed = computedLatest(this.#versionNames.all(packageId));
    return computed === undefined ? undefined : this.#latestByVersion.get(packageId, computed);
  }
}

/** A name's parts and the name run together, so that `reactdom`, `react dom` and `dom` all find `react-dom`. */
function searchableName(name: string): string {
  return `${name} ${baseNameOf(name).replaceAll(/[^A-Za-z0-9]/g, '')}`;
}
