import { notifications, Notifications, notificationsStore } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { sayWhenDone, showDone, undoLast } from './toast.tsx';

afterEach(() => {
  notifications.clean();
  cleanup();
});

it('offers the last thing only, so that no one has to pick the message whose Undo is meant', async () => {
  renderInWindow(<Notifications />);
  const undone: string[] = [];
  for (const tag of ['stable', 'latest']) {
    act(() => showDone(`Moved ${tag}`, { label: 'Undo', run: () => undone.push(tag) }));
    await screen.findByText(`Moved ${tag}`);
  }
  await waitFor(() => expect(screen.queryByText('Moved stable')).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByText('Moved latest')).toBeNull());
  expect(undone).toEqual(['latest']);
});

it('does nothing for a message that fades out: a second press on Undo undid twice, and one on the former Undo undid what is over', async () => {
  renderInWindow(<Notifications />);
  const undone: string[] = [];
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  act(() => showDone('Moved stable', { label: 'Undo', run: () => undone.push('stable') }));
  const former = await screen.findByRole('button', { name: 'Undo' });
  act(() => {
    showDone('Moved latest', { label: 'Undo', run: () => undone.push('latest') });
    fireEvent.click(former);
  });
  expect(undone).toEqual([]);
  await waitFor(() => expect(former.isConnected).toBe(false));
  act(() => {
    press();
    press();
  });
  expect(undone).toEqual(['latest']);
});

it('gives each offer its whole time: the second one ended when the first would have', async () => {
  renderInWindow(<Notifications />);
  const shown = () => notificationsStore.getState().notifications.map(({ id }) => id);
  act(() => showDone('Moved stable', { label: 'Undo', run: () => undefined }));
  const former = shown();
  act(() => showDone('Moved latest', { label: 'Undo', run: () => undefined }));
  expect(former).toHaveLength(1);
  expect(shown()).toHaveLength(1);
  expect(shown()).not.toEqual(former);
});

it('undoes by a key what is offered still, once, and carries out no other offer', async () => {
  renderInWindow(<Notifications />);
  const done: string[] = [];
  const offer = (label: string) => act(() => showDone(label, { label, run: () => done.push(label) }));
  offer('Undo');
  await screen.findByRole('button', { name: 'Undo' });
  act(undoLast);
  act(undoLast);
  expect(done).toEqual(['Undo']);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
  offer('Show');
  await screen.findByRole('button', { name: 'Show' });
  act(undoLast);
  offer('Undo');
  act(() => notifications.clean());
  act(undoLast);
  expect(done).toEqual(['Undo']);
  expect(await screen.findByText(/^Nothing to undo here\./)).toBeTruthy();
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
