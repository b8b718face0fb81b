import { dateOf } from '../../../lib/calendar.ts';
import {
  manifestSizeOf,
  type NamedPackage,
  type PackageRow,
  type PackageStore,
  type Person,
  type ScopeOfProject,
  type TagRow,
  type VersionRow,
} from '../../../registry/package-store.ts';
import { withoutBuild } from '../../../registry/package-version.ts';
import type { Sqlite } from '../sqlite.ts';
import type { PackageSummaries } from './package-summaries.ts';

const packageColumns = `id, project_id AS projectId, name, revision, created_at AS createdAt, updated_at AS updatedAt`;
const versionColumns = `v.id, v.package_id AS packageId, v.version, v.published_at AS publishedAt, v.publisher_id AS publisherId,
  v.tarball_sha512 AS tarballSha512, v.integrity, v.shasum, v.size, v.file_count AS fileCount, v.unpacked_size AS unpackedSize,
  v.manifest, v.abbreviated, v.deprecated, v.signature_key_id AS signatureKeyId, v.signature, b.predicate_type AS provenance`;
const versionSource = `package_versions v LEFT JOIN version_bundles b ON b.version_id = v.id`;

/**
 * Packages in SQLite.
 * @param epoch see `PackageStore.epoch`; another one once another state replaced this one
 */
export function sqlitePackages(sqlite: Sqlite, summaries: PackageSummaries, epoch: () => string): PackageStore {
  const statements = prepareStatements(sqlite);
  return {
    get epoch() {
      return epoch();
    },
    findPackage: (projectId, name) => statements.find.get(projectId, name),
    getPackage: (packageId) => statements.get.get(packageId),
    packagesNamed: (name) => statements.named.all(name),
    contestedPackages: (scopes, names) => statements.contested.all(JSON.stringify(names), JSON.stringify(scopes)),
    scopesOfProjects: () => statements.scopes.all(),
    packagesOfScopes: (scopes) => statements.ofScopes.all(JSON.stringify(scopes)),
    versionsOf: (packageId, after, limit, bytes = Infinity) => {
      const rows: VersionRow[] = [];
      let size = 0;
      for (const row of statements.versions.iterate(packageId, after, limit)) {
        rows.push(row);
        size += manifestSizeOf(row);
        if (size >= bytes) break;
      }
      return rows;
    },
    contentsOf: (packageId) => new Map(statements.contents.all(packageId)),
    manifestBytes: (packageId) => statements.manifestBytes.get(packageId) ?? 0,
    versionNames: (packageId) => statements.versionNames.all(packageId),
    findVersion: (packageId, version) => {
      const base = withoutBuild(version);
      return (
        statements.version.get(packageId, version) ??
        statements.equalVersion.get(packageId, base, `${base}+`, `${base},`)
      );
    },
    deprecationsOf: (packageId) => new Map(statements.deprecations.all(packageId)),
    getVersion: (versionId) => statements.versionById.get(versionId),
    tagsOf: (packageId) => statements.tags.all(packageId),
    tagNamesIn: (projectId, limit) => statements.tagNames.all(projectId, limit).map(({ tag }) => tag),
    newestPublish: (packageId) => statements.newest.get(packageId) ?? 0,
    readmeOf: (versionId) => statements.readme.get(versionId),
    bundleOf: (versionId) => statements.bundle.get(versionId),
    maintainersOf: (packageId) => statements.maintainers.all(packageId),
    starrersOf: (packageId) => statements.starrers.all(packageId),
    projectWithSameVersion: (rootNamespaceId, projectId, name, version) => {
      if (statements.elsewhere.get(name, projectId) === undefined) return undefined;
      const base = withoutBuild(version);
      return statements.sameVersion.get(rootNamespaceId, base, `${base}+`, `${base},`, name, projectId);
    },
    insertPackage: (projectId, name, now) => {
      const row = statements.insertPackage.get(projectId, name, now, now);
      if (!row) throw new Error('INSERT … RETURNING answered no row');
      return row;
    },
    touchPackage: (packageId, now) => {
      statements.touch.run(now, packageId);
      summaries.refresh(packageId);
    },
    deletePackage: (packageId) => void statements.deletePackage.run(packageId),
    insertTarball: (digests, now) => void statements.insertTarball.run(digests.sha512, digests.sha1, digests.size, now),
    insertVersion: (packageId, version) => {
      const { lastInsertRowid } = statements.insertVersion.run(
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
        Number(version.imported),
      );
      const id = Number(lastInsertRowid);
      if (version.readme) statements.insertReadme.run(id, version.readme.filename, version.readme.text);
      if (version.bundle) statements.insertBundle.run(id, version.bundle.predicateType, version.bundle.text);
      return id;
    },
    deleteVersion: (versionId) => void statements.deleteVersion.run(versionId),
    setDeprecation: (versionId, message) => void statements.deprecate.run(message, versionId),
    putTag: (packageId, tag, versionId, now) => void statements.putTag.run(packageId, tag, versionId, now, now),
    deleteTag: (packageId, tag) => void statements.deleteTag.run(packageId, tag),
    addMaintainer: (packageId, userId) => void statements.addMaintainer.run(packageId, userId),
    removeMaintainer: (packageId, userId) => void statements.removeMaintainer.run(packageId, userId),
    setStar: (packageId, userId, starred) =>
      void (starred ? statements.star : statements.unstar).run(packageId, userId),
    addDownloads: (versionId, count, lastAt) => {
      const packageId = statements.addDownloads.get(count, lastAt, versionId)?.package_id;
      const day = dateOf(lastAt);
      statements.addDownloadsOfDay.run(day, count);
      statements.addDownloadsOfPackage.run(day, count, versionId);
      return packageId;
    },
    forgetDownloads: (before) => void statements.forgetDownloads.run(dateOf(before)),
  };
}

function prepareStatements(sqlite: Sqlite) {
  return {
    find: sqlite.prepare<[number, string], PackageRow>(
      `SELECT ${packageColumns} FROM packages WHERE project_id = ? AND name = ?`,
    ),
    get: sqlite.prepare<[number], PackageRow>(`SELECT ${packageColumns} FROM packages WHERE id = ?`),
    named: sqlite.prepare<[string], PackageRow>(`SELECT ${packageColumns} FROM packages WHERE name = ? ORDER BY id`),
    contested: sqlite.prepare<[string, string], NamedPackage>(
      `SELECT id AS packageId, project_id AS projectId, name FROM packages
        WHERE name IN (SELECT name FROM packages GROUP BY name HAVING count(*) > 1)
           OR lower(name) IN (SELECT value FROM json_each(?))
           OR id IN (SELECT s.package_id FROM json_each(?) w JOIN package_summaries s
                       ON s.scope = w.value ->> 'scope' AND s.project_id = w.value ->> 'projectId')
        ORDER BY id`,
    ),
    ofScopes: sqlite
      .prepare<[string], number>(
        `SELECT s.package_id FROM json_each(?) w JOIN package_summaries s
           ON s.scope = w.value ->> 'scope' AND s.project_id = w.value ->> 'projectId'`,
      )
      .pluck(),
    scopes: sqlite.prepare<[], ScopeOfProject>(
      'SELECT DISTINCT scope, project_id AS projectId FROM package_summaries WHERE scope IS NOT NULL',
    ),
    versions: sqlite.prepare<[number, number, number], VersionRow>(
      `SELECT ${versionColumns} FROM ${versionSource} WHERE v.package_id = ? AND v.id > ? ORDER BY v.id LIMIT ?`,
    ),
    contents: sqlite
      .prepare<[number], [string, string]>('SELECT version, tarball_sha512 FROM package_versions WHERE package_id = ?')
      .raw(),
    manifestBytes: sqlite
      .prepare<[number], number>(
        'SELECT coalesce(sum(octet_length(manifest) + octet_length(abbreviated)), 0) FROM package_versions WHERE package_id = ?',
      )
      .pluck(),
    versionNames: sqlite
      .prepare<[number], string>('SELECT version FROM package_versions WHERE package_id = ? ORDER BY id')
      .pluck(),
    deprecations: sqlite
      .prepare<[number], [string, string | null]>(
        'SELECT version, deprecated FROM package_versions WHERE package_id = ?',
      )
      .raw(),
    version: sqlite.prepare<[number, string], VersionRow>(
      `SELECT ${versionColumns} FROM ${versionSource} WHERE v.package_id = ? AND v.version = ?`,
    ),
    // The character after "+" bounds the range, so that the index of versions answers it.
    equalVersion: sqlite.prepare<[number, string, string, string], VersionRow>(
      `SELECT ${versionColumns} FROM ${versionSource}
        WHERE v.package_id = ? AND (v.version = ? OR (v.version > ? AND v.version < ?)) ORDER BY v.id LIMIT 1`,
    ),
    versionById: sqlite.prepare<[number], VersionRow>(`SELECT ${versionColumns} FROM ${versionSource} WHERE v.id = ?`),
    tags: sqlite.prepare<[number], TagRow>(
      `SELECT t.id, t.tag, v.version, t.version_id AS versionId, t.created_at AS createdAt, t.updated_at AS updatedAt
         FROM dist_tags t JOIN package_versions v ON v.id = t.version_id WHERE t.package_id = ? ORDER BY t.id`,
    ),
    tagNames: sqlite.prepare<[number, number], { tag: string }>(
      `SELECT t.tag FROM dist_tags t JOIN packages p ON p.id = t.package_id WHERE p.project_id = ?
         GROUP BY t.tag ORDER BY count(*) DESC, t.tag LIMIT ?`,
    ),
    newest: sqlite
      .prepare<[number], number>('SELECT coalesce(max(published_at), 0) FROM package_versions WHERE package_id = ?')
      .pluck(),
    readme: sqlite.prepare<[number], { filename: string; text: string }>(
      'SELECT filename, readme AS text FROM version_readmes WHERE version_id = ?',
    ),
    bundle: sqlite.prepare<[number], { predicateType: string; text: string }>(
      'SELECT predicate_type AS predicateType, bundle AS text FROM version_bundles WHERE version_id = ?',
    ),
    maintainers: sqlite.prepare<[number], Person>(
      `SELECT u.id, u.username, u.name FROM package_maintainers m JOIN users u ON u.id = m.user_id
         WHERE m.package_id = ? ORDER BY u.username`,
    ),
    starrers: sqlite
      .prepare<[number], string>(
        `SELECT u.username FROM package_stars s JOIN users u ON u.id = s.user_id WHERE s.package_id = ? ORDER BY u.username`,
      )
      .pluck(),
    elsewhere: sqlite
      .prepare<[string, number], 1>('SELECT 1 FROM packages WHERE name = ? AND project_id <> ? LIMIT 1')
      .pluck(),
    sameVersion: sqlite
      .prepare<[number, string, string, string, string, number], number>(
        `WITH RECURSIVE below (id) AS (
           SELECT ? UNION ALL SELECT n.id FROM namespaces n JOIN below ON n.parent_id = below.id
         )
         SELECT p.id FROM packages k
           JOIN package_versions v ON v.package_id = k.id AND (v.version = ? OR (v.version > ? AND v.version < ?))
           JOIN projects p ON p.id = k.project_id
         WHERE k.name = ? AND k.project_id <> ? AND p.namespace_id IN (SELECT id FROM below) LIMIT 1`,
      )
      .pluck(),

    insertPackage: sqlite.prepare<[number, string, number, number], PackageRow>(
      `INSERT INTO packages (project_id, name, created_at, updated_at) VALUES (?, ?, ?, ?) RETURNING ${packageColumns}`,
    ),
    touch: sqlite.prepare<[number, number]>('UPDATE packages SET revision = revision + 1, updated_at = ? WHERE id = ?'),
    deletePackage: sqlite.prepare<[number]>('DELETE FROM packages WHERE id = ?'),
    insertTarball: sqlite.prepare<[string, string, number, number]>(
      'INSERT INTO tarballs (sha512, sha1, size, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    insertVersion: sqlite.prepare<(string | number | null)[]>(
      `INSERT INTO package_versions (package_id, version, published_at, publisher_id, tarball_sha512, integrity, shasum, size,
         file_count, unpacked_size, manifest, abbreviated, signature_key_id, signature, imported)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    insertReadme: sqlite.prepare<[number, string, string]>(
      'INSERT INTO version_readmes (version_id, filename, readme) VALUES (?, ?, ?)',
    ),
    insertBundle: sqlite.prepare<[number, string, string]>(
      'INSERT INTO version_bundles (version_id, predicate_type, bundle) VALUES (?, ?, ?)',
    ),
    deleteVersion: sqlite.prepare<[number]>('DELETE FROM package_versions WHERE id = ?'),
    deprecate: sqlite.prepare<[string | null, number]>('UPDATE package_versions SET deprecated = ? WHERE id = ?'),
    putTag: sqlite.prepare<[number, string, number, number, number]>(
      `INSERT INTO dist_tags (package_id, tag, version_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (package_id, tag) DO UPDATE SET version_id = excluded.version_id, updated_at = excluded.updated_at`,
    ),
    deleteTag: sqlite.prepare<[number, string]>('DELETE FROM dist_tags WHERE package_id = ? AND tag = ?'),
    addMaintainer: sqlite.prepare<[number, number]>(
      'INSERT INTO package_maintainers (package_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    ),
    removeMaintainer: sqlite.prepare<[number, number]>(
      'DELETE FROM package_maintainers WHERE package_id = ? AND user_id = ?',
    ),
    star: sqlite.prepare<[number, number]>(
      'INSERT INTO package_stars (package_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
    ),
    addDownloadsOfDay: sqlite.prepare<[string, number]>(
      'INSERT INTO download_days (day, count) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET count = count + excluded.count',
    ),
    addDownloadsOfPackage: sqlite.prepare<[string, number, number]>(
      `INSERT INTO package_downloads (package_id, day, count) SELECT package_id, ?, ? FROM package_versions WHERE id = ?
       ON CONFLICT (package_id, day) DO UPDATE SET count = count + excluded.count`,
    ),
    forgetDownloads: sqlite.prepare<[string]>('DELETE FROM package_downloads WHERE day < ?'),
    addDownloads: sqlite.prepare<[number, number, number], { package_id: number }>(
      'UPDATE package_versions SET download_count = download_count + ?, last_downloaded_at = ? WHERE id = ? RETURNING package_id',
    ),
    unstar: sqlite.prepare<[number, number]>('DELETE FROM package_stars WHERE package_id = ? AND user_id = ?'),
  };
}
