import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
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
  renderInWindow(
    <RouterContextProvider router={router}>
      <TargetLink row={row}>production</TargetLink>
    </RouterContextProvider>,
  );
  expect(screen.getByRole('link').getAttribute('href')).toBe(href);
});
