import { expect, test, vi } from 'vitest';
import { openSqlite } from './sqlite.ts';

test('a statement is compiled once, whatever its columns are compared with', () => {
  const sqlite = openSqlite(':memory:');
  sqlite.exec(
    `CREATE TABLE packages (id INTEGER PRIMARY KEY, project_id INTEGER, name TEXT);
     CREATE INDEX packages_by_name ON packages (name);
     CREATE TABLE versions (id INTEGER PRIMARY KEY, package_id INTEGER, version TEXT);
     INSERT INTO packages VALUES (1, 1, 'one'), (2, 1, 'two');
     INSERT INTO versions VALUES (1, 1, '1.0.0'), (2, 2, '2.0.0');`,
  );
  const statement = sqlite.prepare<[number, string], { version: string }>(
    `SELECT v.version FROM packages p JOIN versions v ON v.package_id = p.id WHERE p.project_id = ? AND p.name = ? ORDER BY v.id`,
  );
  // The driver makes a function that makes rows, and another one when SQLite has compiled the statement again.
  const made = vi.spyOn(globalThis, 'Function');
  try {
    const found = ['one', 'two', 'one', 'three'].map((name) => statement.get(1, name)?.version);
    expect(found).toEqual(['1.0.0', '2.0.0', '1.0.0', undefined]);
    expect(made).toHaveBeenCalledTimes(1);
  } finally {
    made.mockRestore();
    sqlite.close();
  }
});
