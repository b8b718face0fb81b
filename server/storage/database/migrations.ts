import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../../lib/startup-error.ts';
import type { Sqlite } from './sqlite.ts';

/** One numbered step from a schema to the next. `sha256` is that of the text, in hex. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

const migrationFile = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/** Reads the migrations that ship with this version (`migrations/NNNN-name.sql` beside the program), in order. */
export function shippedMigrations(folder = fileURLToPath(new URL('./migrations/', import.meta.url))): Migration[] {
  return readdirSync(folder)
    .flatMap((file) => {
      const match = migrationFile.exec(file);
      if (!match) return [];
      const sql = readFileSync(`${folder}/${file}`, 'utf8').replaceAll('\r\n', '\n');
      return [
        { number: Number(match[1]), name: match[2] ?? '', sql, sha256: createHash('sha256').update(sql).digest('hex') },
      ];
    })
    .toSorted((a, b) => a.number - b.number);
}

/**
 * Brings the schema up to date in one transaction, and stores the hash of each step: if one fails, the database stays as it was, and the
 * version that wrote it can still use it.
 * @throws StartupError `schemaTooNew` if a newer Gatehouse wrote this database, `migrationFailed` if a step fails or if one that was
 * applied has another text than the one shipped.
 */
export function migrate(sqlite: Sqlite, migrations: readonly Migration[], now = Date.now()): void {
  sqlite.exec(
    `CREATE TABLE IF NOT EXISTS schema_migrations (
       number INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL
     ) STRICT`,
  );
  const applied = requireKnownSchema(sqlite, migrations);
  const done = new Set(applied);
  const remember = sqlite.prepare<[number, string, string, number]>(
    'INSERT INTO schema_migrations (number, name, sha256, applied_at) VALUES (?, ?, ?, ?)',
  );
  const missing = migrations.filter(({ number }) => !done.has(number));
  if (missing.length === 0) return;
  sqlite
    .transaction(() => {
      for (const migration of missing) {
        take(sqlite, migration);
        remember.run(migration.number, migration.name, migration.sha256, now);
      }
    })
    .immediate();
}

function take(sqlite: Sqlite, { number, name, sql }: Migration): void {
  try {
    sqlite.exec(sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      'migrationFailed',
      `Schema step ${number} "${name}" failed, and nothing was changed: ${reason}`,
      { cause: error },
    );
  }
}

/** Numbers of the steps that were applied to a database, which is only read. @throws StartupError as `migrate`. */
export function requireKnownSchema(sqlite: Sqlite, migrations: readonly Migration[]): number[] {
  if (!sqlite.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'`).get()) return [];
  const applied = sqlite
    .prepare<[], { number: number; name: string; sha256: string }>(
      'SELECT number, name, sha256 FROM schema_migrations ORDER BY number',
    )
    .all();
  const known = new Map(migrations.map((migration) => [migration.number, migration]));

  for (const row of applied) {
    const shipped = known.get(row.number);
    if (!shipped) {
      throw new StartupError(
        'schemaTooNew',
        `The data folder was last used by a newer Gatehouse (its schema has step ${row.number} "${row.name}", this version knows ${migrations.length}).`,
        { advice: 'Nothing was changed. Update Gatehouse, or use another data folder.' },
      );
    }
    if (shipped.sha256 !== row.sha256) {
      throw new StartupError(
        'migrationFailed',
        `Schema step ${row.number} "${row.name}" differs from the one that was applied to this data folder. Reinstall Gatehouse; nothing was changed.`,
      );
    }
  }

  return applied.map((row) => row.number);
}
