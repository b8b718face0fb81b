import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { TokensPanel } from './tokens-panel.tsx';

// The address has no part here.
vi.mock('@tanstack/react-router', () => ({ useSearch: () => ({}), useBlocker: () => undefined }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const root = { id: 1, name: 'Administrator', username: 'root', state: 'active' };

async function openForm(users: readonly unknown[]): Promise<HTMLElement> {
  const values: Record<string, unknown> = {
    'directory.tokens': [],
    'directory.users': users,
    'directory.createToken': { token: { name: 'ci', user: root }, secret: 'glpat-secret' },
  };
  vi.stubGlobal('gatehouse', {
    call: (method: string) => Promise.resolve({ ok: true, value: values[method] ?? null }),
    app: { copyText: () => Promise.resolve() },
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <ModalsProvider>
          <TokensPanel />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Create a token' }));
  const form = await screen.findByRole('dialog', { name: 'Create a token' });
  fireEvent.change(within(form).getByRole('textbox', { name: 'Name' }), { target: { value: 'ci' } });
  return form;
}

it('makes a token for a user that was chosen, and preselects no one of several', async () => {
  const form = await openForm([root, { ...root, id: 2, name: 'Ada', username: 'ada' }]);
  expect(within(form).getByRole<HTMLInputElement>('combobox', { name: 'User' }).value).toBe('');
  fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
  expect(await within(form).findByText('Choose a user.')).toBeTruthy();
  expect(document.activeElement).toBe(within(form).getByRole('combobox', { name: 'User' }));
});

it('keeps a new token on screen until it was copied, whatever key is pressed', async () => {
  const form = await openForm([root]);
  // No scope is chosen at first: the largest would be chosen by mistake.
  fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
  expect(await within(form).findByText('Choose at least one scope.')).toBeTruthy();
  fireEvent.click(within(form).getByRole('checkbox', { name: 'read_package_registry' }));
  await waitFor(() => {
    fireEvent.click(within(form).getByRole('button', { name: 'Create token' }));
    expect(screen.getByText('glpat-secret')).toBeTruthy();
  });
  const shown = screen.getByRole('dialog', { name: 'The new token' });
  expect(shown.textContent).toContain('ci@root');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.getByText('glpat-secret')).toBeTruthy();
  expect(within(shown).queryByRole('button', { name: 'Close' })).toBeNull();
  fireEvent.click(within(shown).getByRole('button', { name: 'Copy the token' }));
  await within(shown).findByRole('button', { name: 'Done' });
  fireEvent.keyDown(document.body, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByText('glpat-secret')).toBeNull());
});

it('says when a token was used last as it is when the list is opened again', async () => {
  const token = { id: 5, name: 'ci', hint: 'abcd', scopes: ['api'], state: 'active', expiresOn: null, user: root };
  let lastUsedAt: number | null = null;
  vi.stubGlobal('gatehouse', {
    call: () => Promise.resolve({ ok: true, value: [{ ...token, lastUsedAt }] }),
  });
  const client = createQueryClient(() => undefined);
  const list = (
    <MantineProvider env="test">
      <QueryClientProvider client={client}>
        <TokensPanel />
      </QueryClientProvider>
    </MantineProvider>
  );
  const { unmount } = render(list);
  await waitFor(() => expect(client.getQueryCache().findAll()[0]?.state.data).toMatchObject([{ lastUsedAt: null }]));
  unmount();
  lastUsedAt = Date.now();
  render(list);
  await waitFor(() => expect(client.getQueryCache().findAll()[0]?.state.data).toMatchObject([{ lastUsedAt }]));
});
