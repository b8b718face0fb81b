import type { Advisory, AdvisoryStore, Severity, StoredAdvisory } from '../../../registry/advisories/advisory.ts';
import type { Sqlite } from '../sqlite.ts';

interface AdvisoryRow {
  readonly id: number;
  readonly sourceId: string;
  readonly packageName: string;
  readonly npmId: number | null;
  readonly title: string;
  readonly url: string;
  readonly severity: Severity;
  readonly vulnerableVersions: string;
  readonly patchedVersions: string;
  readonly overview: string;
  readonly cwe: string;
  readonly cves: string;
  readonly score: number;
  readonly vectorString: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Advisories in SQLite. */
export class SqliteAdvisoryStore implements AdvisoryStore {
  readonly #of;
  readonly #count;
  readonly #delete;
  readonly #insert;
  readonly #clear;

  constructor(sqlite: Sqlite) {
    this.#of = sqlite.prepare<[string], AdvisoryRow>(
      `SELECT id, source_id AS sourceId, package_name AS packageName, npm_id AS npmId, title, url, severity,
         vulnerable_versions AS vulnerableVersions, patched_versions AS patchedVersions, overview, cwe, cves, cvss_score AS score,
         cvss_vector AS vectorString, created_at AS createdAt, updated_at AS updatedAt
       FROM advisories WHERE package_name = ? ORDER BY id`,
    );
    this.#count = sqlite.prepare<[], { advisories: number; packages: number; importedAt: number | null }>(
      `SELECT count(*) AS advisories, count(DISTINCT package_name) AS packages, max(imported_at) AS importedAt FROM advisories`,
    );
    this.#delete = sqlite.prepare<[string]>('DELETE FROM advisories WHERE source_id = ?');
    this.#insert = sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO advisories (source_id, package_name, npm_id, title, url, severity, vulnerable_versions, patched_versions, overview,
         cwe, cves, cvss_score, cvss_vector, created_at, updated_at, imported_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#clear = sqlite.prepare<[]>('DELETE FROM advisories');
  }

  of(packageName: string): StoredAdvisory[] {
    return this.#of.all(packageName).map(({ cwe, cves, score, vectorString, ...row }) => ({
      ...row,
      cwe: JSON.parse(cwe) as string[],
      cves: JSON.parse(cves) as string[],
      cvss: { score, vectorString },
    }));
  }

  count(): { advisories: number; packages: number; importedAt: number | null } {
    return this.#count.get() ?? { advisories: 0, packages: 0, importedAt: null };
  }

  replace(sourceId: string, advisories: readonly Advisory[], now: number): void {
    this.#delete.run(sourceId);
    for (const advisory of advisories) {
      this.#insert.run(
        advisory.sourceId,
        advisory.packageName,
        advisory.npmId,
        advisory.title,
        advisory.url,
        advisory.severity,
        advisory.vulnerableVersions,
        advisory.patchedVersions,
        advisory.overview,
        JSON.stringify(advisory.cwe),
        JSON.stringify(advisory.cves),
        advisory.cvss.score,
        advisory.cvss.vectorString,
        advisory.createdAt,
        advisory.updatedAt,
        now,
      );
    }
  }

  clear(): number {
    return this.#clear.run().changes;
  }
}
