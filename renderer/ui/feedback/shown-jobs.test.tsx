import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useShownJobs } from './shown-jobs.ts';

afterEach(cleanup);

it('shows what runs, what went wrong and how the last one ended, until it is dismissed', () => {
  const jobs = [
    { id: 5, state: 'running' as const, startedAt: 5 },
    { id: 4, state: 'done' as const, startedAt: 4 },
    { id: 3, state: 'done' as const, startedAt: 3 },
    { id: 2, state: 'done' as const, startedAt: 2, broken: true },
    { id: 1, state: 'failed' as const, startedAt: 1 },
  ];
  const isBroken = ({ broken = false }: { broken?: boolean }) => broken;
  const { result } = renderHook(() => useShownJobs(jobs, isBroken));
  const ids = () => result.current.shown.map(({ id }) => id);
  expect(ids()).toEqual([5, 4, 2, 1]);
  const [, last, , failed] = result.current.shown;
  act(() => {
    if (last) result.current.dismiss(last);
    if (failed) result.current.dismiss(failed);
  });
  expect(ids()).toEqual([5, 2]);
  // Another visit of the screen.
  const later = renderHook(() => useShownJobs(jobs, isBroken));
  expect(later.result.current.shown.map(({ id }) => id)).toEqual([5, 2]);
});

it('shows how the last one of each kind ended', () => {
  const job = (id: number, kind: string, state: 'running' | 'done') => ({ id, kind, state, startedAt: id + 100 });
  const jobs = [
    job(5, 'check', 'running'),
    job(4, 'check', 'done'),
    job(3, 'backup', 'done'),
    job(2, 'check', 'done'),
    job(1, 'backup', 'done'),
  ];
  const { result } = renderHook(() => useShownJobs(jobs, () => false));
  expect(result.current.shown.map(({ id }) => id)).toEqual([5, 4, 3]);
});
