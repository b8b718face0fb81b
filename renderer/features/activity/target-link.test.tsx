import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { TargetLink } from './target-link.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each([
  ['project', { projectId: 3, groupId: null }, '/environments?project=3&name=production'],
  ['group', { projectId: null, groupId: 4 }, '/environments?groupId=4&name=production'],
])('leads from changed rules to the environments of the %s', (_kind, owner, href) => {
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value: [] }) });
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const row = {
    id: 1,
    at: 0,
    actor: { id: 1, name: 'root' },
    origin: 'window',
    address: null,
    token: null,
    action: 'environment.rules_changed',
    target: { type: 'protected_environment', id: 2, name: 'production' },
    before: null,
    after: null,
    isLost: false,
    ...owner,
  } as const;
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <RouterContextProvider router={router}>
          <TargetLink row={row}>production</TargetLink>
        </RouterContextProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  expect(screen.getByRole('link').getAttribute('href')).toBe(href);
});
