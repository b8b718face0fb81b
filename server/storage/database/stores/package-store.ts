import type {
  NewVersion,
  PackageRow,
  PackageStore,
  Person,
  TagRow,
  VersionRow,
} from '../../../registry/package-store.ts';
import type { TarballDigests } from '../../../registry/publish/tarball-store.ts';
import type { Sqlite } from '../sqlite.ts';
import type { PackageSummaries } from './package-summaries.ts';

const packageColumns = `id, project_id AS projectId, name, revision, created_at AS createdAt, updated_at AS updatedAt`;
const versionColumns = `v.id, v.package_id AS packageId, v.version, v.published_at AS publishedAt, v.publisher_id AS publisherId,
  v.tarball_sha512 AS tarballSha512, v.integrity, v.shasum, v.size, v.file_count AS fileCount, v.unpacked_size AS unpackedSize,
  v.manifest, v.abbreviated, v.deprecated, v.signature_key_id AS signatureKeyId, v.signature, b.predicate_type AS provenance`;
const versionSource = `package_versions v LEFT JOIN version_bundles b ON b.version_id = v.id`;

/** Packages in SQLite. Every statement is prepared once. */
export class SqlitePackageStore implements PackageStore {
  readonly #epoch: () => string;
  readonly #find;
  readonly #get;
  readonly #named;
  readonly #versions;
  readonly #versionNames;
  readonly #version;
  readonly #versionById;
  readonly #tags;
  readonly #newest;
  readonly #readme;
  readonly #bundle;
  readonly #maintainers;
  readonly #starrers;
  readonly #elsewhere;
  readonly #sameVersion;
  readonly #insertPackage;
  readonly #touch;
  readonly #deletePackage;
  readonly #insertTarball;
  readonly #insertVersion;
  readonly #insertReadme;
  readonly #insertBundle;
  readonly #deleteVersion;
  readonly #deprecate;
  readonly #putTag;
  readonly #deleteTag;
  readonly #addMaintainer;
  readonly #removeMaintainer;
  readonly #star;
  readonly #unstar;
  readonly #addDownloads;
  readonly #addDownloadsOfDay;
  readonly #summaries: PackageSummaries;

  /** @param epoch see `PackageStore.epoch`; another one once another state took the place of this one */
  constructor(sqlite: Sqlite, summaries: PackageSummaries, epoch: () => string) {
    this.#epoch = epoch;
    this.#summaries = summaries;
    this.#find = sqlite.prepare<[number, string], PackageRow>(
      `SELECT ${packageColumns} FROM packages WHERE project_id = ? AND name = ?`,
    );
    this.#get = sqlite.prepare<[number], PackageRow>(`SELECT ${packageColumns} FROM packages WHERE id = ?`);
    this.#named = sqlite.prepare<[string], PackageRow>(
      `SELECT ${packageColumns} FROM packages WHERE name = ? ORDER BY id`,
    );
    this.#versions = sqlite.prepare<[number, number, number], VersionRow>(
      `SELECT ${versionColumns} FROM ${versionSource} WHERE v.package_id = ? AND v.id > ? ORDER BY v.id LIMIT ?`,
    );
    this.#versionNames = sqlite
      .prepare<[number], string>('SELECT version FROM package_versions WHERE package_id = ? ORDER BY id')
      .pluck();
    this.#version = sqlite.prepare<[number, string], VersionRow>(
      `SELECT ${versionColumns} FROM ${versionSource} WHERE v.package_id = ? AND v.version = ?`,
    );
    this.#versionById = sqlite.prepare<[number], VersionRow>(
      `SELECT ${versionColumns} FROM ${versionSource} WHERE v.id = ?`,
    );
    this.#tags = sqlite.prepare<[number], TagRow>(
      `SELECT t.id, t.tag, v.version, t.version_id AS versionId, t.created_at AS createdAt, t.updated_at AS updatedAt
         FROM dist_tags t JOIN package_versions v ON v.id = t.version_id WHERE t.package_id = ? ORDER BY t.id`,
    );
    this.#newest = sqlite
      .prepare<[number], number>('SELECT coalesce(max(published_at), 0) FROM package_versions WHERE package_id = ?')
      .pluck();
    this.#readme = sqlite.prepare<[number], { filename: string; text: string }>(
      'SELECT filename, readme AS text FROM version_readmes WHERE version_id = ?',
    );
    this.#bundle = sqlite.prepare<[number], { predicateType: string; text: string }>(
      'SELECT predicate_type AS predicateType, bundle AS text FROM version_bundles WHERE version_id = ?',
    );
    this.#maintainers = sqlite.prepare<[number], Person>(
      `SELECT u.id, u.username, u.name, u.email FROM package_maintainers m JOIN users u ON u.id = m.user_id
         WHERE m.package_id = ? ORDER BY u.username`,
    );
    this.#starrers = sqlite
      .prepare<[number], string>(
        `SELECT u.username FROM package_stars s JOIN users u ON u.id = s.user_id WHERE s.package_id = ? ORDER BY u.username`,
      )
      .pluck();
    this.#elsewhere = sqlite
      .prepare<[string, number], 1>('SELECT 1 FROM packages WHERE name = ? AND project_id <> ? LIMIT 1')
      .pluck();
    this.#sameVersion = sqlite
      .prepare<[number, string, string, number], string>(
        `WITH RECURSIVE below (id) AS (
           SELECT ? UNION ALL SELECT n.id FROM namespaces n JOIN below ON n.parent_id = below.id
         )
         SELECT p.full_path FROM packages k
           JOIN package_versions v ON v.package_id = k.id AND v.version = ?
           JOIN projects p ON p.id = k.project_id
         WHERE k.name = ? AND k.project_id <> ? AND p.namespace_id IN (SELECT id FROM below) LIMIT 1`,
      )
      .pluck();

    this.#insertPackage = sqlite.prepare<[number, string, number, number], PackageRow>(
      `INSERT INTO packages (project_id, name, created_at, updated_at) VALUES (?, ?, ?, ?) RETURNING ${packageColumns}`,
    );
    this.#touch = sqlite.prepare<[number, number]>(
      'UPDATE packages SET revision = revision + 1, updated_at = ? WHERE id = ?',
    );
    this.#deletePackage = sqlite.prepare<[number]>('DELETE FROM packages WHERE id = ?');
    this.#insertTarball = sqlite.prepare<[string, string, number, number]>(
      'INSERT INTO tarballs (sha512, sha1, size, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
    this.#insertVersion = sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO package_versions (package_id, version, published_at, publisher_id, tarball_sha512, integrity, shasum, size,
         file_count, unpacked_size, manifest, abbreviated, signature_key_id, signature)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertReadme = sqlite.prepare<[number, string, string]>(
      'INSERT INTO version_readmes (version_id, filename, readme) VALUES (?, ?, ?)',
    );
    this.#insertBundle = sqlite.prepare<[number, string, string]>(
      'INSERT INTO version_bundles (version_id, predicate_type, bundle) VALUES (?, ?, ?)',
    );
    this.#deleteVersion = sqlite.prepare<[number]>('DELETE FROM package_versions WHERE id = ?');
    this.#deprecate = sqlite.prepare<[string | null, number]>(
      'UPDATE package_versions SET deprecated = ? WHERE id = ?',
    );
    this.#putTag = sqlite.prepare<[number, string, number, number, number]>(
      `INSERT INTO dist_tags (package_id, tag, version_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (package_id, tag) DO UPDATE SET version_id = excluded.version_id, updated_at = excluded.updated_at`,
    );
    this.#deleteTag = sqlite.prepare<[number, string]>('DELETE FROM dist_tags WHERE package_id = ? AND tag = ?');
    this.#addMaintainer = sqlite.prepare<[number, number]>(
      'INSERT INTO package_maintainers (package_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#removeMaintainer = sqlite.prepare<[number, number]>(
      'DELETE FROM package_maintainers WHERE package_id = ? AND user_id = ?',
    );
    this.#star = sqlite.prepare<[number, number]>(
      'INSERT INTO package_stars (package_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#addDownloadsOfDay = sqlite.prepare<[string, number]>(
      'INSERT INTO download_days (day, count) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET count = count + excluded.count',
    );
    this.#addDownloads = sqlite.prepare<[number, number, number]>(
      'UPDATE package_versions SET download_count = download_count + ?, last_downloaded_at = ? WHERE id = ?',
    );
    this.#unstar = sqlite.prepare<[number, number]>('DELETE FROM package_stars WHERE package_id = ? AND user_id = ?');
  }

  get epoch(): string {
    return this.#epoch();
  }

  findPackage(projectId: number, name: string): PackageRow | undefined {
    return this.#find.get(projectId, name);
  }

  getPackage(packageId: number): PackageRow | undefined {
    return this.#get.get(packageId);
  }

  packagesNamed(name: string): PackageRow[] {
    return this.#named.all(name);
  }

  versionsOf(packageId: number, after: number, limit: number): VersionRow[] {
    return this.#versions.all(packageId, after, limit);
  }

  versionNames(packageId: number): string[] {
    return this.#versionNames.all(packageId);
  }

  findVersion(packageId: number, version: string): VersionRow | undefined {
    return this.#version.get(packageId, version);
  }

  getVersion(versionId: number): VersionRow | undefined {
    return this.#versionById.get(versionId);
  }

  tagsOf(packageId: number): TagRow[] {
    return this.#tags.all(packageId);
  }

  newestPublish(packageId: number): number {
    return this.#newest.get(packageId) ?? 0;
  }

  readmeOf(versionId: number): { filename: string; text: string } | undefined {
    return this.#readme.get(versionId);
  }

  bundleOf(versionId: number): { predicateType: string; text: string } | undefined {
    return this.#bundle.get(versionId);
  }

  maintainersOf(packageId: number): Person[] {
    return this.#maintainers.all(packageId);
  }

  starrersOf(packageId: number): string[] {
    return this.#starrers.all(packageId);
  }

  projectWithSameVersion(
    rootNamespaceId: number,
    projectId: number,
    name: string,
    version: string,
  ): string | undefined {
    if (this.#elsewhere.get(name, projectId) === undefined) return undefined;
    return this.#sameVersion.get(rootNamespaceId, version, name, projectId);
  }

  insertPackage(projectId: number, name: string, now: number): PackageRow {
    const row = this.#insertPackage.get(projectId, name, now, now);
    if (!row) throw new Error('INSERT … RETURNING answered no row');
    return row;
  }

  touchPackage(packageId: number, now: number): void {
    this.#touch.run(now, packageId);
    this.#summaries.refresh(packageId);
  }

  deletePackage(packageId: number): void {
    this.#deletePackage.run(packageId);
  }

  insertTarball(digests: TarballDigests, now: number): void {
    this.#insertTarball.run(digests.sha512, digests.sha1, digests.size, now);
  }

  insertVersion(packageId: number, version: NewVersion): number {
    const { lastInsertRowid } = this.#insertVersion.run(
      packageId,
      version.version,
      version.publishedAt,
      version.publisherId,
      version.tarballSha512,
      version.integrity,
      version.shasum,
      version.size,
      version.fileCount,
      version.unpackedSize,
      version.manifest,
      version.abbreviated,
      version.signatureKeyId,
      version.signature,
    );
    const id = Number(lastInsertRowid);
    if (version.readme) this.#insertReadme.run(id, version.readme.filename, version.readme.text);
    if (version.bundle) this.#insertBundle.run(id, version.bundle.predicateType, version.bundle.text);
    return id;
  }

  deleteVersion(versionId: number): void {
    this.#deleteVersion.run(versionId);
  }

  setDeprecation(versionId: number, message: string | null): void {
    this.#deprecate.run(message, versionId);
  }

  putTag(packageId: number, tag: string, versionId: number, now: number): void {
    this.#putTag.run(packageId, tag, versionId, now, now);
  }

  deleteTag(packageId: number, tag: string): void {
    this.#deleteTag.run(packageId, tag);
  }

  addMaintainer(packageId: number, userId: number): void {
    this.#addMaintainer.run(packageId, userId);
  }

  removeMaintainer(packageId: number, userId: number): void {
    this.#removeMaintainer.run(packageId, userId);
  }

  setStar(packageId: number, userId: number, starred: boolean): void {
    (starred ? this.#star : this.#unstar).run(packageId, userId);
  }

  addDownloads(versionId: number, count: number, lastAt: number): void {
    this.#addDownloads.run(count, lastAt, versionId);
    this.#addDownloadsOfDay.run(new Date(lastAt).toISOString().slice(0, 10), count);
  }
}
