import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HeldTransaction } from '../commit-log/held-transaction.ts';
import { LogFile } from '../commit-log/log-file.ts';
import { migrate, shippedMigrations } from '../migrations.ts';
import { openSqlite } from '../sqlite.ts';
import { PackageSummarizer } from './package-summarizer.ts';

it('waits while another state takes the place of the database: for its own lock it would wait five seconds, and stop everything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-summaries-'));
  const file = join(folder, 'gatehouse.db');
  const sqlite = openSqlite(file);
  const other = openSqlite(file);
  try {
    migrate(sqlite, shippedMigrations());
    sqlite.exec(`
      INSERT INTO namespaces (id, kind, path, full_path, name, created_at, updated_at) VALUES (1, 'group', 'local', 'local', 'Local', 0, 0);
      INSERT INTO projects (id, namespace_id, path, full_path, name, created_at, updated_at) VALUES (1, 1, 'p', 'local/p', 'p', 0, 0);
      INSERT INTO packages (id, project_id, name, created_at, updated_at) VALUES (1, 1, 'hat', 0, 0);`);
    const held = new HeldTransaction({ sqlite, log: new LogFile(join(folder, 'commits.log')) });
    const summarizer = new PackageSummarizer(sqlite);
    const summaries = () => sqlite.prepare('SELECT name FROM package_summaries').pluck().all();
    held.run(() => summarizer.note(1), true);
    await held.alone(async () => {
      other.exec('BEGIN IMMEDIATE');
      const from = performance.now();
      summarizer.settle();
      expect(performance.now() - from).toBeLessThan(2500);
      expect(summaries()).toEqual([]);
      other.exec('ROLLBACK');
    });
    summarizer.settle();
    expect(summaries()).toEqual(['hat']);
    await held.close();
  } finally {
    other.close();
    sqlite.close();
    rmSync(folder, { recursive: true });
  }
});
