import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ProtectionOwner } from '../../../server/contract/environments.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { ProtectForm } from './protect-form.tsx';
import { useUnsavedEdits } from './unsaved-edits.ts';

const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>();
beforeEach(() => {
  call.mockReset();
  call.mockImplementation(() => Promise.resolve({ ok: true, value: { users: [], groups: [] } }));
  vi.stubGlobal('gatehouse', { call });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Edited() {
  return <output>{useUnsavedEdits().size}</output>;
}

function open(owner: ProtectionOwner = { projectId: 1 }, field = 'Environment') {
  renderInWindow(
    <>
      <Edited />
      <ProtectForm
        owner={owner}
        name=""
        existing={[]}
        inherited={[]}
        onProtected={() => undefined}
        onCancel={() => undefined}
      />
    </>,
  );
  return screen.getByRole<HTMLInputElement>('combobox', { name: field });
}

it('is found as it was left, and marked meanwhile, until it is cancelled', () => {
  fireEvent.change(open(), { target: { value: 'preview' } });
  expect(document.querySelector('output')?.textContent).toBe('1');
  cleanup();
  expect(open().value).toBe('preview');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(document.querySelector('output')?.textContent).toBe('0');
  cleanup();
  expect(open().value).toBe('');
});

it('protects with whom it lets deploy and with how many approvals it asks for', async () => {
  fireEvent.change(open(), { target: { value: 'production' } });
  const add = async (field: string, role: string) => {
    const input = screen.getByRole('textbox', { name: field });
    fireEvent.change(input, { target: { value: role } });
    await waitFor(() => {
      fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' });
      expect(screen.getByRole('list', { name: field }).textContent).toContain(role);
    });
  };
  await add('Allowed to deploy', 'Maintainers');
  await add('Approvers', 'Administrators');
  fireEvent.change(screen.getByRole('textbox', { name: 'Approvals of Administrators' }), {
    target: { value: '2' },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Protect' }));
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('environments.protect', {
      projectId: 1,
      name: 'production',
      rules: [{ accessLevel: 40 }],
      approvalRules: [{ accessLevel: 60, requiredApprovals: 2 }],
    }),
  );
});

it('lets administrators alone deploy where no one else was added', async () => {
  fireEvent.change(open({ projectId: 1 }, 'Environment'), { target: { value: 'production' } });
  expect(screen.getByText('Only administrators.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Protect' }));
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('environments.protect', {
      projectId: 1,
      name: 'production',
      rules: [{ accessLevel: 60 }],
      approvalRules: [],
    }),
  );
});

it('protects a tier in a group, which is chosen and not typed', async () => {
  fireEvent.click(open({ groupId: 3 }, 'Deployment tier'));
  const list = within(screen.getByRole('listbox', { name: 'Deployment tier', hidden: true }));
  const names = list.getAllByRole('option', { hidden: true }).map((option) => option.textContent);
  expect(names).toEqual(['production', 'staging', 'testing', 'development', 'other']);
  fireEvent.click(screen.getByRole('button', { name: 'Protect' }));
  expect(await screen.findByText('Choose a deployment tier.')).toBeTruthy();
  fireEvent.click(list.getByRole('option', { name: 'staging', hidden: true }));
  const input = screen.getByRole('textbox', { name: 'Allowed to deploy' });
  fireEvent.change(input, { target: { value: 'Maintainers' } });
  await waitFor(() => {
    fireEvent.keyDown(input, { key: 'Enter', code: 'Enter' });
    expect(screen.getByRole('list', { name: 'Allowed to deploy' }).textContent).toContain('Maintainers');
  });
  fireEvent.click(screen.getByRole('button', { name: 'Protect' }));
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('environments.protect', {
      groupId: 3,
      name: 'staging',
      rules: [{ accessLevel: 40 }],
      approvalRules: [],
    }),
  );
});
