import { copyFileSync, existsSync, fdatasyncSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '../sqlite.ts';
import type { Sqlite } from '../sqlite.ts';
import { writeDerived } from '../late-statement.ts';
import { HeldTransaction, MustDivide } from './held-transaction.ts';
import { MetaStore } from '../stores/meta-store.ts';
import { LogFile } from './log-file.ts';
import { takeInLeftLog, tokenIn } from './replay.ts';

vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  return { ...fs, fdatasyncSync: vi.fn(fs.fdatasyncSync) };
});

let folder = '';
let sqlite: Sqlite;
let log: LogFile;
let held: HeldTransaction;
let isAwaited = false;
let regained = 0;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-held-'));
  sqlite = openSqlite(join(folder, 'gatehouse.db'));
  sqlite.exec(`
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE numbers (id INTEGER PRIMARY KEY, n INTEGER NOT NULL UNIQUE, bytes BLOB);`);
  log = new LogFile(join(folder, 'commits.log'));
  isAwaited = false;
  regained = 0;
  held = new HeldTransaction({ sqlite, log, isAwaited: () => isAwaited, onRegained: () => (regained += 1) });
  await beginHolding();
});
afterEach(async () => {
  vi.useRealTimers();
  await held.close();
  sqlite.close();
  rmSync(folder, { recursive: true });
});

/** The first batch has the log made, the first one after that gives the database its token. */
async function beginHolding(): Promise<void> {
  held.run(() => undefined, true);
  await vi.waitFor(() => expect(log.isOpen).toBe(true));
  held.run(() => undefined, true);
}

const insert = (n: number): void => {
  sqlite.prepare<[number, Buffer]>('INSERT INTO numbers (n, bytes) VALUES (?, ?)').run(n, Buffer.from([n]));
};
const put = (...numbers: number[]): void => held.run(() => numbers.forEach(insert), true);
const numbersIn = (database: Sqlite): unknown[] => database.prepare('SELECT n FROM numbers ORDER BY id').pluck().all();
const seenHere = (): unknown[] => numbersIn(sqlite);

/** What another connection sees. */
function seenByOthers(): unknown[] {
  const other = openSqlite(join(folder, 'gatehouse.db'));
  try {
    return numbersIn(other);
  } finally {
    other.close();
  }
}

/** What a start would find if the process were killed now. */
function seenAfterKill(): unknown[] {
  const left = mkdtempSync(join(tmpdir(), 'gatehouse-left-'));
  try {
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(left, name));
    const again = openSqlite(join(left, 'gatehouse.db'));
    try {
      takeInLeftLog(again, join(left, 'commits.log'));
      // A second start finds that it is in already.
      expect(takeInLeftLog(again, join(left, 'commits.log'))).toBe(0);
      return numbersIn(again);
    } finally {
      again.close();
    }
  } finally {
    rmSync(left, { recursive: true });
  }
}

describe('batches that say all that they do', () => {
  it('are seen at once here, later by others, and by a start after a kill in any case', () => {
    put(1, 2);
    put(3);
    expect(held.isHolding).toBe(true);
    expect([seenHere(), seenByOthers(), seenAfterKill()]).toEqual([[1, 2, 3], [], [1, 2, 3]]);
    vi.advanceTimersByTime(100);
    expect(held.isHolding).toBe(false);
    expect([seenHere(), seenByOthers(), seenAfterKill()]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    put(4);
    expect(seenAfterKill()).toEqual([1, 2, 3, 4]);
  });

  it('are committed when there are many, or much, whatever the clock says', () => {
    for (let n = 0; n < 64; n += 1) put(n);
    vi.advanceTimersByTime(2);
    expect(seenByOthers()).toHaveLength(64);
    const large = (n: number): void =>
      held.run(() => {
        sqlite
          .prepare<[number, Buffer]>('INSERT INTO numbers (n, bytes) VALUES (?, ?)')
          .run(n, Buffer.alloc(3_000_000, n));
      }, true);
    for (let n = 100; n < 105; n += 1) large(n);
    expect(seenByOthers().slice(64)).toEqual([100, 101, 102]);
    expect(seenAfterKill().slice(64)).toEqual([100, 101, 102, 103, 104]);
    // Too large for the log by itself.
    held.run(
      () => sqlite.prepare<[Buffer]>('INSERT INTO numbers (n, bytes) VALUES (200, ?)').run(Buffer.alloc(6e6)),
      true,
    );
    expect(seenByOthers()).toContain(200);
  });

  it('may change rows and answer them', () => {
    held.run(() => {
      const rows = sqlite.prepare<[number], number>('INSERT INTO numbers (n) VALUES (?) RETURNING id').pluck();
      expect(rows.get(5)).toBe(1);
      expect(rows.all(6)).toEqual([2]);
      expect([...rows.iterate(7)]).toEqual([3]);
    }, true);
    expect(seenAfterKill()).toEqual([5, 6, 7]);
  });

  it('are committed one by one while somebody else waits for a turn to write', () => {
    put(1);
    isAwaited = true;
    put(2);
    vi.advanceTimersByTime(100);
    put(3);
    expect([held.isHolding, seenByOthers()]).toEqual([false, [1, 2, 3]]);
    isAwaited = false;
    put(4);
    expect(seenByOthers()).toEqual([1, 2, 3]);
  });
});

describe('what ends the hold', () => {
  it.each<[string, () => void]>([
    ['a batch that does more than run statements', () => held.run(() => insert(9), false)],
    ['a write by somebody who asks nobody', () => insert(9)],
  ])('%s, which commits what is held with it', (_what, write) => {
    put(1);
    write();
    expect([held.isHolding, seenByOthers(), seenAfterKill()]).toEqual([false, [1, 9], [1, 9]]);
  });

  it('closing, which takes the log away', async () => {
    put(1);
    await held.close();
    expect(existsSync(join(folder, 'commits.log'))).toBe(false);
    expect(seenByOthers()).toEqual([1]);
  });
});

describe('what is derived', () => {
  it('joins what is held without being logged, and goes with it', () => {
    put(1);
    expect(writeDerived(sqlite, () => insert(8))).toBe(true);
    put(2);
    expect([held.isHolding, seenHere(), seenAfterKill()]).toEqual([true, [1, 8, 2], [1, 2]]);
    held.commit();
    expect([seenByOthers(), seenAfterKill()]).toEqual([
      [1, 8, 2],
      [1, 8, 2],
    ]);
  });

  it('is committed by itself where nothing is held, and undone alone where it fails', () => {
    expect(writeDerived(sqlite, () => insert(8))).toBe(true);
    expect(seenByOthers()).toEqual([8]);
    put(1);
    const twice = (): void => {
      insert(2);
      insert(1);
    };
    expect(() => writeDerived(sqlite, twice)).toThrow('UNIQUE');
    expect([held.isHolding, seenHere(), seenAfterKill()]).toEqual([true, [8, 1], [8, 1]]);
  });

  it('is logged with the batch that it is written by', () => {
    held.run(() => {
      insert(1);
      writeDerived(sqlite, () => insert(8));
    }, true);
    expect(seenAfterKill()).toEqual([1, 8]);
  });
});

describe('a batch that fails', () => {
  it('leaves those before it alone, and nothing of itself, here or after a kill', () => {
    put(1);
    expect(() =>
      held.run(() => {
        insert(2);
        throw new Error('no');
      }, true),
    ).toThrow('no');
    expect(() => put(3, 1)).toThrow('UNIQUE');
    put(4);
    expect([seenHere(), seenAfterKill()]).toEqual([
      [1, 4],
      [1, 4],
    ]);
  });

  it('with all of the transaction, as on a full disk, has those before it run again', () => {
    put(1);
    put(2);
    const pages = sqlite.pragma('page_count', { simple: true }) as number;
    sqlite.pragma(`max_page_count = ${pages}`);
    const fill = (): void =>
      held.run(
        () => sqlite.prepare<[Buffer]>('INSERT INTO numbers (n, bytes) VALUES (3, ?)').run(Buffer.alloc(90_000)),
        true,
      );
    expect(fill).toThrow('full');
    expect([seenHere(), seenAfterKill()]).toEqual([
      [1, 2],
      [1, 2],
    ]);
    sqlite.pragma('max_page_count = 100000');
    fill();
    expect([seenHere(), seenAfterKill()]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  it('before it wrote anything ends no hold, and takes no room in the log', () => {
    put(1);
    const append = vi.spyOn(log, 'append');
    expect(() =>
      held.run(() => {
        throw new Error('no');
      }, true),
    ).toThrow('no');
    held.run(() => undefined, true);
    expect(append).not.toHaveBeenCalled();
    expect([held.isHolding, seenByOthers(), seenAfterKill()]).toEqual([true, [], [1]]);
    held.commit();
    expect(() =>
      held.run(() => {
        throw new Error('no');
      }, true),
    ).toThrow('no');
    expect([held.isHolding, sqlite.inTransaction]).toEqual([false, false]);
  });

  it('after it wrote has what was held run again and committed, so that the next one that fails costs less', () => {
    put(1);
    const entries = vi.spyOn(log, 'entries');
    for (const n of [2, 3]) expect(() => put(n, 1)).toThrow('UNIQUE');
    expect(entries).toHaveBeenCalledTimes(1);
    expect([held.isHolding, regained, seenHere(), seenByOthers(), seenAfterKill()]).toEqual([false, 0, [1], [1], [1]]);
  });

  it('after it wrote, with a log that cannot be read just then, has what was held run again later', () => {
    put(1);
    vi.spyOn(log, 'entries').mockImplementationOnce(() => {
      throw new Error('EIO: i/o error, read');
    });
    expect(() => put(2, 1)).toThrow('UNIQUE');
    vi.advanceTimersByTime(1500);
    expect([held.isLost, seenHere(), seenByOthers(), seenAfterKill()]).toEqual([false, [1], [1], [1]]);
  });

  it('halfway can be run again in parts', () => {
    put(1);
    const asked: boolean[] = [];
    held.run((isDivided) => {
      asked.push(isDivided);
      insert(2);
      if (!isDivided) throw new MustDivide();
    }, true);
    expect([asked, seenHere(), seenAfterKill()]).toEqual([
      [false, true],
      [1, 2],
      [1, 2],
    ]);
  });

  /** The entry is on disk all the same. */
  const failToAppend = (): void => {
    vi.mocked(fdatasyncSync).mockImplementationOnce(() => {
      throw new Error('EIO: i/o error, fdatasync');
    });
  };

  it.each([true, false])('to get into the log is committed instead (something held: %s)', (isHolding) => {
    if (isHolding) put(1);
    failToAppend();
    put(2);
    const expected = isHolding ? [1, 2] : [2];
    expect([held.isHolding, seenByOthers(), seenAfterKill()]).toEqual([false, expected, expected]);
    // The log is not used again.
    put(3);
    expect([held.isHolding, seenByOthers(), seenAfterKill()]).toEqual([false, [...expected, 3], [...expected, 3]]);
  });

  it.each([true, false])(
    'to get into the log and to be committed is refused for good, although its entry may be on disk (something held: %s)',
    (isHolding) => {
      sqlite.exec(`
        CREATE TABLE parents (id INTEGER PRIMARY KEY);
        CREATE TABLE children (p INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);`);
      if (isHolding) put(1);
      failToAppend();
      const orphan = (): void => {
        insert(2);
        sqlite.prepare('INSERT INTO children VALUES (9)').run();
      };
      expect(() => held.run(orphan, true)).toThrow('FOREIGN KEY');
      const expected = isHolding ? [1] : [];
      expect([seenHere(), seenByOthers(), seenAfterKill()]).toEqual([expected, expected, expected]);
    },
  );

  it('only at the commit is written over in the log of SQLite at once, before anything goes on without it', () => {
    sqlite.exec(`
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (p INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);`);
    const child = (): void => {
      sqlite.prepare<[number]>('INSERT INTO children VALUES (?)').run(9);
    };
    const token = tokenIn(new MetaStore(sqlite));
    expect(() => held.run(child, false)).toThrow('FOREIGN KEY');
    const other = openSqlite(join(folder, 'gatehouse.db'));
    expect(tokenIn(new MetaStore(other))).not.toBe(token);
    other.close();
    put(1);
    expect([held.isHolding, seenAfterKill()]).toEqual([true, [1]]);
  });
});

/* SQLite ends the whole transaction by itself for some errors (a full disk, no memory, some I/O errors), whatever statement meets them. */
describe('a transaction that SQLite gives up outside of a batch', () => {
  beforeEach(() => {
    put(1);
    put(2);
    sqlite.exec('ROLLBACK');
    expect([held.isLost, seenHere(), seenAfterKill()]).toEqual([true, [], [1, 2]]);
  });
  afterEach(() => {
    expect([held.isLost, regained]).toEqual([false, 1]);
  });

  it('is there again at once if a statement failed, also one that only reads', () => {
    expect(() => sqlite.prepare(`SELECT json('no JSON')`).all()).toThrow('malformed');
    expect([held.isHolding, seenHere(), seenAfterKill()]).toEqual([true, [1, 2], [1, 2]]);
  });

  it.each<[string, () => void, unknown[]]>([
    ['the next batch', () => put(3), [1, 2, 3]],
    ['a batch that is committed at once', () => held.run(() => insert(3), false), [1, 2, 3]],
    ['a write by somebody who asks nobody', () => insert(3), [1, 2, 3]],
    ['the commit', () => held.commit(), [1, 2]],
    ['the clock', () => vi.advanceTimersByTime(100), [1, 2]],
    ['what is derived', () => expect(writeDerived(sqlite, () => undefined)).toBe(true), [1, 2]],
  ])('is run again by %s, and counted once', (_what, next, expected) => {
    next();
    expect([seenHere(), seenAfterKill()]).toEqual([expected, expected]);
    vi.advanceTimersByTime(2000);
    expect([held.isHolding, seenByOthers(), seenAfterKill()]).toEqual([false, expected, expected]);
    put(4);
    expect(seenAfterKill()).toEqual([...expected, 4]);
  });

  it('is run again before a batch that then fails, or that passes over the error that ended it', () => {
    expect(() => put(1)).toThrow('UNIQUE');
    expect(seenHere()).toEqual([1, 2]);
    expect(() =>
      held.run(() => {
        insert(3);
        sqlite.exec('ROLLBACK');
        regained = 0;
      }, true),
    ).toThrow('gave up');
    expect([seenHere(), seenAfterKill()]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });
});

it('what is derived and finds the disk full takes nothing along', () => {
  put(1);
  sqlite.pragma(`max_page_count = ${sqlite.pragma('page_count', { simple: true }) as number}`);
  const large = (): void => {
    sqlite.prepare<[Buffer]>('INSERT INTO numbers (n, bytes) VALUES (8, ?)').run(Buffer.alloc(90_000));
  };
  expect(() => writeDerived(sqlite, large)).toThrow('full');
  expect([held.isLost, seenHere(), seenAfterKill()]).toEqual([false, [1], [1]]);
  sqlite.pragma('max_page_count = 100000');
  vi.advanceTimersByTime(1500);
  put(2);
  expect([seenByOthers(), seenAfterKill()]).toEqual([[1], [1, 2]]);
});

it('a state that takes the place of the database is not followed by what was logged before', async () => {
  put(1);
  held.commit();
  const token = tokenIn(new MetaStore(sqlite));
  put(2);
  await held.alone(async () => {
    expect(seenByOthers()).toEqual([1, 2]);
    expect(writeDerived(sqlite, () => insert(8))).toBe(false);
  });
  put(3);
  expect(tokenIn(new MetaStore(sqlite))).not.toBe(token);
  expect(seenByOthers()).toEqual([1, 2, 3]);
});
