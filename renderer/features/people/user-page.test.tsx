import { ModalsProvider } from '@mantine/modals';
import { notifications, Notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { UserDetail } from '../../../server/contract/directory.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { showQuestions } from '../../ui/feedback/ask.tsx';
import { actionsOf } from '../../ui/lists/row-menu.tsx';
import { UserPage } from './user-page.tsx';

const navigate = vi.fn();

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children?: unknown }) => <a href="#x">{children as string}</a>,
  useParams: () => ({ id: 7 }),
  useNavigate: () => navigate,
  useBlocker: () => undefined,
}));

beforeAll(showQuestions);

const notice = /cannot sign in, use tokens or deploy/;
let ann: { id: number; name: string; username: string; state: UserDetail['state'] };
let users: unknown[];
let client: QueryClient;

beforeEach(async () => {
  ann = { id: 7, name: 'Ann', username: 'ann', state: 'active' };
  users = [ann];
  client = createQueryClient(() => undefined);
  const changed = () => client.invalidateQueries({ queryKey: ['directory'] });
  vi.stubGlobal('gatehouse', {
    call: async (method: string, params: { blocked?: boolean }) => {
      if (method === 'directory.users') return { ok: true, value: users };
      if (method === 'directory.setUserBlocked') {
        users = [{ ...ann, state: params.blocked === true ? 'blocked' : 'active' }];
        await changed();
      }
      if (method === 'directory.deleteUser') {
        users = [];
        // What changed may be known before the answer is.
        await changed();
        await new Promise((resolve) => setTimeout(resolve));
      }
      return { ok: true, value: [] };
    },
  });
  renderInWindow(
    <>
      <Notifications />
      <ModalsProvider>
        <UserPage />
      </ModalsProvider>
    </>,
    client,
  );
  await screen.findByRole('button', { name: 'Create a token' });
});

afterEach(() => {
  act(() => notifications.clean());
  cleanup();
  navigate.mockReset();
  vi.unstubAllGlobals();
});

function choose(label: string): void {
  const actions = actionsOf.get(screen.getByRole('button', { name: 'Actions for Ann' }));
  act(() => actions?.find((each) => each.label === label)?.run());
}

it('says what blocking did, and takes it back', async () => {
  expect(screen.queryByText(notice)).toBeNull();
  choose('Block');
  expect(await screen.findByText(notice)).toBeTruthy();
  expect(screen.getByText('No tokens')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Create a token' })).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(screen.queryByText(notice)).toBeNull());
});

it('says that a user has no tokens, and makes the first one on the page', async () => {
  expect(screen.getByText('No tokens')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Create a token' }));
  const form = await screen.findByRole('dialog', { name: 'Create a token' });
  expect(within(form).getByRole<HTMLInputElement>('combobox', { name: 'User' }).value).toBe('Ann (@ann)');
});

it('leads to the users after the deletion, although the page lost its user before the answer came', async () => {
  choose('Delete…');
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(/^Deleted/)).toBeTruthy();
  expect(navigate).toHaveBeenCalledWith({ to: '/people', search: { tab: 'users' }, replace: true });
  expect(document.title).toBe('User · Gatehouse');
});
