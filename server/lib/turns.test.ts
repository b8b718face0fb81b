import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { beginInTurn, nextTurn } from './turns.ts';

/** Keeps the event loop for longer than requests may have of one turn. */
function workLong(): void {
  const until = performance.now() + 12;
  while (performance.now() < until);
}

/** Counts turns of the event loop. */
function countTurns(): () => number {
  let turns = 0;
  let isCounting = true;
  const count = (): void => {
    turns += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    isCounting = false;
    return turns;
  };
}

test('requests that came together do not hold the event loop together', async () => {
  const turns = countTurns();
  const done: Promise<void>[] = [];
  for (let index = 0; index < 5; index += 1) {
    done.push(
      new Promise((resolve) => {
        const begin = (): void => {
          workLong();
          resolve();
        };
        beginInTurn({}, begin);
      }),
    );
  }
  await Promise.all(done);
  expect(turns()).toBeGreaterThanOrEqual(4);
});

test('long pieces take turns of their own', async () => {
  const turns = countTurns();
  const pieces = async (): Promise<void> => {
    for (let piece = 0; piece < 3; piece += 1) {
      await nextTurn();
      workLong();
    }
  };
  await Promise.all([pieces(), pieces(), pieces()]);
  expect(turns()).toBeGreaterThanOrEqual(8);
});

test('what a piece goes on with in later microtasks counts as a part of it', async () => {
  const turns = countTurns();
  const piece = async (): Promise<void> => {
    await nextTurn();
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    workLong();
  };
  await Promise.all([piece(), piece(), piece()]);
  expect(turns()).toBeGreaterThanOrEqual(2);
});

test('short pieces of many works share a turn, and each work has one piece in a turn', async () => {
  const turns = countTurns();
  const pieces = async (): Promise<void> => {
    for (let piece = 0; piece < 3; piece += 1) await nextTurn();
  };
  await Promise.all(Array.from({ length: 50 }, pieces));
  expect(turns()).toBeGreaterThanOrEqual(2);
  expect(turns()).toBeLessThanOrEqual(10);
});

test('many requests of one connection wait for those of others, and too many are refused', async () => {
  const connection = {};
  const begun: string[] = [];
  beginInTurn({}, workLong);
  let taken = 0;
  while (taken < 1000 && beginInTurn(connection, () => begun.push('many'))) taken += 1;
  await new Promise<void>((resolve) => {
    const begin = (): void => {
      begun.push('other');
      resolve();
    };
    beginInTurn({}, begin);
  });
  expect(taken).toBe(100);
  expect(begun.indexOf('other')).toBeLessThanOrEqual(1);
});

test('a request does not begin in the context of the one that let it wait', async () => {
  const context = new AsyncLocalStorage<string>();
  context.run('first', () => void nextTurn());
  const found = await new Promise((resolve) => {
    beginInTurn({}, () => resolve(context.getStore()));
  });
  expect(found).toBeUndefined();
});
