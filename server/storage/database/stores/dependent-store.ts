import type { DependentCandidate, DependentStore } from '../../../registry/packuments/dependencies.ts';
import type { Sqlite } from '../sqlite.ts';

/** Finds packages by what their manifests mention. */
export class SqliteDependentStore implements DependentStore {
  readonly #mentioning;
  readonly #byName;
  readonly #versions;

  constructor(sqlite: Sqlite) {
    // A scan of the latest manifests: some milliseconds for thousands, and asked only when somebody looks.
    this.#mentioning = sqlite.prepare<[string], DependentCandidate>(
      `SELECT summary.package_id AS packageId, summary.name, version.version, version.manifest
         FROM package_summaries summary JOIN package_versions version ON version.id = summary.latest_version_id
        WHERE instr(version.manifest, ?) > 0`,
    );
    this.#byName = sqlite.prepare<[string, number], { packageId: number }>(
      `SELECT package_id AS packageId FROM package_summaries
        WHERE name = ? ORDER BY project_id = ? DESC, published_at DESC LIMIT 1`,
    );
    this.#versions = sqlite.prepare<[number], { version: string }>(
      'SELECT version FROM package_versions WHERE package_id = ?',
    );
  }

  mentioning(name: string): DependentCandidate[] {
    return this.#mentioning.all(`${JSON.stringify(name)}:`);
  }

  findByName(name: string, preferredProjectId: number): { packageId: number; versions: string[] } | undefined {
    const found = this.#byName.get(name, preferredProjectId);
    if (found === undefined) return undefined;
    return { packageId: found.packageId, versions: this.#versions.all(found.packageId).map((row) => row.version) };
  }
}
