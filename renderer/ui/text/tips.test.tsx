import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { theme } from '../theme/theme.ts';
import { tip } from './tip.ts';
import { Tips } from './tips.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** A button with a tooltip and one without; each begins or ends under a pointer of a mouse. */
function show() {
  render(
    <MantineProvider env="test" theme={theme}>
      <button {...tip('Removes the tag')}>Remove</button>
      <button>Plain</button>
      <Tips />
    </MantineProvider>,
  );
  const point = (type: 'pointerOver' | 'pointerMove', name: string, screenX: number) => {
    fireEvent[type](screen.getByText(name), { pointerType: 'mouse', buttons: 0, screenX, screenY: 40 });
    act(() => void vi.advanceTimersByTime(1_000));
  };
  return { point, tooltip: () => screen.queryByRole('tooltip')?.textContent };
}

it('shows where a pointer that moves comes to rest, and goes when it leaves', () => {
  const { point, tooltip } = show();
  point('pointerOver', 'Remove', 10);
  expect(tooltip()).toBe('Removes the tag');
  point('pointerOver', 'Plain', 60);
  expect(tooltip()).toBeUndefined();
});

it('does not open under a pointer that rests while a dialog above closes, but when it moves again', () => {
  const { point, tooltip } = show();
  point('pointerOver', 'Plain', 60);
  point('pointerMove', 'Plain', 61);
  point('pointerOver', 'Remove', 61);
  expect(tooltip()).toBeUndefined();
  point('pointerMove', 'Remove', 62);
  expect(tooltip()).toBe('Removes the tag');
});
