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

  it('undoes a step that fails as a whole and keeps those before it', () => {
    const sqlite = new BetterSqlite3(':memory:');
    const steps = [step(1, 'CREATE TABLE a (x)'), step(2, 'CREATE TABLE b (x); INSERT INTO nowhere VALUES (1)')];
    expect(failureOf(() => migrate(sqlite, steps))).toBe('migrationFailed');
    const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE name IN ('a', 'b')").pluck().all();
    expect(tables).toEqual(['a']);
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
