import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, shippedMigrations } from '../database/migrations.ts';
import { openSqlite, type Sqlite } from '../database/sqlite.ts';
import { Snapshots } from './snapshots.ts';

let folder: string;
let sqlite: Sqlite;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-snapshots-'));
  sqlite = openSqlite(join(folder, 'gatehouse.db'));
  migrate(sqlite, shippedMigrations());
});

afterEach(() => {
  sqlite.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A cached tarball of another registry: the reference that needs the fewest rows. */
function addTarball(sha512: string): void {
  sqlite.pragma('foreign_keys = OFF');
  sqlite.prepare('INSERT INTO tarballs (sha512, sha1, size, created_at) VALUES (?, ?, 1, 1)').run(sha512, sha512);
  sqlite
    .prepare(
      `INSERT INTO upstream_tarballs (upstream_id, name, version, sha512, integrity, size, fetched_at) VALUES (1, ?, '1.0.0', ?, '', 1, 1)`,
    )
    .run(sha512, sha512);
}

test('a sweep that asks while a snapshot is dropped does not speak for the next one of that name', async () => {
  const snapshots = new Snapshots(join(folder, 'snapshots'), join(folder, 'gatehouse.db'));
  const options = { automatic: false, onProgress: () => undefined };
  const [earlier, later] = ['a'.repeat(128), 'b'.repeat(128)];
  addTarball(earlier);
  await snapshots.create('nightly', options);
  expect(snapshots.holds(earlier)).toBe(true);

  const dropped = snapshots.drop('nightly');
  for (let turn = 0; turn < 100; turn += 1) {
    snapshots.holds(earlier);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await dropped;
  addTarball(later);
  await snapshots.create('nightly', options);

  expect(snapshots.holds(later)).toBe(true);
  snapshots.close();
});
