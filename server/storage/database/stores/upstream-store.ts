import type { CachedTarballRow, PackumentRow, UpstreamRow, UpstreamStore } from '../../../upstream/upstream-store.ts';
import type { Sqlite } from '../sqlite.ts';
import type { MetaStore } from './meta-store.ts';

interface RawUpstream extends Omit<
  UpstreamRow,
  'scopes' | 'enabled' | 'minimumAgeExceptions' | 'pushSelection' | 'pushFrom' | 'autoPush'
> {
  readonly scopes: string;
  readonly enabled: number;
  readonly minimumAgeExceptions: string;
  readonly pushSelection: string;
  readonly pushFrom: string | null;
  readonly autoPush: number;
}

const upstreamColumns = `id, name, kind, url, push_url AS pushUrl, scopes, enabled, minimum_age_days AS minimumAgeDays,
  minimum_age_exceptions AS minimumAgeExceptions, fresh_seconds AS freshSeconds, budget_milliseconds AS budgetMilliseconds,
  timeout_milliseconds AS timeoutMilliseconds,  push_selection AS pushSelection, push_from AS pushFrom, auto_push AS autoPush, token`;
const packumentColumns = `upstream_id AS upstreamId, name, revision, etag, validated_at AS validatedAt, version_count AS versionCount`;
const tarballColumns = `upstream_id AS upstreamId, name, version, sha512, integrity, size, fetched_at AS fetchedAt`;

/** Other registries and what was fetched from them, in SQLite. */
export function sqliteUpstreams(sqlite: Sqlite, meta: MetaStore): UpstreamStore {
  const statements = prepareStatements(sqlite);
  return {
    list: () =>
      statements.list.all().map((raw) => ({
        ...raw,
        scopes: JSON.parse(raw.scopes) as string[],
        enabled: raw.enabled === 1,
        minimumAgeExceptions: JSON.parse(raw.minimumAgeExceptions) as string[],
        pushSelection: JSON.parse(raw.pushSelection) as string[],
        pushFrom: raw.pushFrom === null ? null : (JSON.parse(raw.pushFrom) as UpstreamRow['pushFrom']),
        autoPush: raw.autoPush === 1,
      })),
    insert: (row, now) => Number(statements.insert.run(...valuesOf(row), now, now).lastInsertRowid),
    update: (row, now) => void statements.update.run(...valuesOf(row), now, row.id),
    remove: (id) => void statements.remove.run(id),
    packument: (upstreamId, name) => statements.packument.get(upstreamId, name),
    packumentBody: (upstreamId, name) => statements.body.get(upstreamId, name),
    putPackument: (row, body) => {
      const { upstreamId, name, etag, validatedAt, versionCount } = row;
      // Starts at the time, so that a package that is dropped and fetched again never has a revision twice.
      return (
        statements.putPackument.get(upstreamId, name, validatedAt, etag, validatedAt, versionCount, body) ?? validatedAt
      );
    },
    touchPackument: (upstreamId, name, etag, now) => void statements.touchPackument.run(now, etag, upstreamId, name),
    cached: (filter, page) => {
      const upstream = filter.upstreamId ?? null;
      const rows = statements.cached.all(upstream, upstream, filter.search, page.limit, page.offset);
      return {
        total: statements.countCached.get(upstream, upstream, filter.search) ?? 0,
        rows: rows.map(({ upstreamId, name, validatedAt, versionCount }) => {
          const tarballs = statements.tarballsOf.all(upstreamId, name);
          return {
            upstreamId,
            name,
            validatedAt,
            versionCount,
            cachedVersions: tarballs.map((tarball) => tarball.version),
            bytes: tarballs.reduce((sum, tarball) => sum + tarball.size, 0),
          };
        }),
      };
    },
    cacheSize: (upstreamId) =>
      statements.cacheSize.get(upstreamId, upstreamId) ?? { packages: 0, tarballs: 0, bytes: 0 },
    tarball: (upstreamId, name, version) => statements.tarball.get(upstreamId, name, version),
    tarballsOf: (upstreamId, name) => statements.tarballsOf.all(upstreamId, name),
    putTarball: (row) => {
      const { upstreamId, name, version, sha512, integrity, size, fetchedAt } = row;
      statements.putTarball.run(upstreamId, name, version, sha512, integrity, size, fetchedAt);
    },
    dropTarball: (upstreamId, name, version) => void statements.dropTarball.run(upstreamId, name, version),
    dropCached: (upstreamId, name) => {
      const which = name ?? null;
      const contents = statements.contentsOf.all(upstreamId, which, which);
      statements.dropTarballs.run(upstreamId, which, which);
      statements.dropPackuments.run(upstreamId, which, which);
      return contents;
    },
    localScopes: () => statements.localScopes.all(),
    localNames: () => statements.localNames.all(),
    setting: (key) => meta.get(key),
    setSetting: (key, value) => meta.set(key, value),
  };
}

function prepareStatements(sqlite: Sqlite) {
  const filter = `FROM upstream_packuments WHERE (? IS NULL OR upstream_id = ?) AND instr(lower(name), lower(?)) > 0`;
  const ofPackage = 'upstream_id = ? AND (? IS NULL OR name = ?)';
  return {
    list: sqlite.prepare<[], RawUpstream>(`SELECT ${upstreamColumns} FROM upstreams ORDER BY id`),
    insert: sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO upstreams (name, kind, url, push_url, scopes, enabled, minimum_age_days, minimum_age_exceptions, fresh_seconds,
         budget_milliseconds, timeout_milliseconds, push_selection, push_from, auto_push, token, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    update: sqlite.prepare<(string | number | null)[]>(
      `UPDATE upstreams SET name = ?, kind = ?, url = ?, push_url = ?, scopes = ?, enabled = ?, minimum_age_days = ?,
         minimum_age_exceptions = ?, fresh_seconds = ?, budget_milliseconds = ?, timeout_milliseconds = ?, push_selection = ?, push_from = ?, auto_push = ?, token = ?,
         updated_at = ? WHERE id = ?`,
    ),
    remove: sqlite.prepare<[number]>('DELETE FROM upstreams WHERE id = ?'),
    packument: sqlite.prepare<[number, string], PackumentRow>(
      `SELECT ${packumentColumns} FROM upstream_packuments WHERE upstream_id = ? AND name = ?`,
    ),
    body: sqlite
      .prepare<[number, string], Buffer>('SELECT body FROM upstream_packuments WHERE upstream_id = ? AND name = ?')
      .pluck(),
    putPackument: sqlite
      .prepare<[number, string, number, string | null, number, number, Buffer], number>(
        `INSERT INTO upstream_packuments (upstream_id, name, revision, etag, validated_at, version_count, body)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (upstream_id, name) DO UPDATE SET revision = max(revision + 1, excluded.revision), etag = excluded.etag,
           validated_at = excluded.validated_at, version_count = excluded.version_count, body = excluded.body
         RETURNING revision`,
      )
      .pluck(),
    touchPackument: sqlite.prepare<[number, string | null, number, string]>(
      'UPDATE upstream_packuments SET validated_at = ?, etag = coalesce(?, etag) WHERE upstream_id = ? AND name = ?',
    ),

    countCached: sqlite.prepare<[number | null, number | null, string], number>(`SELECT count(*) ${filter}`).pluck(),
    cached: sqlite.prepare<[number | null, number | null, string, number, number], PackumentRow>(
      `SELECT ${packumentColumns} ${filter} ORDER BY name, upstream_id LIMIT ? OFFSET ?`,
    ),
    cacheSize: sqlite.prepare<[number, number], { packages: number; tarballs: number; bytes: number }>(
      `SELECT (SELECT count(*) FROM upstream_packuments WHERE upstream_id = ?) AS packages,
         count(*) AS tarballs, coalesce(sum(size), 0) AS bytes FROM upstream_tarballs WHERE upstream_id = ?`,
    ),
    tarball: sqlite.prepare<[number, string, string], CachedTarballRow>(
      `SELECT ${tarballColumns} FROM upstream_tarballs WHERE upstream_id = ? AND name = ? AND version = ?`,
    ),
    tarballsOf: sqlite.prepare<[number, string], CachedTarballRow>(
      `SELECT ${tarballColumns} FROM upstream_tarballs WHERE upstream_id = ? AND name = ? ORDER BY fetched_at, version`,
    ),
    putTarball: sqlite.prepare<[number, string, string, string, string, number, number]>(
      `INSERT INTO upstream_tarballs (upstream_id, name, version, sha512, integrity, size, fetched_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (upstream_id, name, version) DO UPDATE SET sha512 = excluded.sha512, integrity = excluded.integrity,
         size = excluded.size, fetched_at = excluded.fetched_at`,
    ),
    dropTarball: sqlite.prepare<[number, string, string]>(
      'DELETE FROM upstream_tarballs WHERE upstream_id = ? AND name = ? AND version = ?',
    ),

    contentsOf: sqlite
      .prepare<[number, string | null, string | null], string>(
        `SELECT DISTINCT sha512 FROM upstream_tarballs WHERE ${ofPackage}`,
      )
      .pluck(),
    dropTarballs: sqlite.prepare<[number, string | null, string | null]>(
      `DELETE FROM upstream_tarballs WHERE ${ofPackage}`,
    ),
    dropPackuments: sqlite.prepare<[number, string | null, string | null]>(
      `DELETE FROM upstream_packuments WHERE ${ofPackage}`,
    ),
    localScopes: sqlite
      .prepare<[], string>('SELECT DISTINCT scope FROM package_summaries WHERE scope IS NOT NULL ORDER BY scope')
      .pluck(),
    localNames: sqlite.prepare<[], string>('SELECT DISTINCT name FROM packages ORDER BY name').pluck(),
  };
}

function valuesOf(row: Omit<UpstreamRow, 'id'>): (string | number | null)[] {
  return [
    row.name,
    row.kind,
    row.url,
    row.pushUrl,
    JSON.stringify(row.scopes),
    row.enabled ? 1 : 0,
    row.minimumAgeDays,
    JSON.stringify(row.minimumAgeExceptions),
    row.freshSeconds,
    row.budgetMilliseconds,
    row.timeoutMilliseconds,
    JSON.stringify(row.pushSelection),
    row.pushFrom === null ? null : JSON.stringify(row.pushFrom),
    row.autoPush ? 1 : 0,
    row.token,
  ];
}
