import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { PackageDetail } from '../../../../server/contract/packages.ts';
import { renderInWindow } from '../../../test/render-in-window.tsx';
import { TagDialog, type TagDialogSubject } from './tag-dialog.tsx';

const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>();

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(subject: TagDialogSubject) {
  call.mockImplementation((method) =>
    Promise.resolve({ ok: true, value: method === 'guards.list' ? { guards: [] } : null }),
  );
  vi.stubGlobal('gatehouse', { call });
  const versions = ['1.1.0', '1.0.0', '0.9.0'].map((version) => ({ version }));
  const pack = { id: 1, projectId: 1, name: '@acme/ui', tags: [{ tag: 'beta', version: '1.1.0' }], versions };
  renderInWindow(<TagDialog subject={subject} pack={pack as unknown as PackageDetail} onClose={() => undefined} />);
}

const version = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Version' });

it('moves a tag to the newest version that it does not have', async () => {
  show({ tag: 'beta' });
  expect(version().value).toBe('1.0.0');
  expect(screen.getByRole('dialog').textContent).toContain('beta points to 1.1.0 now.');
  fireEvent.click(version());
  expect(screen.getAllByRole('option', { hidden: true }).map((each) => each.textContent)).toEqual(['1.0.0', '0.9.0']);
  fireEvent.click(screen.getByRole('button', { name: 'Move tag' }));
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('packages.setTag', expect.objectContaining({ tag: 'beta', version: '1.0.0' })),
  );
});

it('keeps what was typed and is no version beside the sentence that says so', () => {
  show({ tag: 'beta' });
  act(() => version().focus());
  fireEvent.change(version(), { target: { value: '1.0.09' } });
  act(() => version().blur());
  expect(version().value).toBe('1.0.09');
  expect(screen.getByText('There is no version 1.0.09.')).toBeTruthy();
  act(() => version().focus());
  fireEvent.change(version(), { target: { value: '0.9.0' } });
  act(() => version().blur());
  expect(version().value).toBe('0.9.0');
  expect(screen.queryByText(/There is no version/)).toBeNull();
});

it('says of a name that is no tag why when the field is left, not only when the form is sent', () => {
  show({});
  const tag = screen.getByRole('textbox', { name: 'Tag' });
  const problem = () => screen.queryByText('This looks like a version. npm does not accept it as a tag.');
  act(() => tag.focus());
  act(() => version().focus());
  expect(screen.queryByText('Enter a name.')).toBeNull();
  fireEvent.change(tag, { target: { value: '1.x' } });
  act(() => tag.focus());
  // To a button, nothing moves below the pointer.
  act(() => screen.getByRole('button', { name: 'Cancel' }).focus());
  expect(problem()).toBeNull();
  act(() => tag.focus());
  act(() => version().focus());
  expect(problem()).toBeTruthy();
  fireEvent.change(tag, { target: { value: 'next' } });
  expect(problem()).toBeNull();
});
