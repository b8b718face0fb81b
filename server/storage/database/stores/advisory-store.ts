import type { AdvisoryStore, Severity } from '../../../registry/advisories/advisory.ts';
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
export function sqliteAdvisories(sqlite: Sqlite): AdvisoryStore {
  const statements = prepareStatements(sqlite);
  return {
    of: (packageName) =>
      statements.of.all(packageName).map(({ cwe, cves, score, vectorString, ...row }) => ({
        ...row,
        cwe: JSON.parse(cwe) as string[],
        cves: JSON.parse(cves) as string[],
        cvss: { score, vectorString },
      })),
    count: () => statements.count.get() ?? { advisories: 0, packages: 0, importedAt: null },
    replace: (sourceId, advisories, now) => {
      statements.delete.run(sourceId);
      for (const advisory of advisories) {
        statements.insert.run(
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
    },
    clear: () => statements.clear.run().changes,
  };
}

function prepareStatements(sqlite: Sqlite) {
  return {
    of: sqlite.prepare<[string], AdvisoryRow>(
      `SELECT id, source_id AS sourceId, package_name AS packageName, npm_id AS npmId, title, url, severity,
         vulnerable_versions AS vulnerableVersions, patched_versions AS patchedVersions, overview, cwe, cves, cvss_score AS score,
         cvss_vector AS vectorString, created_at AS createdAt, updated_at AS updatedAt
       FROM advisories WHERE package_name = ? ORDER BY id`,
    ),
    count: sqlite.prepare<[], { advisories: number; packages: number; importedAt: number | null }>(
      `SELECT count(*) AS advisories, count(DISTINCT package_name) AS packages, max(imported_at) AS importedAt FROM advisories`,
    ),
    delete: sqlite.prepare<[string]>('DELETE FROM advisories WHERE source_id = ?'),
    insert: sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO advisories (source_id, package_name, npm_id, title, url, severity, vulnerable_versions, patched_versions, overview,
         cwe, cves, cvss_score, cvss_vector, created_at, updated_at, imported_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    clear: sqlite.prepare<[]>('DELETE FROM advisories'),
  };
}
