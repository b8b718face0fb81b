import { computedLatest } from '../../../registry/package-version.ts';
import { baseNameOf, scopeOf } from '../../../registry/package-name.ts';
import { writeDerived } from '../late-statement.ts';
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

/** Milliseconds without a change after which summaries are brought up to date, if nobody asks for them before. */
const restTime = 40;
/** Packages of which one turn of the event loop takes care. */
const perTurn = 32;
/** From so many on, summaries are brought up to date however busy it is. */
const mostStale = 1024;

/**
 * Keeps what lists and searches show of packages true. A change only notes that a package's summary is out of date, in the change's own
 * transaction; the summary follows together with others, at the latest when somebody reads one.
 */
export class PackageSummarizer {
  readonly #sqlite: Sqlite;
  readonly #note;
  readonly #stale;
  readonly #forget;
  #staleCount = 0;
  #timer: NodeJS.Timeout | undefined;
  #notedAt = 0;
  readonly #package;
  readonly #facts;
  readonly #latestByTag;
  readonly #latestByVersion;
  readonly #versionNames;
  readonly #save;
  readonly #unindex;
  readonly #index;

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
    this.#note = sqlite.prepare<[number]>('INSERT INTO stale_summaries (package_id) VALUES (?) ON CONFLICT DO NOTHING');
    this.#stale = sqlite
      .prepare<[number], number>('SELECT package_id FROM stale_summaries ORDER BY package_id LIMIT ?')
      .pluck();
    this.#forget = sqlite.prepare<[number]>('DELETE FROM stale_summaries WHERE package_id = ?');
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
    this.#unindex = sqlite.prepare<[number]>('DELETE FROM package_search WHERE rowid = ?');
    this.#index = sqlite.prepare<[number, string, string, string, string]>(
      'INSERT INTO package_search (rowid, name, description, keywords, readme) VALUES (?, ?, ?, ?, ?)',
    );
    this.reload();
  }

  /** Notes that a package changed; inside the transaction of the change. */
  note(packageId: number): void {
    this.#note.run(packageId);
    this.#staleCount += 1;
    this.#notedAt = performance.now();
    if (!this.#timer) this.#restIn(restTime);
  }

  /** Brings every summary up to date, before somebody reads them. */
  settle(): void {
    if (this.#staleCount === 0) return;
    let settled: number | undefined;
    do settled = this.#settleSome();
    while (settled === perTurn);
    if (settled === undefined) return;
    this.#staleCount = this.#leftWhenSettled();
  }

  /** A transaction that is still open may be rolled back, and what it settled with it; so somebody looks again later. */
  #leftWhenSettled(): number {
    return this.#sqlite.inTransaction ? 1 : 0;
  }

  /** Brings up to date what can be; what a full disk prevents is noted in the database for the next start. */
  end(): void {
    clearTimeout(this.#timer);
    try {
      this.settle();
    } catch {
      // Noted already.
    }
  }

  /** Looks anew for what is out of date, after somebody else wrote to the database. */
  reload(): void {
    this.#staleCount = Math.max(this.#stale.all(1).length, this.#leftWhenSettled());
    if (this.#staleCount > 0 && !this.#timer) this.#restIn(restTime);
  }

  #restIn(delay: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#rest();
    }, delay).unref();
  }

  #rest(): void {
    if (!this.#sqlite.open || this.#staleCount === 0) return;
    if (this.#staleCount < mostStale && performance.now() - this.#notedAt < restTime) {
      this.#restIn(restTime);
      return;
    }
    try {
      const settled = this.#settleSome();
      if (settled === perTurn) {
        this.#staleCount = Math.max(1, this.#staleCount - perTurn);
        this.#restIn(0);
        return;
      }
      if (settled !== undefined) this.#staleCount = this.#leftWhenSettled();
      if (this.#staleCount > 0) this.#restIn(restTime);
    } catch {
      // A full disk: it is tried again by whoever reads next.
    }
  }

  /** Answers how many it brought up to date; undefined if nothing can be written now. */
  #settleSome(): number | undefined {
    let settled = 0;
    const isDone = writeDerived(this.#sqlite, () => {
      for (const id of this.#stale.all(perTurn)) {
        this.refresh(id);
        this.#forget.run(id);
        settled += 1;
      }
    });
    return isDone ? settled : undefined;
  }

  /** Works out the summary of a package anew, inside a transaction. */
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
    this.#unindex.run(packageId);
    this.#index.run(
      packageId,
      searchableName(row.name),
      description,
      keywords.join(' '),
      (latest?.readme ?? '').slice(0, indexedReadme),
    );
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
