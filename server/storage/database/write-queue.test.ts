import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../accounts/change.ts';
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

describe('a database that another program is writing to', () => {
  let folder: string;
  let other: BetterSqlite3.Database;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-write-queue-'));
    const file = join(folder, 'shared.db');
    sqlite = openSqlite(file);
    sqlite.exec('CREATE TABLE numbers (n INTEGER PRIMARY KEY)');
    other = openSqlite(file);
    other.exec('BEGIN IMMEDIATE');
  });
  afterEach(() => {
    other.close();
    sqlite.close();
    rmSync(folder, { recursive: true });
  });
  const nothing = () => undefined;

  it('holds up writes alone, in their order, and not the event loop', async () => {
    queue = new WriteQueue({ sqlite, recordAudit: nothing, announce: nothing });
    const written = Promise.all([queue.write(insert(1)), queue.write(insert(2))]);
    for (let turn = 0; turn < 20; turn += 1) await delay(1);
    const later = queue.write(() => numbers());
    other.exec('COMMIT');
    await written;
    expect(await later).toEqual([1, 2]);
  });

  it('fails writes if it goes on for long, and the next ones succeed', async () => {
    queue = new WriteQueue({ sqlite, recordAudit: nothing, announce: nothing, patience: 100 });
    await expect(queue.write(insert(1))).rejects.toThrow(/locked/);
    other.exec('ROLLBACK');
    await queue.write(insert(2));
    expect(numbers()).toEqual([2]);
  });
});

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
