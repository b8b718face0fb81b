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

function show(onChange: (selectors: string[]) => void = () => undefined, withCached = false) {
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value: { packages } }) });
  function Field() {
    const [value, setValue] = useState<string[]>([]);
    const change = (selectors: string[]) => {
      onChange(selectors);
      setValue(selectors);
    };
    const props = { label: 'Packages', placeholder: '', withScopes: true, withCached, value, onChange: change };
    return <SelectorField {...props} />;
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
  fireEvent.keyDown(field, { key: 'ArrowDown', code: 'ArrowDown' });
  expect(await screen.findByRole('option', { name: '* (all packages)' })).toBeTruthy();
  fireEvent.change(field, { target: { value: '*' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onChange).toHaveBeenLastCalledWith(['*']);
  expect(screen.getByText('* (all packages)', { selector: ':not([role=option] *, [role=option])' })).toBeTruthy();
});

it('offers nothing once all is chosen, where a click meant for the field beneath added a package', async () => {
  const onChange = vi.fn();
  const field = show(onChange);
  fireEvent.keyDown(field, { key: 'ArrowDown', code: 'ArrowDown' });
  fireEvent.click(await screen.findByRole('option', { name: '* (all packages)' }));
  expect(onChange).toHaveBeenLastCalledWith(['*']);
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
  expect(field.getAttribute('aria-expanded')).toBe('false');
  fireEvent.click(field);
  fireEvent.keyDown(field, { key: 'ArrowDown', code: 'ArrowDown' });
  expect(screen.queryByRole('option')).toBeNull();
  expect(field.getAttribute('aria-expanded')).toBe('false');
  // A name that is typed all the same is among all.
  fireEvent.change(field, { target: { value: 'kettle' } });
  expect(screen.queryByRole('option')).toBeNull();
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onChange).toHaveBeenLastCalledWith(['*']);
});

it('shows no list for a typed star, where a click meant for the field beneath took the first scope instead', async () => {
  const onChange = vi.fn();
  const field = show(onChange);
  fireEvent.change(field, { target: { value: '@demo' } });
  expect(await screen.findByRole('option', { name: '@demo/*' })).toBeTruthy();
  fireEvent.change(field, { target: { value: '*' } });
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
  fireEvent.blur(field);
  expect(onChange).toHaveBeenLastCalledWith(['*']);
});

it('puts the star in the place of the names that were chosen before, and offers them again without it', async () => {
  const onChange = vi.fn();
  const field = show(onChange);
  for (const typed of ['kettle', '@demo/valve', '*']) {
    fireEvent.change(field, { target: { value: typed } });
    fireEvent.keyDown(field, { key: 'Enter' });
  }
  expect(onChange.mock.calls).toEqual([[['kettle']], [['kettle', '@demo/valve']], [['*']]]);
  fireEvent.keyDown(field, { key: 'Backspace' });
  expect(onChange).toHaveBeenLastCalledWith([]);
  fireEvent.change(field, { target: { value: 'kettle' } });
  expect(await screen.findByRole('option', { name: 'kettle' })).toBeTruthy();
});

it('keeps what another registry has beside the star of a bundle, which is all that is here', async () => {
  const onChange = vi.fn();
  const field = show(onChange, true);
  // The names are known before the star is chosen.
  fireEvent.change(field, { target: { value: 'kettle' } });
  expect(await screen.findByRole('option', { name: 'kettle' })).toBeTruthy();
  for (const typed of ['kettle@^1', '@demo', 'vite@^7', '@types/node', '*', '@demo/valve', 'react']) {
    fireEvent.change(field, { target: { value: typed } });
    fireEvent.keyDown(field, { key: 'Enter' });
  }
  expect(onChange.mock.calls.slice(-3)).toEqual([
    [['*', 'vite@^7', '@types/node']],
    [['*', 'vite@^7', '@types/node']],
    [['*', 'vite@^7', '@types/node', 'react']],
  ]);
  expect(screen.getByText('* (all published here)')).toBeTruthy();
  expect(screen.queryByRole('option')).toBeNull();
});

it('closes its list with a choice, so that it lies over nothing that is clicked next', async () => {
  const onChange = vi.fn();
  const field = show(onChange);
  fireEvent.change(field, { target: { value: 'ket' } });
  fireEvent.click(await screen.findByRole('option', { name: 'kettle' }));
  expect(onChange).toHaveBeenLastCalledWith(['kettle']);
  await waitFor(() => expect(screen.queryByRole('option')).toBeNull());
  fireEvent.change(field, { target: { value: '@demo' } });
  expect(await screen.findByRole('option', { name: '@demo/boiler' })).toBeTruthy();
});

it('opens its list at a press into it, also when it has the focus already', async () => {
  const field = show();
  fireEvent.change(field, { target: { value: 'ket' } });
  fireEvent.click(await screen.findByRole('option', { name: 'kettle' }));
  expect(screen.queryByRole('option')).toBeNull();
  fireEvent.click(field);
  expect((await screen.findAllByRole('option')).map((option) => option.textContent)).toContain('@demo/valve');
});
