import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemActor } from '../../accounts/change.ts';
import { LogFile } from './commit-log/log-file.ts';
import { openSqlite } from './sqlite.ts';
import { WriteQueue } from './write-queue.ts';
import type { Announcement } from './write-queue.ts';

let sqlite: BetterSqlite3.Database;
let announced: Announcement[];
let audited: string[];
let commits: number;
let queue: WriteQueue;

beforeEach(() => {
  sqlite = new BetterSqlite3(':memory:');
  sqlite.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY)');
  announced = [];
  audited = [];
  commits = 0;
  queue = new WriteQueue({
    sqlite,
    recordAudit: (_at, entry) => audited.push(entry.action),
    announce: (announcement) => announced.push(announcement),
  });
});

const insert = (n: number) => () => sqlite.prepare('INSERT INTO numbers (n) VALUES (?)').run(n);
const numbers = () => sqlite.prepare('SELECT n FROM numbers ORDER BY n').pluck().all();

describe('WriteQueue', () => {
  it('commits what waits together at once and answers each with its own result', async () => {
    const counted = sqlite.prepare('SELECT count(*) FROM numbers').pluck();
    const results = await Promise.all([
      queue.write(() => {
        insert(1)();
        return 'first';
      }),
      queue.write(() => {
        commits = counted.get() as number;
        return 'second';
      }),
    ]);
    expect(results).toEqual(['first', 'second']);
    expect(commits).toBe(1);
  });

  it('undoes a work that throws and leaves its neighbours alone', async () => {
    const outcomes = await Promise.allSettled([
      queue.write(insert(1)),
      queue.write(() => {
        insert(2)();
        throw new Error('no');
      }),
      queue.write(insert(3)),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(numbers()).toEqual([1, 3]);
  });

  it('announces a change after its commit and never one that was undone', async () => {
    let seenInside = -1;
    await Promise.allSettled([
      queue.write((change) => {
        change.emit('directory.changed', { subject: 'user' });
        change.record({ actor: systemActor, action: 'user.created', target: { type: 'user', id: 1, name: 'a' } });
        seenInside = announced.length;
      }),
      queue.write((change) => {
        change.emit('directory.changed', { subject: 'group' });
        throw new Error('no');
      }),
    ]);
    expect(seenInside).toBe(0);
    expect(announced).toEqual([{ topic: 'directory.changed', payload: { subject: 'user' } }]);
    expect(audited).toEqual(['user.created']);
  });

  it('rejects the whole batch if the commit itself fails, and goes on afterwards', async () => {
    sqlite.exec('CREATE TABLE parents (id INTEGER PRIMARY KEY)');
    sqlite.exec('CREATE TABLE children (p INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)');
    sqlite.pragma('foreign_keys = ON');
    const outcomes = await Promise.allSettled([
      queue.write(insert(1)),
      queue.write(() => sqlite.exec('INSERT INTO children VALUES (9)')),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected']);
    await queue.write(insert(2));
    expect(numbers()).toEqual([2]);
  });
});

describe('WriteQueue with a log', () => {
  let folder = '';

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-queue-'));
    sqlite = openSqlite(join(folder, 'gatehouse.db'));
    sqlite.exec(`
      CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE numbers (n INTEGER PRIMARY KEY);`);
    const log = new LogFile(join(folder, 'commits.log'));
    queue = new WriteQueue({
      sqlite,
      log,
      recordAudit: () => undefined,
      announce: (announcement) => announced.push(announcement),
    });
    await logged(() => undefined);
    await vi.waitFor(() => expect(log.isOpen).toBe(true));
    await logged(() => undefined);
  });
  afterEach(async () => {
    await queue.close();
    sqlite.close();
    rmSync(folder, { recursive: true });
  });

  const logged: typeof queue.write = (work) => queue.write(work, { isReplayable: true });
  const seenByOthers = (): unknown[] => {
    const other = openSqlite(join(folder, 'gatehouse.db'));
    try {
      return other.prepare('SELECT n FROM numbers ORDER BY n').pluck().all();
    } finally {
      other.close();
    }
  };

  it('undoes a work that fails halfway, and nothing of what is held or comes along with it', async () => {
    await logged(insert(1));
    const outcomes = await Promise.allSettled([
      logged((change) => {
        insert(2)();
        change.emit('directory.changed', { subject: 'user' });
        return 'second';
      }),
      logged((change) => {
        insert(3)();
        change.emit('directory.changed', { subject: 'group' });
        insert(1)();
      }),
      logged(insert(4)),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(outcomes[0]).toHaveProperty('value', 'second');
    expect(numbers()).toEqual([1, 2, 4]);
    expect(announced).toEqual([{ topic: 'directory.changed', payload: { subject: 'user' } }]);
  });

  it('goes on holding when a work is refused before it wrote', async () => {
    const outcomes = await Promise.allSettled([
      logged(insert(1)),
      logged(() => {
        throw new Error('no');
      }),
      logged(insert(2)),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect([numbers(), seenByOthers()]).toEqual([[1, 2], []]);
  });
});
