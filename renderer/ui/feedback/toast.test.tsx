import { notifications, Notifications } from '@mantine/notifications';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { hideOffers, showDone } from './toast.tsx';

afterEach(() => {
  notifications.clean();
  cleanup();
});

it('takes an offer away with its screen, and leaves what only says that something is done', async () => {
  renderInWindow(<Notifications />);
  act(() => {
    showDone('Removed beta from @acme/ui', 'tag-beta', { label: 'Undo', run: () => undefined });
    notifications.show({ message: 'Saved the rules of production' });
  });
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
  act(hideOffers);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  expect(screen.getByText('Saved the rules of production')).toBeTruthy();
});
