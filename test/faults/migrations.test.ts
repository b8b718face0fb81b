import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate, shippedMigrations } from '../../server/storage/database/migrations.ts';
import type { Migration } from '../../server/storage/database/migrations.ts';
import { openSqlite } from '../../server/storage/database/sqlite.ts';
import { TestRegistry } from '../support/registry.ts';
import { examineHealth } from './support/maintenance.ts';

const migrations = shippedMigrations();

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-schema-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Everything that a schema consists of, as SQLite has it. */
function schemaOf(file: string): unknown[] {
  const sqlite = new BetterSqlite3(file, { readonly: true });
  try {
    return sqlite.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all();
  } finally {
    sqlite.close();
  }
}

function makeAt(file: string, steps: readonly Migration[]): void {
  const sqlite = openSqlite(file);
  for (let count = 1; count <= steps.length; count += 1) migrate(sqlite, steps.slice(0, count));
  sqlite.close();
}

test('the steps are numbered from 1 without a gap or a double', () => {
  expect(migrations.map((migration) => migration.number)).toEqual(migrations.map((_, index) => index + 1));
});

describe.each(migrations.map((migration) => [migration.number, migration.name] as const))(
  'a data folder at schema %d (%s)',
  (number) => {
    test('comes to the same schema as a new one, and serves what it held', async () => {
      const fresh = join(folder, 'fresh.db');
      makeAt(fresh, migrations);
      const dataDir = join(folder, 'data');
      const first = await TestRegistry.start({ dataDir });
      await first.stop();

      // What the first schema knows, as an older Gatehouse would have left it.
      const file = join(folder, 'old.db');
      makeAt(file, migrations.slice(0, number));
      const old = openSqlite(file);
      const known = new Set(
        old.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all(),
      );
      for (const table of [
        'users',
        'namespaces',
        'projects',
        'group_members',
        'access_tokens',
        'signing_keys',
        'meta',
      ]) {
        expect(known).toContain(table);
        const source = new BetterSqlite3(join(dataDir, 'gatehouse.db'), { readonly: true });
        const rows = source.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all();
        source.close();
        const columns = new Set(
          (old.pragma(`table_info(${table})`) as { name: string }[]).map((column) => column.name),
        );
        for (const row of rows) {
          const kept = Object.keys(row).filter((column) => columns.has(column));
          old
            .prepare(`INSERT INTO ${table} (${kept.join(', ')}) VALUES (${kept.map(() => '?').join(', ')})`)
            .run(...kept.map((column) => row[column]));
        }
      }
      old.close();
      rmSync(dataDir, { recursive: true });
      const target = await TestRegistry.start({ dataDir });
      await target.stop();
      for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `gatehouse.db${suffix}`), { force: true });
      const moved = openSqlite(file);
      moved.exec(`VACUUM INTO '${join(dataDir, 'gatehouse.db').replaceAll("'", "''")}'`);
      moved.close();

      const gatehouse = await TestRegistry.start({ dataDir });
      try {
        expect((await gatehouse.get('/api/v4/user')).status).toBe(200);
        await gatehouse.publish({ name: 'after', version: '1.0.0' });
        expect(await examineHealth(gatehouse)).toEqual([]);
      } finally {
        await gatehouse.stop();
      }
      expect(schemaOf(join(dataDir, 'gatehouse.db'))).toEqual(schemaOf(fresh));
    });

    test('stays as it was if the next step fails', () => {
      const file = join(folder, 'failing.db');
      makeAt(file, migrations.slice(0, number));
      const before = schemaOf(file);
      const sqlite = openSqlite(file);
      const broken: Migration = {
        number: number + 1,
        name: 'broken',
        sql: 'CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1);',
        sha256: 'x',
      };
      expect(() => migrate(sqlite, [...migrations.slice(0, number), broken])).toThrow(/nothing was changed/);
      sqlite.close();
      expect(schemaOf(file)).toEqual(before);
    });
  },
);

test('a step takes the e-mail addresses of publishers out of manifests, and leaves all else as it is', () => {
  const file = join(folder, 'addresses.db');
  const step = migrations.findIndex(({ name }) => name === 'publisher-addresses');
  makeAt(file, migrations.slice(0, step));
  const sqlite = openSqlite(file);
  sqlite.pragma('foreign_keys = OFF');
  const insert = sqlite.prepare(
    `INSERT INTO package_versions (package_id, version, published_at, tarball_sha512, integrity, shasum, size, file_count, unpacked_size,
       manifest, abbreviated, signature_key_id, signature) VALUES (1, ?, 0, '', '', '', 0, 0, 0, ?, '{}', '', '')`,
  );
  const withPublisher = (publisher: unknown) =>
    JSON.stringify({
      name: 'x',
      author: { email: 'author@example.test' },
      text: 'é\u2028',
      _npmUser: publisher,
      n: 1.5,
    });
  const manifests = [withPublisher({ name: 'ann', email: 'ann@example.test' }), withPublisher(undefined), '{broken'];
  for (const [index, manifest] of manifests.entries()) insert.run(`1.0.${index}`, manifest);
  const staged = { tags: ['latest'], version: { version: '2.0.0', manifest: manifests[0] } };
  sqlite
    .prepare(
      `INSERT INTO staged_versions (id, project_id, name, version, tags, tarball_sha512, shasum, size, actor_name, content, created_at)
       VALUES ('a', 1, 'x', '2.0.0', '[]', '', '', 0, 'ann', ?, 0)`,
    )
    .run(JSON.stringify(staged));
  migrate(sqlite, migrations.slice(0, step + 1));
  const read = (sql: string) => sqlite.prepare<[], string>(sql).pluck().all();
  const after = withPublisher({ name: 'ann', email: 'ann@users.noreply.gatehouse.local' });
  expect(read('SELECT manifest FROM package_versions ORDER BY version')).toEqual([after, ...manifests.slice(1)]);
  const [content = ''] = read('SELECT content FROM staged_versions');
  expect(JSON.parse(content)).toEqual({ ...staged, version: { ...staged.version, manifest: after } });
  sqlite.close();
});

test('the step that counts dependents reads the latest versions, development dependencies aside', () => {
  const file = join(folder, 'usage.db');
  const step = migrations.findIndex(({ name }) => name === 'usage');
  makeAt(file, migrations.slice(0, step));
  const sqlite = openSqlite(file);
  sqlite.pragma('foreign_keys = OFF');
  const manifests = [
    { dependencies: { a: '1', b: '1' }, peerDependencies: { a: '1' }, devDependencies: { c: '1' } },
    { dependencies: ['d'], optionalDependencies: { e: '1', f: { g: '1' } }, peerDependencies: 'h' },
  ].map((manifest) => JSON.stringify(manifest));
  for (const [index, manifest] of [...manifests, '{broken'].entries()) {
    sqlite
      .prepare(
        `INSERT INTO package_versions (id, package_id, version, published_at, tarball_sha512, integrity, shasum, size, file_count,
           unpacked_size, manifest, abbreviated, signature_key_id, signature)
         VALUES (?, ?, '1.0.0', 0, '', '', '', 0, 0, 0, ?, '{}', '', '')`,
      )
      .run(index + 1, index + 1, manifest);
    sqlite
      .prepare(
        `INSERT INTO package_summaries (package_id, project_id, name, description, keywords, latest_version_id, latest, deprecated,
           version_count, tag_count, total_size, published_at) VALUES (?, 1, ?, '', '[]', ?, '1.0.0', 0, 1, 1, 0, 0)`,
      )
      .run(index + 1, `p${index}`, index + 1);
  }
  migrate(sqlite, migrations.slice(0, step + 1));
  expect(sqlite.prepare('SELECT package_id, name FROM package_dependencies ORDER BY 1, 2').raw().all()).toEqual([
    [1, 'a'],
    [1, 'b'],
    [2, 'e'],
  ]);
  sqlite.close();
});
