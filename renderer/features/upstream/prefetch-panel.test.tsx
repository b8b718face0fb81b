import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { PrefetchJob } from '../../../server/contract/upstream.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { PrefetchPanel } from './prefetch-panel.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const job = (id: number, more: Partial<PrefetchJob>): PrefetchJob => ({
  id,
  source: `lock-${id}.json`,
  state: 'done',
  total: 1,
  done: 1,
  fetched: 1,
  bytes: 1,
  failures: [],
  startedAt: id,
  finishedAt: id,
  error: null,
  ...more,
});
const jobs = [
  job(4, { state: 'running', done: 0 }),
  job(3, {}),
  job(2, { done: 0, failures: [{ name: 'a', version: '1.0.0', reason: 'nothing listens there' }] }),
  job(1, { state: 'failed', error: 'The disk is full.' }),
];

it('a prefetch that failed can be tried again', async () => {
  const replies: Record<string, unknown> = {
    'upstream.prefetchJobs': { jobs },
    'upstream.list': { upstreams: [{ id: 1 }] },
    'packages.list': { packages: [] },
  };
  const call = vi.fn((method: string, _input: unknown) =>
    Promise.resolve(
      method === 'upstream.retryPrefetch'
        ? { ok: false, error: { code: 'unprocessable', message: 'No upstream is set up.', details: {} } }
        : { ok: true, value: replies[method] },
    ),
  );
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(<PrefetchPanel />);
  const buttons = await screen.findAllByRole('button', { name: /^Try again: / });
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual([
    'Try again: lock-2.json',
    'Try again: lock-1.json',
  ]);
  fireEvent.click(within(screen.getByRole('article', { name: 'lock-2.json' })).getByText('Try again'));
  await waitFor(() => expect(call).toHaveBeenCalledWith('upstream.retryPrefetch', { jobId: 2 }));
  expect(await screen.findByText('No upstream is set up.')).toBeTruthy();
});
