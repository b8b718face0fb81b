import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { UpdateState } from '../../../server/contract/updates.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { updatesKey } from '../../api/updates.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { keepFocus } from '../../ui/forms/keep-focus.ts';
import { UpdateSettings } from './update-settings.tsx';

let stop: () => void;
beforeEach(() => {
  // The simulated page draws nothing.
  Element.prototype.checkVisibility = () => true;
  vi.useFakeTimers();
  stop = keepFocus();
});
afterEach(() => {
  stop();
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('keeps the focus on Check now while the check takes long', async () => {
  vi.stubGlobal('gatehouse', { updates: { state: () => new Promise(() => undefined) } });
  const client = createQueryClient(() => undefined);
  const becomes = (state: UpdateState): Promise<void> =>
    act(async () => {
      client.setQueryData(updatesKey, state);
      await vi.advanceTimersByTimeAsync(1_000);
    });
  renderInWindow(<UpdateSettings checkAtStart={false} version="1.0.0" />, client);
  await becomes({ phase: 'idle' });
  const check = screen.getByRole('button', { name: 'Check now' });
  check.focus();
  await becomes({ phase: 'checking' });
  expect(screen.getByRole('status').textContent).toBe('Checking…');
  expect(document.activeElement).toBe(check);
  await becomes({ phase: 'newest', checkedAt: 0 });
  expect(document.activeElement).toBe(check);
});
