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

const packages = ['@demo/boiler', '@demo/valve', 'kettle'].map((name) => ({ name }));

function show(onChange: (selectors: string[]) => void = () => undefined) {
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value: { packages } }) });
  function Field() {
    const [value, setValue] = useState<string[]>([]);
    const change = (selectors: string[]) => {
      onChange(selectors);
      setValue(selectors);
    };
    return <SelectorField label="Packages" placeholder="" withScopes value={value} onChange={change} />;
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
  return field;
}

it('suggests the packages and the scope that begin with what is typed, without a key for the list', async () => {
  const field = show();
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

it('says what the star alone means, typed or chosen, and gives on the star', async () => {
  const onChange = vi.fn();
  const field = show(onChange);
  fireEvent.change(field, { target: { value: '*' } });
  expect(await screen.findByRole('option', { name: '* (all packages)' })).toBeTruthy();
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onChange).toHaveBeenLastCalledWith(['*']);
  expect(screen.getByText('* (all packages)', { selector: ':not([role=option] *, [role=option])' })).toBeTruthy();
  fireEvent.change(field, { target: { value: 'kettle' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onChange).toHaveBeenLastCalledWith(['*', 'kettle']);
});
