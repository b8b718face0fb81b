import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../api/query-client.ts';
import Palette from './palette.tsx';

// Where an entry leads to has no part here.
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => () => undefined }));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('has the focus before any timer runs, so that no letter is lost that follows its keys', () => {
  vi.useFakeTimers();
  vi.stubGlobal('gatehouse', { call: () => new Promise(() => undefined) });
  const palette = (isOpen: boolean) => (
    <MantineProvider>
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <button type="button">Elsewhere</button>
        <Palette isOpen={isOpen} commands={[]} onClose={() => undefined} />
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = render(palette(false));
  screen.getByRole('button').focus();
  rerender(palette(true));
  expect(document.activeElement?.getAttribute('role')).toBe('combobox');
});
