import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import { keyOf } from './call.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

it('draws the first screen with replies to requests sent before, and asks again only for what failed', async () => {
  const calls: string[] = [];
  const call = (method: string) => {
    calls.push(method);
    const failed = method === 'offline.get' && calls.filter((each) => each === method).length === 1;
    const error = { code: 'app_unavailable', message: 'The registry is starting.', details: {} };
    return Promise.resolve(failed ? { ok: false, error } : { ok: true, value: `reply to ${method}` });
  };
  const app = { state: () => Promise.resolve({ phase: 'ready' }), settings: () => Promise.resolve({ theme: 'dark' }) };
  vi.stubGlobal('window', Object.assign(globalThis, { gatehouse: { call, app } }));
  const { firstReads } = await import('./first-requests.ts');
  expect(calls).toEqual([...firstReads]);

  const client = new QueryClient();
  const { takeFirstReplies } = await import('./first-data.ts');
  await takeFirstReplies(client);
  expect(calls).toEqual([...firstReads, 'offline.get']);
  for (const method of firstReads) expect(client.getQueryData(keyOf(method, {}))).toBe(`reply to ${method}`);
  expect(client.getQueryData(['app', 'settings'])).toEqual({ theme: 'dark' });
});
