import { describe, expect, it } from 'vitest';
import { readRuns, StatementRecorder } from './statement-log.ts';
import type { LoggedRun, LoggedValue } from './statement-log.ts';

const headroom = 32;
const limit = 1024 * 1024;
const insert = { sql: 'INSERT INTO hats (name) VALUES (?)' };
const remove = { sql: 'DELETE FROM hats WHERE name = ? -- ünï¢ødé' };

function record(runs: readonly [{ sql: string }, ...unknown[]][]): StatementRecorder {
  const recorder = new StatementRecorder(headroom, limit);
  recorder.begin();
  for (const [statement, ...values] of runs) recorder.add(statement, values);
  return recorder;
}

const read = (recorder: StatementRecorder): LoggedRun[] => [...readRuns(recorder.written().subarray(headroom))];

const values: [string, unknown, LoggedValue?][] = [
  ['nothing', null],
  ['what was left out', undefined, null],
  ['a whole number', 42],
  ['a number beyond 32 bits', 1_763_785_000_123],
  ['a fraction', -0.1],
  ['a large integer', -(2n ** 63n)],
  ['an empty text', ''],
  ['a text', 'naïve 日本 🎩'],
  ['a long text', 'x'.repeat(300_000)],
  ['no bytes', Buffer.alloc(0)],
  ['bytes', Buffer.from([0, 1, 255])],
  ['many bytes', Buffer.alloc(400_000, 7)],
];

describe('what is recorded is read again', () => {
  it.each(values)('with %s', (_what, value, same = value as LoggedValue) => {
    expect(read(record([[insert, value, 'next']]))).toEqual([{ sql: insert.sql, values: [same, 'next'] }]);
  });

  it('in the order in which it ran, each text written once', () => {
    const recorder = record([[insert, 'a'], [remove, 'b'], [insert, 'c'], [insert]]);
    expect(read(recorder).map(({ sql, values: [value] }) => [sql, value])).toEqual([
      [insert.sql, 'a'],
      [remove.sql, 'b'],
      [insert.sql, 'c'],
      [insert.sql, undefined],
    ]);
    expect(recorder.written().toString('latin1').split('INSERT').length - 1).toBe(1);
  });

  it('as half of a character that stands alone, in the way that SQLite gets it', () => {
    expect(read(record([[insert, 'a\ud800b']]))[0]?.values).toEqual(['a\ufffdb']);
  });
});

it('every statement is counted until the next batch begins, also one that cannot be written down', () => {
  const recorder = record([
    [insert, 'a'],
    [remove, 'b'],
    [insert, Buffer.alloc(limit)],
    [insert, 'c'],
  ]);
  expect([recorder.count, recorder.isComplete]).toEqual([4, false]);
  recorder.begin();
  expect(recorder.count).toBe(0);
});

it('a batch that is too large, or has what no statement takes, is said to be incomplete; the next one is not', () => {
  const recorder = record([[insert, Buffer.alloc(limit)]]);
  expect(recorder.isComplete).toBe(false);
  recorder.begin();
  expect(recorder.isComplete).toBe(true);
  recorder.add(insert, [{ name: 'by name' }]);
  expect(recorder.isComplete).toBe(false);
});

it('bytes that end anywhere but at the end of a statement are refused', () => {
  const whole = record([[insert, 'a', 1, null, Buffer.from('b')]])
    .written()
    .subarray(headroom);
  const text = 1 + 4 + insert.sql.length;
  for (let length = 1; length < whole.length; length += 1) {
    if (length === text) continue;
    expect(() => [...readRuns(whole.subarray(0, length))], `${length} bytes`).toThrow();
  }
});

it('bytes that are no log are refused', () => {
  expect(() => [...readRuns(Buffer.from([9]))]).toThrow('unknown kind, 9');
  expect(() => [...readRuns(Buffer.from([2, 7, 0, 0, 0]))]).toThrow('does not hold');
});
