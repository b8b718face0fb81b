import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { OnRefusal } from '../../../server/contract/guards.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { EmptyInbox } from './empty-inbox.tsx';

const navigate = vi.fn(() => Promise.resolve());
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }));

afterEach(() => {
  cleanup();
  navigate.mockClear();
  vi.unstubAllGlobals();
});

interface Stored {
  environments?: readonly string[];
  /** What becomes of refused publishes in each project that has a guard. */
  guards?: Readonly<Record<number, OnRefusal>>;
}

async function show({ environments = [], guards = {} }: Stored): Promise<string> {
  const values: Record<string, (projectId: number) => unknown> = {
    'directory.projects': () => [
      { id: 1, fullPath: 'local/packages' },
      { id: 2, fullPath: 'local/tools' },
    ],
    'environments.listProtected': (projectId) => (projectId === 1 ? environments.map((name) => ({ name })) : []),
    'guards.list': (projectId) => ({
      onRefusal: guards[projectId] ?? 'refuse',
      guards: guards[projectId] === undefined ? [] : [{ environment: 'production' }],
      tags: [],
    }),
  };
  vi.stubGlobal('gatehouse', {
    call: (method: string, { projectId = 0 }: { projectId?: number }) =>
      Promise.resolve({ ok: true, value: values[method]?.(projectId) }),
    app: { state: () => Promise.resolve({ phase: 'starting' }), onState: () => () => undefined },
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <EmptyInbox />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const title = await screen.findByRole('heading', { name: 'Nothing waits for approval' });
  return title.parentElement?.querySelector('p')?.textContent ?? '';
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

it('leads to the first protection where nothing is protected', async () => {
  expect(await show({})).toMatch(/^Protect an environment and guard a tag/);
  press('Protect an environment');
  expect(navigate).toHaveBeenCalledWith({ to: '/environments', search: {} });
});

it('leads to the first guard where an environment is protected', async () => {
  expect(await show({ environments: ['production'] })).toMatch(/^Guard a tag/);
  press('Guard a tag…');
  expect(navigate).toHaveBeenCalledWith({ to: '/environments', search: { project: 1, name: 'production' } });
});

it('says that refused publishes fail, and leads to the choice', async () => {
  expect(await show({ environments: ['production'], guards: { 2: 'refuse' } })).toMatch(
    / fails with an error\. Only versions from npm stage publish wait here\.$/,
  );
  press('Let them wait here…');
  expect(navigate).toHaveBeenCalledWith({ to: '/environments', search: { project: 2, name: 'production' } });
});

it('names the project where they fail beside others where they wait', async () => {
  expect(await show({ guards: { 1: 'stage', 2: 'refuse' } })).toMatch(
    / waits here\. In local\/tools it fails with an error\./,
  );
});

it('offers nothing to set up where refused publishes wait', async () => {
  expect(await show({ guards: { 1: 'stage' } })).toMatch(
    / waits here\. Versions from npm stage publish wait here, too\.$/,
  );
  expect(screen.queryByRole('button')).toBeNull();
});
