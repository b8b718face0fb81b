import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { UserAccessEntry } from '../../../server/contract/directory.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { actionsOf } from '../../ui/lists/row-menu.tsx';
import { useAccessColumns } from './access-columns.tsx';
import { userAccessRows } from './access-rows.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const entry: UserAccessEntry = {
  user: { id: 7, username: 'ann', name: 'Ann', state: 'active', isAdmin: false },
  level: 50,
  expiresOn: null,
  direct: true,
  source: { kind: 'group', id: 1, fullPath: 'team' },
  throughGroup: null,
  container: { kind: 'group', id: 1, fullPath: 'team' },
};

function Actions() {
  const { columns } = useAccessColumns();
  const [row] = userAccessRows([entry]);
  return row && columns.at(-1)?.cell(row);
}

it('says on the page of a user, too, that the last owner of a group cannot be removed', async () => {
  const call = vi.fn(() => Promise.resolve({ ok: true, value: [entry] }));
  vi.stubGlobal('gatehouse', { call });
  const shown = vi.spyOn(notifications, 'show');
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <Actions />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const actions = actionsOf.get(screen.getByRole('button', { name: 'Actions for team' }));
  actions?.find(({ label }) => label === 'Remove…')?.run();
  await waitFor(() => expect(shown).toHaveBeenCalledOnce());
  expect(shown).toHaveBeenCalledWith(expect.objectContaining({ message: 'Give another user the Owner role first.' }));
  expect(call).toHaveBeenCalledWith('directory.members', { container: { kind: 'group', id: 1 } });
});
