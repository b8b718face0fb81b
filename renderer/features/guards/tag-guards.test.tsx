import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { OnRefusal, TagGuardView } from '../../../server/contract/guards.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { showQuestions } from '../../ui/feedback/ask.tsx';
import { TagGuards } from './tag-guards.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const latest: TagGuardView = {
  id: 1,
  pattern: 'latest',
  environment: 'production',
  tier: 'production',
  protected: true,
  allowSelfApproval: false,
  deployersWait: false,
  createdAt: 5,
  updatedAt: 5,
};

const maintainers = { id: 1, kind: 'role', accessLevel: 40, userId: null, groupId: null, groupInheritanceType: 0 };

const onOpen = vi.fn<(environment: string) => void>();

/** Shows the guard of `latest`; `becomes` is what the server has from then on. */
function showLatest(tags: readonly string[] = [], onRefusal: OnRefusal = 'stage') {
  let guards: readonly TagGuardView[] = [latest];
  const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>((method) => {
    const values: Record<string, unknown> = {
      'guards.list': { onRefusal, guards, tags },
      'directory.projects': [{ id: 1, fullPath: 'local/packages' }],
      'directory.members': [],
      'directory.ruleCandidates': { users: [], groups: [] },
      'environments.listInherited': [],
      'environments.listProtected': [
        { name: 'production', tier: 'production', rules: [maintainers], approvalRules: [] },
      ],
    };
    return Promise.resolve({ ok: true, value: values[method] ?? latest });
  });
  vi.stubGlobal('gatehouse', { call });
  const client = createQueryClient(() => undefined);
  renderInWindow(
    <ModalsProvider>
      <Notifications />
      <TagGuards projectId={1} environment="production" onOpen={onOpen} />
    </ModalsProvider>,
    client,
  );
  const becomes = async (...next: TagGuardView[]) => {
    guards = next;
    await act(() => client.invalidateQueries());
  };
  return { becomes, call };
}

/** As `showLatest`, and opens the dialog of the guard. */
async function editLatest() {
  const shown = showLatest();
  fireEvent.click(await screen.findByRole('button', { name: 'Edit the guard of latest' }));
  return { ...shown, dialog: within(await screen.findByRole('dialog')) };
}

it('changes what was ticked here and nothing that was changed elsewhere meanwhile', async () => {
  const { dialog, becomes, call } = await editLatest();
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Allow self-approval' }));
  await becomes({ ...latest, environment: 'staging', updatedAt: 6 });
  expect(await dialog.findByText('staging guards latest now. Save keeps that.')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  const settings = { allowSelfApproval: true, deployersWait: false };
  const sent = { projectId: 1, pattern: 'latest', environment: 'staging', ...settings, updatedAt: 6 };
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.set', sent));
});

it('does not allow again what was forbidden elsewhere while the dialog was open', async () => {
  const { dialog, becomes } = await editLatest();
  const box = () => dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Allow self-approval' });
  await becomes({ ...latest, allowSelfApproval: true, updatedAt: 6 });
  await waitFor(() => expect(box().checked).toBe(true));
  await becomes({ ...latest, updatedAt: 7 });
  await waitFor(() => expect(box().checked).toBe(false));
});

it('says that the guard was removed elsewhere, and adds it again only when asked', async () => {
  const { dialog, becomes, call } = await editLatest();
  await becomes();
  expect(await dialog.findByText('Removed elsewhere')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Guard it again' }));
  const settings = { allowSelfApproval: false, deployersWait: false };
  const sent = { projectId: 1, pattern: 'latest', environment: 'production', ...settings };
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.set', sent));
});

it('requires approval for another tag by the dialog that all screens have, with the rules of this environment', async () => {
  const { call } = showLatest(['latest']);
  fireEvent.click(await screen.findByRole('button', { name: 'Require approval for a tag…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Require approval' }));
  const field = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Tag' });
  // The one that is guarded is not what is meant by another.
  expect(field.value).toBe('');
  fireEvent.change(field, { target: { value: 'next' } });
  expect(dialog.getByRole('list', { name: 'May approve' }).textContent).toContain('Maintainers');
  fireEvent.click(dialog.getByRole('button', { name: 'Require approval' }));
  const sent = { projectId: 1, pattern: 'next', environment: 'production', onRefusal: 'stage', deployersWait: false };
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.set', expect.objectContaining(sent)));
  await waitFor(() => expect(onOpen).toHaveBeenCalledWith('production'));
  expect(call.mock.calls.map(([method]) => method)).not.toContain('environments.protect');
});

it('lets users who may deploy wait, too, and says so in the list', async () => {
  const { call, becomes, dialog } = await editLatest();
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Approvers must wait, too' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  const settings = { allowSelfApproval: false, deployersWait: true };
  const sent = { projectId: 1, pattern: 'latest', environment: 'production', ...settings };
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.set', { ...sent, updatedAt: 5 }));
  await becomes({ ...latest, deployersWait: true });
  expect(await screen.findByText(/wait for approval, except those of administrators\./)).toBeTruthy();
  expect(screen.getByText(/· Approvers wait, too$/)).toBeTruthy();
});

it('says what that means where publishes fail instead of waiting', async () => {
  const { becomes } = showLatest([], 'refuse');
  await screen.findByRole('button', { name: 'Edit the guard of latest' });
  await becomes({ ...latest, deployersWait: true });
  expect(await screen.findByText(/· Approvers are refused, too$/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Edit the guard of latest' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Refuse approvers, too' }).checked).toBe(true);
  expect(dialog.getByText('Only administrators publish then.')).toBeTruthy();
});

it('keeps a line below the label of the tag, whatever is typed', async () => {
  showLatest(['latest']);
  fireEvent.click(await screen.findByRole('button', { name: 'Require approval for a tag…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Require approval' }));
  const type = (value: string) => fireEvent.change(dialog.getByRole('textbox', { name: 'Tag' }), { target: { value } });
  expect(dialog.getByText('Use * for any text.')).toBeTruthy();
  type('next');
  expect(dialog.getByText('No package has this tag yet.')).toBeTruthy();
  type('latest');
  expect(dialog.getByText('Use * for any text.')).toBeTruthy();
});

it('leads from the sentence about refused publishes to the choice, which is of the project and of no guard', async () => {
  const { call } = showLatest();
  fireEvent.click(await screen.findByRole('button', { name: 'Change…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Publishing to guarded tags' }));
  const choice = dialog.getByRole('radio', { name: 'The version waits for approval in the inbox' });
  await waitFor(() => expect(document.activeElement).toBe(choice));
  fireEvent.click(dialog.getByRole('radio', { name: 'npm publish fails with an error' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.settings', { projectId: 1, onRefusal: 'refuse' }));
});

it('claims no effect of guards whose environment nothing protects', async () => {
  const { becomes } = showLatest();
  await screen.findByText(
    /^Versions published to these tags wait for approval, except those of users who may deploy to production\./,
  );
  await becomes({ ...latest, protected: false });
  expect(await screen.findByText('No effect until the environment is protected.')).toBeTruthy();
  await becomes({ ...latest, protected: false, deployersWait: true });
  await waitFor(() => expect(screen.queryByText('No effect until the environment is protected.')).toBeNull());
});

it('says of the guard of one tag that everyone can then move this tag', async () => {
  showLatest();
  fireEvent.click(await screen.findByRole('button', { name: 'Remove the guard of latest' }));
  act(showQuestions);
  expect(await screen.findByText(/can then move this tag, unless another guard matches it\.$/)).toBeTruthy();
});

it('shows of a long tag the part that the pattern names', async () => {
  const branch = 'release-candidate-of-the-branch-feature-with-a-long-name';
  showLatest([`${branch}-2026`, `${branch}-2027`, 'latest']);
  fireEvent.click(await screen.findByRole('button', { name: 'Require approval for a tag…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByRole('textbox', { name: 'Tag' });
  const line = () => field.closest('.mantine-TextInput-root')?.querySelector('.mantine-TextInput-description');
  fireEvent.change(field, { target: { value: '*name-2027' } });
  expect(line()?.textContent).toBe(`Matches ${branch}-2027.`);
  expect(line()?.querySelector('bdi')?.textContent).toBe('name-2027');
  fireEvent.change(field, { target: { value: '*feature*' } });
  expect(line()?.textContent).toBe('Matches …feature-with-a-long-name-2026 and 1 more.');
});
