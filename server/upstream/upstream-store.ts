import type { PushOrigin, UpstreamKind } from '../contract/upstream.ts';

/** Another registry as it is set up; see the contract for what each field means. */
export interface UpstreamRow {
  readonly id: number;
  readonly name: string;
  readonly kind: UpstreamKind;
  /** Without a trailing slash; empty for an archive. */
  readonly url: string;
  readonly pushUrl: string | null;
  readonly scopes: readonly string[];
  readonly enabled: boolean;
  readonly minimumAgeDays: number;
  readonly minimumAgeExceptions: readonly string[];
  readonly freshSeconds: number;
  readonly budgetMilliseconds: number;
  readonly timeoutMilliseconds: number;
  readonly pushSelection: readonly string[];
  readonly pushFrom: PushOrigin | null;
  readonly autoPush: boolean;
  /** Encrypted by the secret box. */
  readonly token: string | null;
}

/** A cached packument, without its body. */
export interface PackumentRow {
  readonly upstreamId: number;
  readonly name: string;
  readonly revision: number;
  readonly etag: string | null;
  readonly validatedAt: number;
  readonly versionCount: number;
}

/** A cached tarball of another registry's package. */
export interface CachedTarballRow {
  readonly upstreamId: number;
  readonly name: string;
  readonly version: string;
  readonly sha512: string;
  readonly integrity: string;
  readonly size: number;
  readonly fetchedAt: number;
}

export interface CachedSummary {
  readonly upstreamId: number;
  readonly name: string;
  readonly validatedAt: number;
  readonly versionCount: number;
  readonly cachedVersions: readonly string[];
  readonly bytes: number;
}

/** Settings and caches of other registries. The writing methods may only be called inside a unit of work. */
export interface UpstreamStore {
  list(): UpstreamRow[];
  insert(row: Omit<UpstreamRow, 'id'>, now: number): number;
  update(row: UpstreamRow, now: number): void;
  remove(id: number): void;

  packument(upstreamId: number, name: string): PackumentRow | undefined;
  /** Gzipped JSON. */
  packumentBody(upstreamId: number, name: string): Buffer | undefined;
  /** Stores a new document and returns its revision. */
  putPackument(row: Omit<PackumentRow, 'revision'>, body: Buffer): number;
  /** Records that the cached document is still valid. */
  touchPackument(upstreamId: number, name: string, etag: string | null, now: number): void;
  cached(
    filter: { readonly upstreamId?: number | undefined; readonly search: string },
    page: { readonly offset: number; readonly limit: number },
  ): { total: number; rows: CachedSummary[] };
  cacheSize(upstreamId: number): { packages: number; tarballs: number; bytes: number };

  tarball(upstreamId: number, name: string, version: string): CachedTarballRow | undefined;
  tarballsOf(upstreamId: number, name: string): CachedTarballRow[];
  putTarball(row: CachedTarballRow): void;
  dropTarball(upstreamId: number, name: string, version: string): void;
  /** Deletes one package, or all of an upstream, from the cache; returns the SHA-512 of its tarballs. */
  dropCached(upstreamId: number, name: string | undefined): string[];

  localScopes(): string[];
  /** Names of all packages of this registry. */
  localNames(): string[];

  /** A small setting of the whole registry. */
  setting(key: string): string | undefined;
  setSetting(key: string, value: string): void;
}
