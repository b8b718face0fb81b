import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { OnRefusal } from '../../../server/contract/guards.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { EmptyInbox } from './empty-inbox.tsx';

const navigate = vi.fn(() => Promise.resolve());
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }));

afterEach(() => {
  cleanup();
  navigate.mockClear();
  vi.unstubAllGlobals();
});

interface Stored {
  /** What becomes of refused publishes in each project that has a guard. */
  guards?: Readonly<Record<number, OnRefusal>>;
  isProtected?: boolean;
}

async function show({ guards = {}, isProtected = true }: Stored): Promise<string> {
  const values: Record<string, (projectId: number) => unknown> = {
    'directory.projects': () => [
      { id: 1, fullPath: 'local/packages' },
      { id: 2, fullPath: 'local/tools' },
    ],
    'environments.listProtected': () => [],
    'server.status': () => ({ defaultProject: { id: 2, fullPath: 'local/tools' } }),
    'directory.members': () => [],
    'environments.listInherited': () => [],
    'directory.ruleCandidates': () => ({ users: [], groups: [] }),
    'guards.list': (projectId) => ({
      onRefusal: guards[projectId] ?? 'refuse',
      guards: guards[projectId] === undefined ? [] : [{ environment: 'production', protected: isProtected }],
      tags: [],
    }),
  };
  vi.stubGlobal('gatehouse', {
    call: (method: string, { projectId = 0 }: { projectId?: number }) =>
      Promise.resolve({ ok: true, value: values[method]?.(projectId) }),
    app: { state: () => Promise.resolve({ phase: 'starting' }), onState: () => () => undefined },
  });
  renderInWindow(<EmptyInbox />);
  const title = await screen.findByRole('heading', { name: 'Nothing waits for approval' });
  return title.parentElement?.querySelector('p')?.textContent ?? '';
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('lets publishes wait by one dialog where nothing is guarded', async () => {
  expect(await show({})).toBe(
    'Publishing to a tag such as latest, or moving it, can require approval. Until somebody approves, it waits here.',
  );
  press('Require approval…');
  expect(await screen.findByRole('dialog', { name: 'Require approval' })).toBeTruthy();
});

it('counts a guard of an environment that nothing protects as none', async () => {
  expect(await show({ guards: { 1: 'stage' }, isProtected: false })).toMatch(/^Publishing to a tag such as latest/);
});

it('says that refused publishes fail, and leads to the choice', async () => {
  expect(await show({ guards: { 2: 'refuse' } })).toMatch(
    / fails with an error\. Only versions from npm stage publish wait here\.$/,
  );
  press('Let them wait here…');
  expect(navigate).toHaveBeenCalledWith({ to: '/environments', search: { project: 2, view: 'tags' } });
});

it('names the project where they fail beside others where they wait', async () => {
  expect(await show({ guards: { 1: 'stage', 2: 'refuse' } })).toMatch(
    / waits here until somebody approves\. In local\/tools it fails with an error\.$/,
  );
});

it('offers nothing to set up where refused publishes wait', async () => {
  expect(await show({ guards: { 1: 'stage' } })).toMatch(
    /^Publishing to a tag that requires approval, or moving it, waits here until somebody approves\.$/,
  );
  expect(screen.queryByRole('button')).toBeNull();
});
