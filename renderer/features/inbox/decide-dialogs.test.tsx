import { Notifications, notifications } from '@mantine/notifications';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { WaitingRelease } from '../../../server/contract/releases.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { ApproveDialog } from './decide-dialogs.tsx';

const { navigate } = vi.hoisted(() => ({ navigate: vi.fn<(to: unknown) => void>() }));
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }));

// A text area that grows asks for it; the test's page has none.
Object.defineProperty(document, 'fonts', { value: new EventTarget() });

afterEach(() => {
  cleanup();
  notifications.clean();
  navigate.mockClear();
  vi.unstubAllGlobals();
});

const release: WaitingRelease = {
  id: 'a',
  kind: 'version',
  projectId: 1,
  projectPath: 'local/packages',
  packageId: null,
  name: 'lib',
  version: '2.0.0',
  tags: ['latest'],
  current: [null],
  requester: 'Dan',
  createdAt: 5,
  size: 1,
  integrity: '',
  gates: [],
  approvals: [],
  missing: '1 approval',
};

function show(answers: Record<string, unknown>, shown = release) {
  const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>((method) =>
    Promise.resolve({ ok: true, value: answers[method] }),
  );
  vi.stubGlobal('gatehouse', { call });
  renderInWindow(
    <>
      <Notifications />
      <ApproveDialog release={shown} isGone={false} onClose={() => undefined} />
    </>,
  );
  return call;
}

const published = { state: 'published', missing: '' };

it('says before and after which requests the approval closes', async () => {
  const root = { id: 1, username: 'root', name: 'Administrator', isWindow: true };
  const move: WaitingRelease = { ...release, id: 'b', kind: 'tag', version: '1.0.0' };
  show({
    'releases.approvers': [{ ...root, choices: [{ representedAs: null, missing: '' }] }],
    'releases.list': [release, move],
    'releases.approve': published,
  });
  const closed = 'The request to move latest to 1.0.0 is closed as outdated.';
  expect(await screen.findByText(`lib@2.0.0 is published at once, and latest points to it. ${closed}`)).toBeTruthy();
  // Nobody else may approve.
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Comment' }));
  fireEvent.click(screen.getByRole('button', { name: 'Approve and publish' }));
  expect(await screen.findByText(`latest points to 2.0.0 now. ${closed}`)).toBeTruthy();
});

it.each([
  [7, { to: '/packages/$packageId', params: { packageId: 7 } }],
  // Before its first version a package has no id.
  [null, { to: '/package-by-name/$name', params: { name: 'lib' } }],
])('offers to show what was approved, which the inbox no longer has (package %s)', async (packageId, target) => {
  const root = { id: 1, username: 'root', name: 'Administrator', isWindow: true };
  show(
    {
      'releases.approvers': [{ ...root, choices: [{ representedAs: null, missing: '' }] }],
      'releases.list': [release],
      'releases.approve': published,
    },
    { ...release, packageId },
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Approve and publish' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Show the package' }));
  expect(navigate).toHaveBeenCalledExactlyOnceWith(target);
});

it('offers the people who may approve, and first the one at the window', async () => {
  const choices = [{ representedAs: null, missing: '' }];
  const root = { id: 1, username: 'root', name: 'Administrator', isWindow: true, choices };
  const mia = { id: 2, username: 'mia', name: 'Mia', isWindow: false, choices };
  show({ 'releases.approvers': [mia, root], 'releases.list': [release] });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Approve as' });
  expect(field.value).toBe('Administrator (you)');
  await waitFor(() => expect(document.activeElement).toBe(field));
});

it('asks at the field for the proof of another person, and sends nothing without it', async () => {
  const mia = { id: 2, username: 'mia', name: 'Mia', isWindow: false, choices: [{ representedAs: null, missing: '' }] };
  const call = show({ 'releases.approvers': [mia], 'releases.list': [release], 'releases.approve': published });
  const approve = await screen.findByRole('button', { name: 'Approve and publish' });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Password or token of @mia')));
  fireEvent.click(approve);
  expect(await screen.findByText('Enter the password or a token.')).toBeTruthy();
  const field = screen.getByLabelText('Password or token of @mia');
  expect(document.activeElement).toBe(field);
  expect(call.mock.calls.map(([method]) => method)).not.toContain('releases.approve');
  fireEvent.change(field, { target: { value: 'glpat-1' } });
  expect(screen.queryByText('Enter the password or a token.')).toBeNull();
  fireEvent.click(approve);
  const signedBy = { username: 'mia', secret: 'glpat-1' };
  await waitFor(() => expect(call).toHaveBeenCalledWith('releases.approve', { id: 'a', comment: '', signedBy }));
});

it('asks for the proof of a person who was chosen in place of the one at the window', async () => {
  const choices = [{ representedAs: null, missing: '' }];
  const root = { id: 1, username: 'root', name: 'Administrator', isWindow: true, choices };
  const mia = { id: 2, username: 'mia', name: 'Mia', isWindow: false, choices };
  const call = show({ 'releases.approvers': [mia, root], 'releases.list': [release] });
  fireEvent.click(await screen.findByRole('combobox', { name: 'Approve as' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Mia (@mia)' }));
  const field = await screen.findByLabelText('Password or token of @mia');
  fireEvent.click(screen.getByRole('button', { name: 'Approve and publish' }));
  expect(await screen.findByText('Enter the password or a token.')).toBeTruthy();
  expect(document.activeElement).toBe(field);
  expect(call.mock.calls.map(([method]) => method)).not.toContain('releases.approve');
});
