import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { UserDialog } from './user-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });

it('fills in the username that goes with the name until another is typed, and says that the email is missing', async () => {
  const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>(() =>
    Promise.resolve({ ok: true, value: {} }),
  );
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(<UserDialog user={undefined} onClose={() => undefined} onCreated={() => undefined} />);
  await waitFor(() => expect(document.activeElement).toBe(field('Name')));
  type('Name', 'Anna Berg');
  expect(field('Username').value).toBe('anna-berg');
  type('Username', 'anna');
  type('Name', 'Anna Bergmann');
  expect(field('Username').value).toBe('anna');
  const add = screen.getByRole('button', { name: 'Add user' });
  fireEvent.click(add);
  expect(await screen.findByText('Enter an email address.')).toBeTruthy();
  expect(document.activeElement).toBe(field('Email'));
  type('Email', 'anna');
  fireEvent.click(add);
  expect(await screen.findByText('Enter an email address, such as anna@example.com.')).toBeTruthy();
  type('Email', 'anna@example.com');
  type('Username', 'anna berg');
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'short' } });
  fireEvent.click(add);
  expect(await screen.findByText('Letters, digits, _ - and . only, not starting with -.')).toBeTruthy();
  expect(screen.getByText('At least 8 characters.')).toBeTruthy();
  type('Username', 'anna.git');
  fireEvent.click(add);
  expect(await screen.findByText('Not ending in ., .git or .atom.')).toBeTruthy();
  expect(call).not.toHaveBeenCalled();
  type('Username', 'anna');
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: '' } });
  fireEvent.click(add);
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('directory.createUser', {
      name: 'Anna Bergmann',
      username: 'anna',
      email: 'anna@example.com',
      isAdmin: false,
      password: null,
    }),
  );
});
