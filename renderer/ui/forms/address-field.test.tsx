import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { settingsKey } from '../../api/app.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { AddressField } from './address-field.tsx';

vi.mock('@tanstack/react-router', () => ({ useNavigate: () => () => undefined }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('keeps the switch that serves other computers where it was turned on, so that it can be turned off', async () => {
  const saveSettings = vi.fn((change: object) => Promise.resolve({ ok: true, value: change }));
  vi.stubGlobal('gatehouse', {
    app: {
      info: () => Promise.resolve({ fixedHost: null }),
      settings: () => Promise.resolve({ serveOthers: false }),
      saveSettings,
    },
  });
  const client = createQueryClient(() => undefined);
  const here = 'http://localhost:4899';
  const field = (host: string, ...origins: string[]) => (
    <AddressField stays status={{ host, origins }} value={here} onChange={() => undefined} />
  );
  const { rerender } = renderInWindow(field('127.0.0.1', here), client);
  // At once, so that nothing moves when the settings are read.
  const choice = screen.getByRole<HTMLInputElement>('switch');
  await waitFor(() => expect(choice.disabled).toBe(false));
  expect(choice.checked).toBe(false);
  fireEvent.click(choice);
  await waitFor(() => expect(saveSettings).toHaveBeenLastCalledWith({ serveOthers: true }));
  client.setQueryData(settingsKey, { serveOthers: true });
  rerender(field('0.0.0.0', here, 'http://192.168.1.5:4899'));
  expect(screen.getByRole('combobox', { name: 'Address' })).toBeTruthy();
  // The same element: it neither moves nor loses the focus.
  expect(screen.getByRole('switch')).toBe(choice);
  await waitFor(() => expect(choice.checked).toBe(true));
  fireEvent.click(choice);
  await waitFor(() => expect(saveSettings).toHaveBeenLastCalledWith({ serveOthers: false }));
  rerender(field('127.0.0.1', here));
  expect(screen.getByText(/^The registry can be reached from this computer only\./)).toBeTruthy();
});
