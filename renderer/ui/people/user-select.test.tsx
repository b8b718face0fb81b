import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { userOption } from '../forms/id-select.tsx';
import { UserSelect } from './user-select.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const root = { id: 1, name: 'Administrator', username: 'root', state: 'active' };

function Field() {
  const [id, setId] = useState<number | null>(null);
  return (
    <>
      <UserSelect label="User" searchable options={[userOption(root)]} value={id} onChange={setId} />
      <output>{id}</output>
    </>
  );
}

it('adds the user that is not found, under the name that was typed, and chooses it', async () => {
  const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>(() =>
    Promise.resolve({ ok: true, value: { ...root, id: 7, name: 'CI of tools', username: 'ci-of-tools' } }),
  );
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(<Field />);
  const field = screen.getByRole('combobox', { name: 'User' });
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  field.focus();
  type('adm');
  expect(screen.queryByRole('option', { name: /Add a user/, hidden: true })).toBeNull();
  type('CI of tools');
  fireEvent.click(screen.getByRole('option', { name: 'Add a user “CI of tools”…', hidden: true }));
  const name = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });
  expect(name.value).toBe('CI of tools');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Username' }).value).toBe('ci-of-tools');
  fireEvent.change(screen.getByRole('textbox', { name: 'Email' }), { target: { value: 'ci@example.com' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add user' }));
  await waitFor(() => expect(screen.getByRole('status', { hidden: true }).textContent).toBe('7'));
  expect(call).toHaveBeenCalledWith('directory.createUser', expect.objectContaining({ name: 'CI of tools' }));
});
