import type {
  CachedSummary,
  CachedTarballRow,
  PackumentRow,
  UpstreamRow,
  UpstreamStore,
} from '../../../upstream/upstream-store.ts';
import type { Sqlite } from '../sqlite.ts';
import type { MetaStore } from './meta-store.ts';

interface RawUpstream extends Omit<
  UpstreamRow,
  'scopes' | 'enabled' | 'minimumAgeExceptions' | 'pushSelection' | 'autoPush'
> {
  readonly scopes: string;
  readonly enabled: number;
  readonly minimumAgeExceptions: string;
  readonly pushSelection: string;
  readonly autoPush: number;
}

const upstreamColumns = `id, name, kind, url, push_url AS pushUrl, scopes, enabled, minimum_age_days AS minimumAgeDays,
  minimum_age_exceptions AS minimumAgeExceptions, fresh_seconds AS freshSeconds, budget_milliseconds AS budgetMilliseconds,
  push_selection AS pushSelection, auto_push AS autoPush, token`;
const packumentColumns = `upstream_id AS upstreamId, name, revision, etag, validated_at AS validatedAt, version_count AS versionCount`;
const tarballColumns = `upstream_id AS upstreamId, name, version, sha512, integrity, size, fetched_at AS fetchedAt`;

/** Other registries and what was fetched from them, in SQLite. */
export class SqliteUpstreamStore implements UpstreamStore {
  readonly #meta: MetaStore;
  readonly #list;
  readonly #insert;
  readonly #update;
  readonly #remove;
  readonly #packument;
  readonly #body;
  readonly #putPackument;
  readonly #touchPackument;
  readonly #countCached;
  readonly #cached;
  readonly #cacheSize;
  readonly #tarball;
  readonly #tarballsOf;
  readonly #putTarball;
  readonly #dropTarball;
  readonly #contentsOf;
  readonly #dropTarballs;
  readonly #dropPackuments;
  readonly #hasLocalScope;
  readonly #localScopes;
  readonly #localNames;

  constructor(sqlite: Sqlite, meta: MetaStore) {
    this.#meta = meta;
    this.#list = sqlite.prepare<[], RawUpstream>(`SELECT ${upstreamColumns} FROM upstreams ORDER BY id`);
    this.#insert = sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO upstreams (name, kind, url, push_url, scopes, enabled, minimum_age_days, minimum_age_exceptions, fresh_seconds,
         budget_milliseconds, push_selection, auto_push, token, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#update = sqlite.prepare<(string | number | null)[]>(
      `UPDATE upstreams SET name = ?, kind = ?, url = ?, push_url = ?, scopes = ?, enabled = ?, minimum_age_days = ?,
         minimum_age_exceptions = ?, fresh_seconds = ?, budget_milliseconds = ?, push_selection = ?, auto_push = ?, token = ?,
         updated_at = ? WHERE id = ?`,
    );
    this.#remove = sqlite.prepare<[number]>('DELETE FROM upstreams WHERE id = ?');
    this.#packument = sqlite.prepare<[number, string], PackumentRow>(
      `SELECT ${packumentColumns} FROM upstream_packuments WHERE upstream_id = ? AND name = ?`,
    );
    this.#body = sqlite
      .prepare<[number, string], Buffer>('SELECT body FROM upstream_packuments WHERE upstream_id = ? AND name = ?')
      .pluck();
    this.#putPackument = sqlite
      .prepare<[number, string, number, string | null, number, number, Buffer], number>(
        `INSERT INTO upstream_packuments (upstream_id, name, revision, etag, validated_at, version_count, body)
         VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (upstream_id, name) DO UPDATE SET revision = max(revision + 1, excluded.revision), etag = excluded.etag,
           validated_at = excluded.validated_at, version_count = excluded.version_count, body = excluded.body
         RETURNING revision`,
      )
      .pluck();
    this.#touchPackument = sqlite.prepare<[number, string | null, number, string]>(
      'UPDATE upstream_packuments SET validated_at = ?, etag = coalesce(?, etag) WHERE upstream_id = ? AND name = ?',
    );
    const filter = `FROM upstream_packuments WHERE (? IS NULL OR upstream_id = ?) AND instr(lower(name), lower(?)) > 0`;
    this.#countCached = sqlite
      .prepare<[number | null, number | null, string], number>(`SELECT count(*) ${filter}`)
      .pluck();
    this.#cached = sqlite.prepare<[number | null, number | null, string, number, number], PackumentRow>(
      `SELECT ${packumentColumns} ${filter} ORDER BY name, upstream_id LIMIT ? OFFSET ?`,
    );
    this.#cacheSize = sqlite.prepare<[number, number], { packages: number; tarballs: number; bytes: number }>(
      `SELECT (SELECT count(*) FROM upstream_packuments WHERE upstream_id = ?) AS packages,
         count(*) AS tarballs, coalesce(sum(size), 0) AS bytes FROM upstream_tarballs WHERE upstream_id = ?`,
    );
    this.#tarball = sqlite.prepare<[number, string, string], CachedTarballRow>(
      `SELECT ${tarballColumns} FROM upstream_tarballs WHERE upstream_id = ? AND name = ? AND version = ?`,
    );
    this.#tarballsOf = sqlite.prepare<[number, string], CachedTarballRow>(
      `SELECT ${tarballColumns} FROM upstream_tarballs WHERE upstream_id = ? AND name = ? ORDER BY fetched_at, version`,
    );
    this.#putTarball = sqlite.prepare<[number, string, string, string, string, number, number]>(
      `INSERT INTO upstream_tarballs (upstream_id, name, version, sha512, integrity, size, fetched_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (upstream_id, name, version) DO UPDATE SET sha512 = excluded.sha512, integrity = excluded.integrity,
         size = excluded.size, fetched_at = excluded.fetched_at`,
    );
    this.#dropTarball = sqlite.prepare<[number, string, string]>(
      'DELETE FROM upstream_tarballs WHERE upstream_id = ? AND name = ? AND version = ?',
    );
    const ofPackage = 'upstream_id = ? AND (? IS NULL OR name = ?)';
    this.#contentsOf = sqlite
      .prepare<[number, string | null, string | null], string>(
        `SELECT DISTINCT sha512 FROM upstream_tarballs WHERE ${ofPackage}`,
      )
      .pluck();
    this.#dropTarballs = sqlite.prepare<[number, string | null, string | null]>(
      `DELETE FROM upstream_tarballs WHERE ${ofPackage}`,
    );
    this.#dropPackuments = sqlite.prepare<[number, string | null, string | null]>(
      `DELETE FROM upstream_packuments WHERE ${ofPackage}`,
    );
    // The character after the slash bounds the range, so that the index of names answers it.
    this.#hasLocalScope = sqlite
      .prepare<[string, string], 1>('SELECT 1 FROM packages WHERE name >= ? AND name < ? LIMIT 1')
      .pluck();
    this.#localScopes = sqlite
      .prepare<[], string>('SELECT DISTINCT scope FROM package_summaries WHERE scope IS NOT NULL ORDER BY scope')
      .pluck();
    this.#localNames = sqlite.prepare<[], string>('SELECT DISTINCT name FROM packages ORDER BY name').pluck();
  }

  list(): UpstreamRow[] {
    return this.#list.all().map((raw) => ({
      ...raw,
      scopes: JSON.parse(raw.scopes) as string[],
      enabled: raw.enabled === 1,
      minimumAgeExceptions: JSON.parse(raw.minimumAgeExceptions) as string[],
      pushSelection: JSON.parse(raw.pushSelection) as string[],
      autoPush: raw.autoPush === 1,
    }));
  }

  insert(row: Omit<UpstreamRow, 'id'>, now: number): number {
    return Number(this.#insert.run(...valuesOf(row), now, now).lastInsertRowid);
  }

  update(row: UpstreamRow, now: number): void {
    this.#update.run(...valuesOf(row), now, row.id);
  }

  remove(id: number): void {
    this.#remove.run(id);
  }

  packument(upstreamId: number, name: string): PackumentRow | undefined {
    return this.#packument.get(upstreamId, name);
  }

  packumentBody(upstreamId: number, name: string): Buffer | undefined {
    return this.#body.get(upstreamId, name);
  }

  putPackument(row: Omit<PackumentRow, 'revision'>, body: Buffer): number {
    const { upstreamId, name, etag, validatedAt, versionCount } = row;
    // Starts at the time, so that a package that is dropped and fetched again never has a revision twice.
    return this.#putPackument.get(upstreamId, name, validatedAt, etag, validatedAt, versionCount, body) ?? validatedAt;
  }

  touchPackument(upstreamId: number, name: string, etag: string | null, now: number): void {
    this.#touchPackument.run(now, etag, upstreamId, name);
  }

  cached(
    filter: { readonly upstreamId?: number | undefined; readonly search: string },
    page: { readonly offset: number; readonly limit: number },
  ): { total: number; rows: CachedSummary[] } {
    const upstream = filter.upstreamId ?? null;
    const rows = this.#cached.all(upstream, upstream, filter.search, page.limit, page.offset);
    return {
      total: this.#countCached.get(upstream, upstream, filter.search) ?? 0,
      rows: rows.map(({ upstreamId, name, validatedAt, versionCount }) => {
        const tarballs = this.#tarballsOf.all(upstreamId, name);
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
  }

  cacheSize(upstreamId: number): { packages: number; tarballs: number; bytes: number } {
    return this.#cacheSize.get(upstreamId, upstreamId) ?? { packages: 0, tarballs: 0, bytes: 0 };
  }

  tarball(upstreamId: number, name: string, version: string): CachedTarballRow | undefined {
    return this.#tarball.get(upstreamId, name, version);
  }

  tarballsOf(upstreamId: number, name: string): CachedTarballRow[] {
    return this.#tarballsOf.all(upstreamId, name);
  }

  putTarball(row: CachedTarballRow): void {
    const { upstreamId, name, version, sha512, integrity, size, fetchedAt } = row;
    this.#putTarball.run(upstreamId, name, version, sha512, integrity, size, fetchedAt);
  }

  dropTarball(upstreamId: number, name: string, version: string): void {
    this.#dropTarball.run(upstreamId, name, version);
  }

  dropCached(upstreamId: number, name: string | undefined): string[] {
    const which = name ?? null;
    const contents = this.#contentsOf.all(upstreamId, which, which);
    this.#dropTarballs.run(upstreamId, which, which);
    this.#dropPackuments.run(upstreamId, which, which);
    return contents;
  }

  hasLocalScope(scope: string): boolean {
    return this.#hasLocalScope.get(`${scope}/`, `${scope}0`) !== undefined;
  }

  localScopes(): string[] {
    return this.#localScopes.all();
  }

  localNames(): string[] {
    return this.#localNames.all();
  }

  setting(key: string): string | undefined {
    return this.#meta.get(key);
  }

  setSetting(key: string, value: string): void {
    this.#meta.set(key, value);
  }
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
    JSON.stringify(row.pushSelection),
    row.autoPush ? 1 : 0,
    row.token,
  ];
}
