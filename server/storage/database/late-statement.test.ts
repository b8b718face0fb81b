import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepareLate } from './late-statement.ts';

let sqlite: BetterSqlite3.Database;
let prepare: ReturnType<typeof vi.fn>;
beforeEach(() => {
  sqlite = new BetterSqlite3(':memory:');
  sqlite.exec(`CREATE TABLE hats (name TEXT, size INTEGER); INSERT INTO hats VALUES ('bowler', 57), ('fez', 55)`);
  prepare = vi.fn(sqlite.prepare.bind(sqlite));
  Object.assign(sqlite, { prepare });
  prepareLate(sqlite);
});
afterEach(() => sqlite.close());

test('a statement is prepared by its first run, and once', () => {
  const byName = sqlite.prepare('SELECT size FROM hats WHERE name = ?');
  expect(prepare).not.toHaveBeenCalled();
  expect([byName.get('fez'), byName.get('bowler')]).toEqual([{ size: 55 }, { size: 57 }]);
  expect(prepare).toHaveBeenCalledTimes(1);
});

test('rows come as was said before there was a statement, and as is said later', () => {
  const sizes = sqlite.prepare('SELECT size FROM hats ORDER BY size').pluck();
  expect(sizes.all()).toEqual([55, 57]);
  expect([...sizes.iterate()]).toEqual([55, 57]);
  expect(sizes.pluck(false).get()).toEqual({ size: 55 });
});

test('writes tell what they changed', () => {
  expect(sqlite.prepare('UPDATE hats SET size = size + 1').run().changes).toBe(2);
});

test('a statement that is wrong is complained about when it runs', () => {
  const wrong = sqlite.prepare('SELECT colour FROM hats');
  expect(() => wrong.get()).toThrow('no such column: colour');
});

test('transactions go on as before', () => {
  const grow = sqlite.transaction(() => {
    sqlite.prepare('UPDATE hats SET size = 60').run();
    throw new Error('too large');
  });
  expect(() => grow()).toThrow('too large');
  expect(sqlite.prepare('SELECT max(size) FROM hats').pluck().get()).toBe(57);
});
