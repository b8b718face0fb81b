import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { AppState } from '../../../server/contract/bridge.ts';
import { connectAppState } from '../../api/app.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { OfflineStatus } from './offline-status.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('claims no network mode while the server does not answer, and keeps its place', async () => {
  let push: (state: AppState) => void = () => undefined;
  const call = (method: string) =>
    Promise.resolve({
      ok: true,
      value: method === 'offline.get' ? { mode: 'off', online: true, unsent: [] } : { upstreams: [{ kind: 'npm' }] },
    });
  vi.stubGlobal('gatehouse', { call, app: { onState: (listener: typeof push) => (push = listener) } });
  const ready = (answering: boolean): AppState => ({
    phase: 'ready',
    origin: 'http://127.0.0.1:4899',
    port: 4899,
    pid: 1,
    answering,
  });
  await connectAppState(Promise.resolve(ready(true)));
  const { container } = renderInWindow(<OfflineStatus />);
  expect(await screen.findByRole('button', { name: 'Network: Online' })).toBeTruthy();
  act(() => push(ready(false)));
  expect(screen.queryByRole('button')).toBeNull();
  expect(container.querySelector('.gh-offline')?.textContent).toBe('');
  act(() => push(ready(true)));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Network: Online' })).toBeTruthy());
});

it('offers the network switch before a registry is added', async () => {
  const call = (method: string) =>
    Promise.resolve({
      ok: true,
      value: method === 'offline.get' ? { mode: 'auto', online: true, unsent: [] } : { upstreams: [] },
    });
  vi.stubGlobal('gatehouse', { call, app: { onState: () => undefined } });
  await connectAppState(
    Promise.resolve({ phase: 'ready', origin: 'http://127.0.0.1:4899', port: 4899, pid: 1, answering: true }),
  );
  renderInWindow(<OfflineStatus />);
  expect(await screen.findByRole('button', { name: 'Network: Online' })).toBeTruthy();
});

it('keeps in sight that a registry is unreachable, however long its name', async () => {
  const company = { kind: 'npm', name: 'company-packages', enabled: true, state: { status: 'away' } };
  const call = (method: string) =>
    Promise.resolve({
      ok: true,
      value:
        method === 'offline.get'
          ? { mode: 'auto', online: true, unsent: [{ upstreamId: 1, toSend: 2, conflicts: 1, failed: 0 }] }
          : { upstreams: [company] },
    });
  vi.stubGlobal('gatehouse', { call, app: { onState: () => undefined } });
  await connectAppState(
    Promise.resolve({ phase: 'ready', origin: 'http://127.0.0.1:4899', port: 4899, pid: 1, answering: true }),
  );
  renderInWindow(<OfflineStatus />);
  const name = await screen.findByText('company-packages');
  expect(name.nextElementSibling?.textContent).toBe(' unreachable, 2 to send');
});
