import BetterSqlite3 from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../accounts/change.ts';
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
