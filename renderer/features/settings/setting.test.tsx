import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { SwitchSetting } from './setting.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** A switch whose saving does not end, what was saved, and the function that lets the last saving fail. */
function showSwitch() {
  const saved: unknown[] = [];
  let refuse = (): void => undefined;
  const saveSettings = (change: unknown): Promise<unknown> => {
    saved.push(change);
    return new Promise((resolve) => {
      refuse = () => resolve({ ok: false, error: { code: 'internal', message: 'The disk is full.', details: {} } });
    });
  };
  vi.stubGlobal('gatehouse', { app: { saveSettings } });
  renderInWindow(<SwitchSetting name="notifications" title="Notifications" on={false} />);
  const toggle = screen.getByRole<HTMLInputElement>('switch', { name: 'Notifications' });
  return { toggle, saved, refuse: () => refuse() };
}

it('switches back at a second press, although the first is still being saved', async () => {
  const { toggle, saved, refuse } = showSwitch();
  fireEvent.click(toggle);
  await expect.poll(() => saved).toEqual([{ notifications: true }]);
  await expect.poll(() => toggle.checked).toBe(true);
  fireEvent.click(toggle);
  await expect.poll(() => saved).toEqual([{ notifications: true }, { notifications: false }]);
  await expect.poll(() => toggle.checked).toBe(false);
  fireEvent.click(toggle);
  await expect.poll(() => saved).toHaveLength(3);
  await expect.poll(() => toggle.checked).toBe(true);
  refuse();
  await expect.poll(() => toggle.checked).toBe(false);
});

it('keeps the focus on a switch whose saving takes long', async () => {
  const { toggle, saved } = showSwitch();
  toggle.focus();
  fireEvent.click(toggle);
  await expect.poll(() => saved).toEqual([{ notifications: true }]);
  expect(toggle.disabled).toBe(false);
  expect(document.activeElement).toBe(toggle);
});
