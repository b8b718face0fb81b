import { notifications, Notifications } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { sayWhenDone, showDone } from './toast.tsx';

afterEach(() => {
  notifications.clean();
  cleanup();
});

it('keeps two offers at most, so that one of the three places stays free for what fails', async () => {
  renderInWindow(<Notifications />);
  act(() => {
    for (const tag of ['alpha', 'beta', 'next']) {
      showDone(`Removed ${tag}`, `tag-${tag}`, { label: `Undo ${tag}`, run: () => undefined });
    }
  });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo alpha' })).toBeNull());
  expect(screen.getAllByRole('button', { name: /^Undo/ }).map(({ textContent }) => textContent)).toEqual([
    'Undo beta',
    'Undo next',
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Undo next' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo next' })).toBeNull());
});

it('says what came of a call once it is done, and nothing of one that failed', async () => {
  renderInWindow(<Notifications />);
  await act(async () => {
    sayWhenDone(Promise.resolve(), 'Blocked Ada');
    sayWhenDone(Promise.reject(new Error('Refused.')), 'Blocked Bob');
  });
  expect(await screen.findByText('Blocked Ada')).toBeTruthy();
  expect(screen.queryByText('Blocked Bob')).toBeNull();
});
