import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import LoginRequests from './login-requests.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('lets a client in only as a user that was chosen, and preselects no one', async () => {
  const root = { id: 1, name: 'Administrator', username: 'root', state: 'active' };
  const values: Record<string, unknown> = {
    'login.pending': [{ id: 'a', client: 'npm', address: null, code: 'AB-CD' }],
    'directory.users': [root, { id: 2, name: 'Ada', username: 'ada', state: 'active' }],
  };
  const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>((method) =>
    Promise.resolve({ ok: true, value: values[method] ?? null }),
  );
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(<LoginRequests />);
  const allow = await screen.findByRole('button', { name: 'Allow' });
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Log in as' });
  expect(field.value).toBe('');
  fireEvent.click(allow);
  expect(await screen.findByText('Choose a user.')).toBeTruthy();
  expect(call).not.toHaveBeenCalledWith('login.approve', expect.anything());
  await waitFor(() => {
    fireEvent.click(field);
    fireEvent.click(screen.getByRole('option', { name: /Ada/, hidden: true }));
  });
  fireEvent.click(allow);
  await waitFor(() => expect(call).toHaveBeenCalledWith('login.approve', { id: 'a', userId: 2 }));
});
