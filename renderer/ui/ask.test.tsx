import { MantineProvider } from '@mantine/core';
import { cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ask } from './ask.tsx';
import Overlays from './overlays.tsx';

configure({ asyncUtilTimeout: 10_000 });
afterEach(cleanup);

it('a question that was asked before anything could show it is shown as soon as something can', async () => {
  const run = vi.fn<() => void>();
  ask({ title: 'Unprotect production?', consequence: 'Its rules are deleted.', action: 'Unprotect', run });
  render(
    <MantineProvider>
      <Overlays />
    </MantineProvider>,
  );
  expect((await screen.findByRole('dialog')).textContent).toContain('Unprotect production?');
  fireEvent.click(screen.getByRole('button', { name: 'Unprotect' }));
  expect(run).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  ask({ title: 'And again?', consequence: 'Nothing goes.', action: 'Yes', leave: 'No', takesAway: false, run });
  fireEvent.click(await screen.findByRole('button', { name: 'No' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(run).toHaveBeenCalledOnce();
}, 30_000);
