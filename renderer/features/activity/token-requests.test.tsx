import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { LoggedRequestEntry } from '../../../server/contract/server.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { TokenRequests } from './token-requests.tsx';

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children?: unknown }) => <a href="#x">{children as string}</a>,
}));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const minute = 60_000;
const token = { name: 'night job', hint: 'x9z1' };
const request = (id: number, minutesAgo: number, more: Partial<LoggedRequestEntry>) => ({
  id,
  at: Date.now() - minutesAgo * minute,
  status: 200,
  token,
  address: '192.168.1.9',
  ...more,
});

function show(typed: string, requests: readonly unknown[]) {
  const call = vi.fn(() => Promise.resolve({ ok: true, value: { newest: 1, requests } }));
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(<TokenRequests typed={typed} />);
  return call;
}

it('says that somebody still tries a revoked token, when last and from where', async () => {
  show('night job …x9z1', [
    request(5, 1, { token: { name: 'night job', hint: 'aaaa' }, status: 401 }),
    request(4, 2, {}),
    request(3, 5, { status: 401, address: '10.0.0.7' }),
    request(2, 10, { status: 403 }),
    request(1, 60, { token: null }),
  ]);
  expect((await screen.findByRole('alert')).textContent).toBe(
    '3 requests with this token. 2 refused, the last one 5 minutes ago from 10.0.0.7. ' +
      'The log of requests begins 1 hour ago. Show requests',
  );
});

it('says that a token was used without a refusal, or not at all', async () => {
  // What was not found was not refused.
  show('night job …x9z1', [request(2, 5, { status: 404 }), request(1, 60, { token: null })]);
  expect((await screen.findByRole('note')).textContent).toBe(
    '1 request with this token, the last one 5 minutes ago from 192.168.1.9. None was refused. ' +
      'The log of requests begins 1 hour ago. Show requests',
  );
  cleanup();
  show('night job …x9z1', []);
  expect((await screen.findByRole('note')).textContent).toBe(
    'No requests with this token. The log of requests is empty.',
  );
});

it('counts no requests for a search of something else', () => {
  expect(show('night job', [request(1, 5, {})])).not.toHaveBeenCalled();
  expect(screen.queryByRole('note')).toBeNull();
});
