import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createQueryClient } from '../api/query-client.ts';

/**
 * Renders an element with what every part of the window relies on: the component kit, here without transitions and portals, and the
 * cache of server data. What `rerender` shows has the same ones. A test that reads or changes the cache gives its `client`.
 */
export function renderInWindow(element: ReactNode, client = createQueryClient(() => undefined)): RenderResult {
  return render(element, {
    wrapper: ({ children }) => (
      <MantineProvider env="test">
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </MantineProvider>
    ),
  });
}
