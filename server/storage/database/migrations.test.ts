import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrate, shippedMigrations } from './migrations.ts';
import type { Migration } from './migrations.ts';
import { StartupError } from '../../lib/startup-error.ts';

const step = (number: number, sql: string, sha256 = sql): Migration => ({
  number,
  name: `step-${number}`,
  sql,
  sha256,
});

function failureOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    if (error instanceof StartupError) return error.failure;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('migrate', () => {
  it('applies the shipped steps, and nothing the second time', () => {
    const sqlite = new BetterSqlite3(':memory:');
    migrate(sqlite, shippedMigrations());
    const tables = sqlite.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table'").pluck().get();
    migrate(sqlite, shippedMigrations());
    expect(sqlite.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table'").pluck().get()).toBe(tables);
    expect(sqlite.pragma('foreign_key_check')).toEqual([]);
  });

  it('leaves the database as it was if one of several steps fails', () => {
    const sqlite = new BetterSqlite3(':memory:');
    const steps = [step(1, 'CREATE TABLE a (x)'), step(2, 'CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)')];
    expect(failureOf(() => migrate(sqlite, steps))).toBe('migrationFailed');
    const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE name IN ('a', 'b')").pluck().all();
    expect(tables).toEqual([]);
    migrate(sqlite, [step(1, 'CREATE TABLE a (x)')]);
    expect(sqlite.prepare('SELECT number FROM schema_migrations').pluck().all()).toEqual([1]);
  });

  it('refuses a database that a newer version wrote', () => {
    const sqlite = new BetterSqlite3(':memory:');
    migrate(sqlite, [step(1, 'CREATE TABLE a (x)'), step(2, 'CREATE TABLE b (x)')]);
    expect(failureOf(() => migrate(sqlite, [step(1, 'CREATE TABLE a (x)')]))).toBe('schemaTooNew');
  });

  it('refuses a step that was edited after it was applied', () => {
    const sqlite = new BetterSqlite3(':memory:');
    migrate(sqlite, [step(1, 'CREATE TABLE a (x)')]);
    expect(failureOf(() => migrate(sqlite, [step(1, 'CREATE TABLE a (x, y)')]))).toBe('migrationFailed');
  });
});

describe('the step that ties outboxes to projects', () => {
  /** A registry of the version before, with what it carried by name. */
  function olderRegistry(): BetterSqlite3.Database {
    const sqlite = new BetterSqlite3(':memory:');
    const steps = shippedMigrations();
    migrate(
      sqlite,
      steps.filter(({ number }) => number < 8),
    );
    sqlite.exec(`
      INSERT INTO users (id, username, name, email, is_admin, created_at, updated_at)
        VALUES (1, 'root', 'Root', 'root@x', 1, 0, 0), (2, 'mallory', 'M', 'm@x', 0, 0, 0);
      INSERT INTO namespaces (id, kind, path, full_path, name, created_at, updated_at) VALUES
        (1, 'group', 'local', 'local', 'local', 0, 0), (2, 'group', 'acme', 'acme', 'acme', 0, 0),
        (3, 'group', 'taken', 'taken', 'taken', 0, 0);
      INSERT INTO projects (id, namespace_id, path, full_path, name, created_at, updated_at) VALUES
        (1, 1, 'packages', 'local/packages', 'packages', 0, 0), (2, 2, 'tools', 'acme/tools', 'tools', 0, 0),
        (3, 3, 'mine', 'taken/mine', 'mine', 0, 0);
      INSERT INTO audit_events (at, actor_id, actor_name, origin, action, target_type, target_id, target_name) VALUES
        (0, 1, 'root', 'http', 'group.created', 'group', 2, 'acme'), (0, 2, 'mallory', 'http', 'group.created', 'group', 3, 'taken');
      INSERT INTO outbox_changes (id, at, kind, project_id, name, version, value) VALUES
        (1, 0, 'publish', 2, '@acme/tool', '1.0.0', 'x'), (2, 0, 'publish', 3, '@acme/evil', '1.0.0', 'x'),
        (3, 0, 'publish', 2, '@acme/tool', '1.1.0', 'x'), (4, 0, 'publish', 2, '@acme/tool', '1.2.0', 'x');
    `);
    return sqlite;
  }

  function addOutbox(sqlite: BetterSqlite3.Database, id: number, selection: string[]): void {
    sqlite
      .prepare(
        `INSERT INTO upstreams (id, name, kind, url, scopes, enabled, minimum_age_days, minimum_age_exceptions, fresh_seconds,
           budget_milliseconds, push_selection, auto_push, created_at, updated_at)
         VALUES (?, ?, 'npm', 'http://x', '[]', 1, 0, '[]', 60, 3000, ?, 0, 0, 0)`,
      )
      .run(id, `u${id}`, JSON.stringify(selection));
  }

  const originsOf = (sqlite: BetterSqlite3.Database): unknown[] =>
    sqlite.prepare('SELECT push_from FROM upstreams ORDER BY id').pluck().all();

  it('takes the group of the scope if an administrator made it, else "local", and nothing for what never pushed', () => {
    const sqlite = olderRegistry();
    const selections = [['@acme', '@acme/tool'], ['@taken'], ['*'], ['@acme', 'tool'], ['@Acme/*'], []];
    for (const [index, selection] of selections.entries()) addOutbox(sqlite, index + 1, selection);
    migrate(sqlite, shippedMigrations());
    const [group, local] = ['{"groupId":2}', '{"groupId":1}'];
    expect(originsOf(sqlite)).toEqual([group, local, local, local, group, null]);
  });

  it('knows what was sent from what was there before, and says once whose packages are not carried any more', () => {
    const sqlite = olderRegistry();
    addOutbox(sqlite, 1, ['@acme']);
    sqlite.exec(`INSERT INTO outbox_items (upstream_id, change_id, state, here, there, updated_at) VALUES
      (1, 1, 'done', 'x', NULL, 0), (1, 2, 'done', 'x', NULL, 0), (1, 3, 'done', 'x', 'x', 0), (1, 4, 'done', NULL, NULL, 0)`);
    migrate(sqlite, shippedMigrations());
    const items = sqlite.prepare('SELECT state, sent FROM outbox_items ORDER BY change_id').raw().all();
    expect(items).toEqual([
      ['done', 1],
      ['done', 1],
      ['done', 0],
      ['skipped', 0],
    ]);
    expect(originsOf(sqlite)).toEqual(['{"groupId":2}']);
    const said = sqlite.prepare(`SELECT target_name, after FROM audit_events WHERE action = 'outbox.narrowed'`);
    expect(said.raw().all()).toEqual([['u1', '{"from":"acme","no_longer_sent":["taken/mine"]}']]);
  });
});

describe('the step that makes claims', () => {
  it('confirms the groups of administrators and keeps local what was published in them', () => {
    const sqlite = new BetterSqlite3(':memory:');
    const steps = shippedMigrations();
    migrate(
      sqlite,
      steps.slice(
        0,
        steps.findIndex(({ name }) => name === 'claims'),
      ),
    );
    const times = 'created_at, updated_at';
    sqlite.exec(`
      INSERT INTO users (id, username, name, email, is_admin, ${times}) VALUES
        (1, 'root', 'R', 'r@x', 1, 1, 1), (2, 'mallory', 'M', 'm@x', 0, 1, 1);
      INSERT INTO namespaces (id, kind, parent_id, owner_id, path, full_path, name, ${times}) VALUES
        (1, 'group', NULL, NULL, 'local', 'local', '', 1, 1), (2, 'user', NULL, 1, 'root', 'root', '', 1, 1),
        (3, 'group', NULL, NULL, 'Acme', 'Acme', '', 1, 1), (4, 'group', NULL, NULL, 'babel', 'babel', '', 1, 1),
        (5, 'group', 1, NULL, 'sub', 'local/sub', '', 1, 1);
      INSERT INTO audit_events (at, actor_id, actor_name, origin, action, target_type, target_id, target_name) VALUES
        (1, NULL, 'gatehouse', 'system', 'group.created', 'group', 1, 'local'),
        (1, 1, 'root', 'http', 'group.created', 'group', 3, 'Acme'),
        (1, 2, 'mallory', 'http', 'group.created', 'group', 4, 'babel');
      INSERT INTO projects (id, namespace_id, path, full_path, name, ${times}) VALUES
        (1, 1, 'a', 'local/a', '', 1, 1), (2, 3, 'b', 'Acme/b', '', 1, 1), (3, 4, 'c', 'babel/c', '', 1, 1),
        (4, 5, 'd', 'local/sub/d', '', 1, 1), (5, 2, 'e', 'root/e', '', 1, 1);
      INSERT INTO packages (project_id, name, ${times}) VALUES
        (4, '@Types/mine', 1, 1), (1, 'Tool', 1, 1), (5, 'own', 1, 1), (3, 'react', 1, 1), (3, '@babel/core', 1, 1),
        (1, '@acme/old', 1, 1), (1, '@acme/both', 1, 1), (2, '@acme/both', 1, 1);
      INSERT INTO meta (key, value) VALUES ('upstream.reservedScopes', '["@secret","@acme","*"]');
    `);
    migrate(sqlite, steps);
    const claims = sqlite.prepare('SELECT name, namespace_id FROM name_claims ORDER BY name').raw().all();
    expect(claims).toEqual([
      ['@acme', 3],
      // Of the scope of another group, which does not have it: it stays where it is.
      ['@acme/old', 1],
      ['@local', 1],
      ['@secret', null],
      ['@types', null],
      ['own', null],
      ['tool', null],
    ]);
    expect(sqlite.prepare("SELECT count(*) FROM meta WHERE key LIKE 'upstream.%'").pluck().get()).toBe(0);
  });
});
