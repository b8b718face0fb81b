import type { DependentCandidate, DependentStore } from '../../../registry/packuments/dependencies.ts';
import type { Sqlite } from '../sqlite.ts';

/** Finds packages by what their manifests mention. */
export function sqliteDependents(sqlite: Sqlite): DependentStore {
  const statements = prepareStatements(sqlite);
  return {
    mentioning: (name) => statements.mentioning.all(`${JSON.stringify(name)}:`),
    findByName: (name, preferredProjectId) => {
      const found = statements.byName.get(name, preferredProjectId);
      if (found === undefined) return undefined;
      return {
        packageId: found.packageId,
        versions: statements.versions.all(found.packageId).map((row) => row.version),
      };
    },
  };
}

function prepareStatements(sqlite: Sqlite) {
  return {
    // A scan of the latest manifests: some milliseconds for thousands, and asked only when somebody looks.
    mentioning: sqlite.prepare<[string], DependentCandidate>(
      `SELECT summary.package_id AS packageId, summary.name, version.version, version.manifest
         FROM package_summaries summary JOIN package_versions version ON version.id = summary.latest_version_id
        WHERE instr(version.manifest, ?) > 0`,
    ),
    byName: sqlite.prepare<[string, number], { packageId: number }>(
      `SELECT package_id AS packageId FROM package_summaries
        WHERE name = ? ORDER BY project_id = ? DESC, published_at DESC LIMIT 1`,
    ),
    versions: sqlite.prepare<[number], { version: string }>(
      'SELECT version FROM package_versions WHERE package_id = ?',
    ),
  };
}
