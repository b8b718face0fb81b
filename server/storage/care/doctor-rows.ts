import { verifyVersion } from '../../registry/publish/manifest-signer.ts';
import { abbreviate } from '../../registry/packuments/packument-text.ts';
import { integrityOf } from '../../lib/integrity.ts';
import { nextTurn } from '../../lib/turns.ts';
import { quarantineVersion } from './doctor-quarantine.ts';
import type { Examination } from './examination.ts';

interface VersionCheck {
  readonly id: number;
  readonly packageId: number;
  readonly name: string;
  readonly version: string;
  readonly sha512: string;
  readonly sha1: string;
  readonly tarballSize: number;
  readonly integrity: string;
  readonly shasum: string;
  readonly size: number;
  readonly manifest: string;
  readonly abbreviated: string;
  readonly signatureKeyId: string;
  readonly signature: string;
}

const rowsPerTurn = 100;

/** Checks versions against their tarballs, tags against versions, lists against both. */
export async function checkRows(examination: Examination): Promise<void> {
  await checkVersions(examination);
  await checkTags(examination);
  await checkSummaries(examination);
}

async function checkVersions(examination: Examination): Promise<void> {
  const { sqlite } = examination.deps;
  const total = sqlite.prepare<[], number>('SELECT count(*) FROM package_versions').pluck().get() ?? 0;
  const next = sqlite.prepare<[number, number], VersionCheck>(
    `SELECT v.id, v.package_id AS packageId, p.name, v.version, v.tarball_sha512 AS sha512, t.sha1, t.size AS tarballSize,
       v.integrity, v.shasum, v.size, v.manifest, v.abbreviated, v.signature_key_id AS signatureKeyId, v.signature
     FROM package_versions v JOIN packages p ON p.id = v.package_id JOIN tarballs t ON t.sha512 = v.tarball_sha512
     WHERE v.id > ? ORDER BY v.id LIMIT ?`,
  );
  const keys = new Map(
    sqlite
      .prepare<[], { id: string; publicKey: string }>('SELECT key_id AS id, public_key AS publicKey FROM signing_keys')
      .all()
      .map((key) => [key.id, key.publicKey]),
  );
  for (let after = 0; ;) {
    examination.signal.throwIfAborted();
    examination.onProgress('Checking versions', examination.checked.versions, total);
    const rows = next.all(after, rowsPerTurn);
    for (const row of rows) await checkVersion(examination, row, keys);
    examination.checked.versions += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < rowsPerTurn) return;
    await nextTurn();
  }
}

async function checkVersion(
  examination: Examination,
  row: VersionCheck,
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  const label = `${row.name}@${row.version}`;
  const manifest = parseManifest(row.manifest);
  if (!manifest || manifest['name'] !== row.name || manifest['version'] !== row.version) {
    await examination.error(
      'version_row',
      label,
      `The stored manifest of ${label} ${manifest ? 'is that of another version' : 'cannot be read'}.`,
      async () => {
        await quarantineVersion(examination, row);
        return 'quarantined';
      },
    );
    return;
  }
  const integrity = integrityOf(row.sha512);
  const abbreviated = parseManifest(row.abbreviated);
  const isRight =
    row.integrity === integrity &&
    row.shasum === row.sha1 &&
    row.size === row.tarballSize &&
    abbreviated?.['name'] === row.name &&
    abbreviated['version'] === row.version;
  if (!isRight) {
    await examination.error(
      'version_row',
      label,
      `What is noted of the tarball of ${label} (integrity, shasum, size) is not what its bytes give.`,
      () => rewrite(examination, row, manifest),
    );
    return;
  }
  const publicKey = keys.get(row.signatureKeyId);
  if (publicKey !== undefined && verifyVersion(publicKey, { ...row, integrity })) return;
  await examination.error(
    'signature',
    label,
    `The signature of ${label} ${publicKey === undefined ? 'was made with a key that is not here' : 'does not hold'}; "npm audit signatures" refuses it.`,
    () => rewrite(examination, row, manifest),
  );
}

/** Derives the columns again from the content and the manifest, and signs them. */
async function rewrite(
  { deps }: Examination,
  row: VersionCheck,
  manifest: Readonly<Record<string, unknown>>,
): Promise<'fixed'> {
  const integrity = integrityOf(row.sha512);
  const { signer, sqlite, store, unitOfWork } = deps;
  const signature = signer.sign(`${row.name}@${row.version}`, integrity);
  await unitOfWork.write((change) => {
    sqlite
      .prepare<unknown[]>(
        `UPDATE package_versions SET integrity = ?, shasum = ?, size = ?, abbreviated = ?, signature_key_id = ?, signature = ?
         WHERE id = ?`,
      )
      .run(integrity, row.sha1, row.tarballSize, JSON.stringify(abbreviate(manifest)), signer.keyId, signature, row.id);
    store.touchPackage(row.packageId, change.now);
    const projectId = store.getPackage(row.packageId)?.projectId;
    if (projectId !== undefined) {
      change.emit('packages.changed', { projectId, packageId: row.packageId, name: row.name, change: 'published' });
    }
  });
  return 'fixed';
}

async function checkTags(examination: Examination): Promise<void> {
  const { sqlite, store, unitOfWork } = examination.deps;
  examination.onProgress('Checking tags', 0, 0);
  examination.checked.tags = sqlite.prepare<[], number>('SELECT count(*) FROM dist_tags').pluck().get() ?? 0;
  const wrong = sqlite
    .prepare<[], { packageId: number; name: string; tag: string; version: string }>(
      `SELECT t.package_id AS packageId, p.name, t.tag, v.version FROM dist_tags t
       JOIN package_versions v ON v.id = t.version_id JOIN packages p ON p.id = t.package_id
       WHERE v.package_id <> t.package_id`,
    )
    .all();
  for (const { packageId, name, tag, version } of wrong) {
    await examination.error(
      'tag',
      `${name} ${tag}`,
      `The tag "${tag}" of ${name} points at ${version} of another package.`,
      async () => {
        await unitOfWork.write((change) => {
          store.deleteTag(packageId, tag);
          store.touchPackage(packageId, change.now);
          const projectId = store.getPackage(packageId)?.projectId;
          if (projectId !== undefined) {
            change.emit('packages.changed', { projectId, packageId, name, change: 'tags' });
          }
        });
      },
    );
  }
}

async function checkSummaries(examination: Examination): Promise<void> {
  const { sqlite, store, unitOfWork, summaries } = examination.deps;
  examination.onProgress('Checking lists', 0, 0);
  const packages = sqlite
    .prepare<[], { id: number; name: string; versions: number; isRight: number }>(
      `SELECT p.id, p.name, (SELECT count(*) FROM package_versions WHERE package_id = p.id) AS versions,
         (s.package_id IS NOT NULL AND s.name = p.name AND s.project_id = p.project_id
           AND s.version_count = (SELECT count(*) FROM package_versions WHERE package_id = p.id)
           AND s.tag_count = (SELECT count(*) FROM dist_tags WHERE package_id = p.id)
           AND s.total_size = (SELECT coalesce(sum(size), 0) FROM package_versions WHERE package_id = p.id)
           AND EXISTS (SELECT 1 FROM package_versions WHERE id = s.latest_version_id AND package_id = p.id)) AS isRight
       FROM packages p LEFT JOIN package_summaries s ON s.package_id = p.id`,
    )
    .all();
  examination.checked.packages = packages.length;
  for (const { id, name, versions, isRight } of packages) {
    if (versions === 0) {
      await examination.clutter('orphan_row', name, `The package ${name} has no version.`, async () => {
        await unitOfWork.write(() => {
          if (store.versionNames(id).length === 0) store.deletePackage(id);
        });
      });
    } else if (isRight !== 1) {
      await examination.error('summary', name, `What lists and searches show of ${name} is out of date.`, async () => {
        await unitOfWork.write(() => summaries.refresh(id));
      });
    }
  }
}

function parseManifest(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
