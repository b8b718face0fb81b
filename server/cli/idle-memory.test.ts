import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { giveBackWhenIdle } from './idle-memory.ts';

let requests = 0;
const collect = vi.fn();
let end: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  requests = 0;
  collect.mockClear();
  end = giveBackWhenIdle(() => requests, collect);
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

test('collects once when nothing was asked for a while after the start', () => {
  vi.advanceTimersByTime(1000);
  expect(collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(600_000);
  expect(collect).toHaveBeenCalledTimes(1);
});

test('collects soon after a start at which somebody only looks whether the server is there', () => {
  requests += 3;
  vi.advanceTimersByTime(3000);
  expect(collect).toHaveBeenCalledTimes(1);
});

test('waits while requests come, and a minute longer', () => {
  for (let second = 0; second < 20; second += 1) {
    requests += 10;
    vi.advanceTimersByTime(1000);
  }
  vi.advanceTimersByTime(59_000);
  expect(collect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(collect).toHaveBeenCalledTimes(1);
});

test('collects again after the next requests', () => {
  vi.advanceTimersByTime(10_000);
  requests += 1;
  vi.advanceTimersByTime(59_000);
  expect(collect).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(600_000);
  expect(collect).toHaveBeenCalledTimes(2);
});

test('does nothing more once it is ended', () => {
  end();
  vi.advanceTimersByTime(60_000);
  expect(collect).not.toHaveBeenCalled();
});
