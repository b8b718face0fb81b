import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { SwitchSetting } from './setting.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('keeps the focus on a switch whose saving takes long', async () => {
  const saved: unknown[] = [];
  const saveSettings = (change: unknown): Promise<never> => {
    saved.push(change);
    return new Promise(() => undefined);
  };
  vi.stubGlobal('gatehouse', { app: { saveSettings } });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient(() => undefined)}>
        <SwitchSetting name="notifications" title="Notifications" on={false} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const toggle = screen.getByRole<HTMLInputElement>('switch', { name: 'Notifications' });
  toggle.focus();
  fireEvent.click(toggle);
  await vi.waitFor(() => expect(saved).toEqual([{ notifications: true }]));
  expect(toggle.disabled).toBe(false);
  expect(document.activeElement).toBe(toggle);
});
