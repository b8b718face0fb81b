import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { ConnectPage } from './connect-page.tsx';

vi.mock('@tanstack/react-router', () => ({ Link: () => null }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const project = { id: 1, fullPath: 'local/packages' };

function show(...origins: string[]) {
  const values: Record<string, unknown> = {
    'server.status': { origin: origins[0], origins, defaultProject: project, rootTokenFile: null },
    'directory.projects': [project],
    'connect.arrivals': [],
    'connect.selfTest': { running: false, steps: [] },
  };
  const call = (method: string) => Promise.resolve({ ok: true, value: values[method] ?? null });
  vi.stubGlobal('gatehouse', { call });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <ConnectPage />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

const lines = () => screen.getByRole('region', { name: 'Lines' }).textContent;

it('offers the other addresses of the registry for clients on other computers', async () => {
  show('http://localhost:4873', 'http://192.168.1.5:4873');
  fireEvent.click(await screen.findByRole('combobox', { name: 'Address' }));
  fireEvent.click(await screen.findByRole('option', { name: 'http://192.168.1.5:4873' }));
  expect(lines()).toContain('registry=http://192.168.1.5:4873/api/v4/projects/1/packages/npm/');
  expect(lines()).not.toContain('localhost');
});

it('does not ask for an address where there is one alone', async () => {
  show('http://localhost:4873');
  expect(await screen.findByRole('combobox', { name: 'Project' })).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: 'Address' })).toBeNull();
  expect(lines()).toContain('registry=http://localhost:4873/');
});
