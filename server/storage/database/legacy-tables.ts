import type { Sqlite } from './sqlite.ts';
import { PackageSummaries } from './stores/package-summaries.ts';

/*
 * Versions up to 0.1 left work for later in two tables, which migration 0007 drops. This does that work first. Remove together with
 * `legacy-commit-log.ts`.
 */

/** Brings the summaries up to date that an older version left stale; to be called before `migrate`. */
export function settleLegacyTables(sqlite: Sqlite): void {
  if (hasTable(sqlite, 'stale_summaries')) refreshStaleSummaries(sqlite);
}

function refreshStaleSummaries(sqlite: Sqlite): void {
  const stale = sqlite.prepare<[], number>('SELECT package_id FROM stale_summaries').pluck().all();
  if (stale.length === 0) return;
  const summaries = new PackageSummaries(sqlite);
  sqlite.transaction(() => stale.forEach((id) => summaries.refresh(id))).immediate();
}

function hasTable(sqlite: Sqlite, name: string): boolean {
  return sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined;
}
