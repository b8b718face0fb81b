import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { HandOverDialog } from './hand-over-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(names: string[]) {
  const call = vi.fn((_method: string, _input: unknown) => Promise.resolve({ ok: true, value: { packages: [] } }));
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(<HandOverDialog upstreamId={1} upstream="company" names={names} onClose={() => undefined} />);
  const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
  const take = () => fireEvent.click(screen.getByRole('button', { name: 'Take from there' }));
  return { call, box, take };
}

it('chooses all packages or none with one box, which shows the state in between', async () => {
  const { call, box, take } = show(['a', 'b', 'c']);
  const all = box('All 3 packages');
  expect([all.checked, all.indeterminate]).toEqual([true, false]);
  fireEvent.click(box('b'));
  expect([all.checked, all.indeterminate]).toEqual([false, true]);
  fireEvent.click(all);
  expect([all.checked, box('b').checked]).toEqual([true, true]);
  fireEvent.click(all);
  expect([all.checked, all.indeterminate, box('a').checked]).toEqual([false, false, false]);
  take();
  expect(await screen.findByText('Choose at least one package.')).toBeTruthy();
  expect(document.activeElement).toBe(all);
  expect(call).not.toHaveBeenCalled();
  fireEvent.click(box('c'));
  fireEvent.click(box('a'));
  take();
  await waitFor(() => expect(call).toHaveBeenCalledWith('outbox.handOver', { upstreamId: 1, names: ['a', 'c'] }));
});

it('has no box for all where there is one package', () => {
  show(['a']);
  expect(screen.getAllByRole('checkbox')).toHaveLength(1);
});
