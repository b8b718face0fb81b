import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemActor } from '../../server/accounts/change.ts';
import type { Finding } from '../../server/contract/maintenance.ts';
import { TestRegistry } from '../support/registry.ts';
import { examineHealth, findingsOf, finishJob } from './support/maintenance.ts';

let gatehouse: TestRegistry;
beforeEach(async () => {
  gatehouse = await TestRegistry.start();
  await gatehouse.publish({ name: 'sound', version: '1.0.0' });
  await gatehouse.publish({ name: 'sound', version: '1.1.0', tag: 'next' });
  await gatehouse.publish({ name: '@acme/harmed', version: '2.0.0', files: { 'index.js': 'harmed' } });
});
afterEach(() => gatehouse.stop());

const harmed = '@acme%2fharmed';

function fileOf(sha512: string): string {
  return join(gatehouse.dataDir, 'tarballs', sha512.slice(0, 2), sha512.slice(2));
}

async function harmedFile(): Promise<string> {
  const packument = (await gatehouse.get(`${gatehouse.projectPath()}/${harmed}`)).json<{
    versions: Record<string, { dist: { integrity: string } }>;
  }>();
  const integrity = packument.versions['2.0.0']?.dist.integrity ?? '';
  return fileOf(Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'));
}

async function repair(): Promise<readonly Finding[]> {
  return findingsOf(await finishJob(gatehouse, gatehouse.registry.maintenance.examine(true)));
}

/** Changes rows behind the server's back. */
function tamper(sql: string): void {
  const sqlite = new BetterSqlite3(join(gatehouse.dataDir, 'gatehouse.db'));
  sqlite.pragma('foreign_keys = OFF');
  sqlite.exec(sql);
  sqlite.close();
}

async function expectSoundAfterRepair(): Promise<void> {
  expect(await examineHealth(gatehouse)).toEqual([]);
  expect((await gatehouse.get(`${gatehouse.projectPath()}/sound/-/sound-1.0.0.tgz`)).status).toBe(200);
}

describe('doctor', () => {
  test('finds nothing wrong with what is as it should be', async () => {
    expect(await examineHealth(gatehouse)).toEqual([]);
  });

  describe('with a tarball', () => {
    const spoils: [string, Finding['kind'], (file: string) => void][] = [
      ['deleted', 'tarball_missing', (file) => rmSync(file)],
      ['truncated', 'tarball_damaged', (file) => truncateSync(file, 20)],
      ['lengthened', 'tarball_damaged', (file) => appendFileSync(file, 'more')],
      [
        'altered in one byte',
        'tarball_damaged',
        (file) => {
          const bytes = readFileSync(file);
          bytes[30] = (bytes[30] ?? 0) ^ 1;
          writeFileSync(file, bytes);
        },
      ],
    ];
    test.each(spoils)('%s, says so, and with --repair takes the version out of service', async (_how, kind, spoil) => {
      spoil(await harmedFile());
      expect(await examineHealth(gatehouse)).toEqual([
        expect.objectContaining({
          kind,
          repair: 'possible',
          text: expect.stringContaining('@acme/harmed@2.0.0') as string,
        }),
      ]);
      // A download of it moves a damaged file to the quarantine.
      const download = await gatehouse.get(`${gatehouse.projectPath()}/${harmed}/-/harmed-2.0.0.tgz`);
      expect(download.status).toBe(503);
      expect(download.text).toContain('doctor');
      expect((await repair()).map((finding) => finding.repair)).toEqual(['quarantined']);

      expect((await gatehouse.get(`${gatehouse.projectPath()}/${harmed}`)).status).toBe(404);
      const quarantine = join(gatehouse.dataDir, 'quarantine');
      const stamp = readdirSync(quarantine).toSorted().at(-1) ?? '';
      const record = readFileSync(join(quarantine, stamp, '@acme__harmed@2.0.0.json'), 'utf8');
      expect(JSON.parse(record)).toMatchObject({ name: '@acme/harmed', tags: ['latest'] });
      await expectSoundAfterRepair();
      // It can be published again, as it was.
      await gatehouse.publish({ name: '@acme/harmed', version: '2.0.0', files: { 'index.js': 'harmed' } });
      expect(await examineHealth(gatehouse)).toEqual([]);
    });

    test('lost of what was fetched or is staged, lets go of the row and says whose it was', async () => {
      const sha512 = 'ef'.repeat(64);
      tamper(`INSERT INTO tarballs VALUES ('${sha512}', 'x', 1, 0);
        INSERT INTO upstreams (id, name, kind, url, scopes, enabled, minimum_age_days, minimum_age_exceptions, fresh_seconds,
            budget_milliseconds, push_selection, auto_push, created_at, updated_at)
          VALUES (7, 'elsewhere', 'npm', 'http://localhost:1', '[]', 0, 0, '[]', 60, 1000, '[]', 0, 0, 0);
        INSERT INTO upstream_tarballs VALUES (7, 'fetched', '1.0.0', '${sha512}', 'sha512-x', 1, 0)`);
      expect(await examineHealth(gatehouse)).toEqual([
        expect.objectContaining({
          kind: 'tarball_missing',
          repair: 'possible',
          text: expect.stringContaining('fetched from another registry') as string,
        }),
      ]);
      expect((await repair()).map((finding) => finding.repair)).toEqual(['quarantined']);
      await expectSoundAfterRepair();
    });

    test('in the wrong place, puts it back', async () => {
      const file = await harmedFile();
      mkdirSync(join(gatehouse.dataDir, 'tarballs', 'zz'));
      copyFileSync(file, join(gatehouse.dataDir, 'tarballs', 'zz', 'moved.tgz'));
      rmSync(file);
      expect((await repair()).map((finding) => finding.repair)).toEqual(['fixed']);
      expect((await gatehouse.get(`${gatehouse.projectPath()}/${harmed}/-/harmed-2.0.0.tgz`)).status).toBe(200);
      await expectSoundAfterRepair();
    });

    test('that nothing needs, takes it away', async () => {
      const orphan = fileOf('ab'.repeat(64));
      mkdirSync(join(orphan, '..'), { recursive: true });
      writeFileSync(orphan, 'orphan');
      expect(await examineHealth(gatehouse)).toEqual([expect.objectContaining({ kind: 'orphan_file' })]);
      await repair();
      await expectSoundAfterRepair();
    });
  });

  const rows: [string, Finding['kind'], Finding['repair'], string][] = [
    [
      'integrity',
      'version_row',
      'fixed',
      `UPDATE package_versions SET integrity = 'sha512-AAAA' WHERE version = '1.1.0'`,
    ],
    ['shasum', 'version_row', 'fixed', `UPDATE package_versions SET shasum = '00' WHERE version = '1.1.0'`],
    ['size', 'version_row', 'fixed', `UPDATE package_versions SET size = size + 1 WHERE version = '1.1.0'`],
    [
      'abbreviated manifest',
      'version_row',
      'fixed',
      `UPDATE package_versions SET abbreviated = '{' WHERE version = '1.1.0'`,
    ],
    ['manifest', 'version_row', 'quarantined', `UPDATE package_versions SET manifest = '[' WHERE version = '1.1.0'`],
    [
      'manifest of another',
      'version_row',
      'quarantined',
      `UPDATE package_versions SET manifest = '{"name":"x","version":"1.1.0"}' WHERE version = '1.1.0'`,
    ],
    ['signature', 'signature', 'fixed', `UPDATE package_versions SET signature = 'AAAA' WHERE version = '1.1.0'`],
    [
      'signing key',
      'signature',
      'fixed',
      `UPDATE package_versions SET signature_key_id = 'SHA256:gone' WHERE version = '1.1.0'`,
    ],
    [
      'tarball size',
      'tarball_row',
      'fixed',
      `UPDATE tarballs SET size = 1, sha1 = 'x' WHERE sha512 = (SELECT tarball_sha512 FROM package_versions WHERE version = '1.1.0')`,
    ],
    [
      'tag of another package',
      'tag',
      'fixed',
      `UPDATE dist_tags SET version_id = (SELECT id FROM package_versions WHERE version = '2.0.0') WHERE tag = 'next'`,
    ],
    ['summary', 'summary', 'fixed', `UPDATE package_summaries SET version_count = 99 WHERE name = 'sound'`],
    ['missing summary', 'summary', 'fixed', `DELETE FROM package_summaries WHERE name = 'sound'`],
    [
      'package without a version',
      'orphan_row',
      'fixed',
      `INSERT INTO packages (project_id, name, created_at, updated_at) VALUES (1, 'hollow', 0, 0)`,
    ],
  ];
  test.each(rows)('with a wrong %s, tells of it and repairs it', async (_what, kind, outcome, sql) => {
    tamper(sql);
    const found = await examineHealth(gatehouse);
    expect(found.map((finding) => finding.kind)).toContain(kind);
    const repaired = await repair();
    expect(repaired.find((finding) => finding.kind === kind)?.repair).toBe(outcome);
    await expectSoundAfterRepair();
  });

  test('tells of rows that refer to nothing, and leaves them alone', async () => {
    tamper(`UPDATE package_versions SET publisher_id = 4711 WHERE version = '1.1.0'`);
    expect(await repair()).toEqual([expect.objectContaining({ kind: 'database', repair: 'impossible' })]);
  });

  test('moves a damaged snapshot aside, and says of one with lost tarballs that it is of no use', async () => {
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('torn', systemActor));
    await finishJob(gatehouse, gatehouse.registry.maintenance.createSnapshot('hollow', systemActor));
    const file = await harmedFile();
    await gatehouse.send('DELETE', `${gatehouse.projectPath()}/${harmed}`);
    rmSync(file);
    await gatehouse.restart();
    writeFileSync(join(gatehouse.dataDir, 'snapshots', 'torn', 'gatehouse.db'), 'not a database');
    const found = await repair();
    expect(found).toEqual([
      expect.objectContaining({ kind: 'snapshot', subject: 'hollow', repair: 'impossible' }),
      expect.objectContaining({ kind: 'snapshot', subject: 'torn', repair: 'quarantined' }),
    ]);
    await gatehouse.registry.maintenance.dropSnapshot('hollow', systemActor);
    await expectSoundAfterRepair();
  });

  test('examines beside a load of changes without finding faults that are none', async () => {
    const over = new AbortController();
    const load = (async () => {
      for (let count = 0; !over.signal.aborted; count += 1) {
        await gatehouse.publish({ name: 'busy', version: `1.0.${count}` });
        if (count % 5 === 4) await gatehouse.send('DELETE', `${gatehouse.projectPath()}/busy`);
      }
    })();
    for (let round = 0; round < 5; round += 1) expect(await repair()).toEqual([]);
    over.abort();
    await load;
    expect(await examineHealth(gatehouse)).toEqual([]);
  });
});
