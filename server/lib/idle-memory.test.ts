import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { releaseMemoryWhenIdle } from './idle-memory.ts';

const megabyte = 1024 * 1024;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('collects once after a load that made the server grow, never during one, and health checks are none', () => {
  let [requests, memory, collections] = [0, 100 * megabyte, 0];
  const end = releaseMemoryWhenIdle({
    requests: () => requests,
    memory: () => memory,
    collect() {
      collections += 1;
      memory = 150 * megabyte;
    },
  });
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(0);
  memory = 500 * megabyte;
  for (let second = 0; second < 60; second += 1) {
    requests += 5;
    vi.advanceTimersByTime(1_000);
  }
  expect(collections).toBe(0);
  for (let second = 0; second < 120; second += 1) {
    requests += 1;
    vi.advanceTimersByTime(1_000);
  }
  expect(collections).toBe(1);
  end();
  memory = 500 * megabyte;
  vi.advanceTimersByTime(60_000);
  expect(collections).toBe(1);
});

it('gives the pages of a heap back that held much', () => {
  let garbage: unknown[] | undefined = Array.from({ length: 1_000_000 }, (_, index) => ({ index, text: `x${index}` }));
  const full = process.memoryUsage.rss();
  expect(garbage.length).toBe(1_000_000);
  garbage = undefined;
  const end = releaseMemoryWhenIdle({
    requests: () => 0,
    memory: vi.fn().mockReturnValueOnce(0).mockReturnValue(full),
  });
  vi.advanceTimersByTime(15_000);
  end();
  expect(process.memoryUsage.rss()).toBeLessThan(full - 30 * megabyte);
});
