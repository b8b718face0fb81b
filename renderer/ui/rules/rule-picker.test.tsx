import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { followSelectKeys } from '../forms/select-keys.ts';
import { RulePicker } from './rule-picker.tsx';

// The link to the access of the project has no part here.
vi.mock('@tanstack/react-router', () => ({ Link: () => null }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open() {
  const value = { users: [{ id: 7, name: 'Lin', username: 'maintainer-bot' }], groups: [] };
  vi.stubGlobal('gatehouse', { call: () => Promise.resolve({ ok: true, value }) });
  const picked = vi.fn<(rule: unknown) => void>();
  renderInWindow(<RulePicker owner={{ projectId: 1 }} chosen={[]} onPick={picked} />);
  return { field: screen.getByRole('textbox', { name: 'Allowed to deploy' }), picked };
}

it('takes the role that begins with what was typed, not a wider one that only has it', async () => {
  const { field, picked } = open();
  fireEvent.change(field, { target: { value: 'maint' } });
  const names = () => screen.getAllByRole('option', { hidden: true }).map((option) => option.textContent);
  await waitFor(() => expect(names()).toHaveLength(3));
  expect(names()).toEqual([
    expect.stringMatching(/^Maintainers/),
    expect.stringMatching(/^Developers and Maintainers/),
    expect.stringMatching(/^Lin/),
  ]);
  await waitFor(() => {
    fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });
    expect(picked).toHaveBeenCalledWith({ kind: 'role', accessLevel: 40 });
  });
});

it('takes the match of an Enter that comes before the list is drawn, where the form was sent without it', async () => {
  const stop = followSelectKeys();
  const { field, picked } = open();
  fireEvent.change(field, { target: { value: 'maint' } });
  expect(document.querySelector('[data-combobox-selected]')).toBeNull();
  // Not prevented, the key would send the form.
  expect(fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' })).toBe(false);
  await waitFor(() => expect(picked).toHaveBeenCalledExactlyOnceWith({ kind: 'role', accessLevel: 40 }));
  stop();
});

it('clears what was typed and not picked when it is left, and not when another window is opened', () => {
  const { field, picked } = open();
  act(() => field.focus());
  fireEvent.change(field, { target: { value: 'maint' } });
  // The field of the other window has the focus, and this one is still active in its own.
  fireEvent.blur(field);
  expect(field).toHaveProperty('value', 'maint');
  act(() => field.blur());
  expect(field).toHaveProperty('value', '');
  expect(picked).not.toHaveBeenCalled();
});

it('does not send the form by an Enter where nothing matches, as if it had been picked', async () => {
  const { field } = open();
  fireEvent.change(field, { target: { value: 'nobody' } });
  await screen.findByText(/^No match among users/);
  expect(fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' })).toBe(false);
  fireEvent.change(field, { target: { value: '' } });
  expect(fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' })).toBe(true);
});

it('takes the user that a search finds after Enter, where the form was sent without one', async () => {
  const stop = followSelectKeys();
  const { field, picked } = open();
  const found = Promise.withResolvers<unknown>();
  vi.stubGlobal('gatehouse', { call: () => found.promise });
  fireEvent.change(field, { target: { value: 'zoe' } });
  await screen.findByText('Searching…');
  // Not prevented, the key would send the form.
  expect(fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' })).toBe(false);
  expect(screen.queryByText(/^No match/)).toBeNull();
  found.resolve({ ok: true, value: { users: [{ id: 9, name: 'Zoe Last', username: 'zoe' }], groups: [] } });
  await waitFor(() => expect(picked).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ userId: 9 })));
  stop();
});
