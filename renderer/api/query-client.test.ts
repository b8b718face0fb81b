import { afterEach, expect, it, vi } from 'vitest';
import { CallFailed } from './call.ts';
import { createQueryClient } from './query-client.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('repeats a read until a frozen server answers, and never fails with the text of a change', async () => {
  vi.useFakeTimers();
  const timeout = { code: 'app_timeout', message: 'Whether the change was made is not known.', details: {} } as const;
  let attempts = 0;
  const read = createQueryClient(() => undefined).fetchQuery({
    queryKey: ['overview', 'get'],
    queryFn: () => {
      attempts += 1;
      return attempts < 6 ? Promise.reject(new CallFailed(timeout)) : Promise.resolve('counts');
    },
    retry: createQueryClient(() => undefined).getDefaultOptions().queries?.retry ?? false,
  });
  await vi.runAllTimersAsync();
  expect(await read).toBe('counts');
});
