import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { theme } from '../../ui/theme/theme.ts';
import { SelectorField } from './selector-field.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('suggests the packages and the scope that begin with what is typed, without a key for the list', async () => {
  const packages = ['@demo/boiler', '@demo/valve', 'kettle'].map((name) => ({ name }));
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value: { packages } }) });
  function Field() {
    const [value, setValue] = useState<string[]>([]);
    return <SelectorField label="Packages" placeholder="" withScopes value={value} onChange={setValue} />;
  }
  render(
    <MantineProvider env="test" theme={theme}>
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <Field />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const field = screen.getByRole('combobox', { name: 'Packages' });
  field.focus();
  expect(screen.queryByRole('option')).toBeNull();
  fireEvent.change(field, { target: { value: '@demo/' } });
  await waitFor(() =>
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([
      '@demo/*',
      '@demo/boiler',
      '@demo/valve',
    ]),
  );
});
