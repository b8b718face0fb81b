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

/** Shows the guard of `latest`; `becomes` is what the server has from then on. */
function showLatest(tags: readonly string[] = [], onRefusal: OnRefusal = 'stage') {
  let guards: readonly TagGuardView[] = [latest];
  const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>((method) =>
    Promise.resolve({ ok: true, value: method === 'guards.list' ? { onRefusal, guards, tags } : latest }),
  );
  vi.stubGlobal('gatehouse', { call });
  const client = createQueryClient(() => undefined);
  renderInWindow(
    <ModalsProvider>
      <Notifications />
      <TagGuards projectId={1} environment="production" />
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

it('asks with the guard what becomes of refused publishes, and saves both at once', async () => {
  const { call } = showLatest();
  expect(await screen.findByText(/What others publish waits for approval\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Guard a tag…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Guard a tag with production' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Guard' }));
  expect(await dialog.findByText('Enter a tag or a pattern.')).toBeTruthy();
  fireEvent.change(dialog.getByRole('textbox', { name: 'Tag or pattern' }), { target: { value: 'next' } });
  expect(
    dialog.getByRole<HTMLInputElement>('radio', { name: 'The version waits for approval in the inbox' }).checked,
  ).toBe(true);
  fireEvent.click(dialog.getByRole('radio', { name: 'npm publish fails with an error' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Guard' }));
  await waitFor(() => expect(document.body.textContent).toContain('Guarded next'));
  const settings = { allowSelfApproval: false, deployersWait: false };
  const sent = { projectId: 1, pattern: 'next', environment: 'production', ...settings };
  expect(call).toHaveBeenCalledWith('guards.set', { ...sent, onRefusal: 'refuse' });
});

it('offers no self-approval with a new guard where refused publishes fail, as nothing is approved there', async () => {
  showLatest([], 'refuse');
  fireEvent.click(await screen.findByRole('button', { name: 'Guard a tag…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Guard a tag with production' }));
  const box = () => dialog.queryByRole('checkbox', { name: 'Allow self-approval' });
  expect(box()).toBeNull();
  fireEvent.click(dialog.getByRole('radio', { name: 'The version waits for approval in the inbox' }));
  expect(box()).toBeTruthy();
});

it('lets users who may deploy wait, too, says so in the list, and does not undo it by guarding the same tag again', async () => {
  const { call, becomes, dialog } = await editLatest();
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Users who may deploy wait, too' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  const settings = { allowSelfApproval: false, deployersWait: true };
  const sent = { projectId: 1, pattern: 'latest', environment: 'production', ...settings };
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.set', { ...sent, updatedAt: 5 }));
  await becomes({ ...latest, deployersWait: true });
  expect(await screen.findByText('What anyone but administrators publishes to these', { exact: false })).toBeTruthy();
  expect(screen.getByText(/users who may deploy wait, too/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Guard a tag…' }));
  const again = within(await screen.findByRole('dialog', { name: 'Guard a tag with production' }));
  fireEvent.change(again.getByRole('textbox', { name: 'Tag or pattern' }), { target: { value: 'latest' } });
  fireEvent.click(again.getByRole('button', { name: 'Guard' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.set', sent));
});

it.each([
  ['a wider guard', { ...latest, pattern: 'v1*', deployersWait: true }, true],
  ['a guard of other tags', { ...latest, deployersWait: true }, false],
])('lets users who may deploy wait for a new tag, too, where %s does so', async (_which, stored, waits) => {
  const { becomes } = showLatest();
  await screen.findByRole('button', { name: 'Edit the guard of latest' });
  await becomes(stored);
  fireEvent.click(screen.getByRole('button', { name: 'Guard a tag…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Guard a tag with production' }));
  fireEvent.change(dialog.getByRole('textbox', { name: 'Tag or pattern' }), { target: { value: 'v1-lts' } });
  const box = dialog.getByRole<HTMLInputElement>('checkbox', { name: 'Users who may deploy wait, too' });
  expect(box.checked).toBe(waits);
});

it('keeps what was ticked where publishes fail instead of waiting, and says what it means then', async () => {
  const { call } = showLatest();
  fireEvent.click(await screen.findByRole('button', { name: 'Guard a tag…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Guard a tag with production' }));
  fireEvent.change(dialog.getByRole('textbox', { name: 'Tag or pattern' }), { target: { value: 'next' } });
  fireEvent.click(dialog.getByRole('checkbox', { name: 'Users who may deploy wait, too' }));
  fireEvent.click(dialog.getByRole('radio', { name: 'npm publish fails with an error' }));
  expect(dialog.getByRole('checkbox', { name: 'Refuse users who may deploy, too' })).toBeTruthy();
  expect(dialog.getByText('Only administrators publish then.')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Guard' }));
  await waitFor(() =>
    expect(call).toHaveBeenCalledWith('guards.set', expect.objectContaining({ deployersWait: true })),
  );
});

it('keeps a line below the label of the tag, whatever is typed', async () => {
  showLatest(['latest']);
  fireEvent.click(await screen.findByRole('button', { name: 'Guard a tag…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Guard a tag with production' }));
  const type = (value: string) =>
    fireEvent.change(dialog.getByRole('textbox', { name: 'Tag or pattern' }), { target: { value } });
  expect(dialog.getByText('Use * for any text.')).toBeTruthy();
  type('next');
  expect(dialog.getByText('No package has this tag yet.')).toBeTruthy();
  type('latest');
  expect(dialog.getByText('Use * for any text.')).toBeTruthy();
});

it('says of every guard, the first too, that the choice is for all of the project', async () => {
  const { becomes } = showLatest();
  await screen.findByRole('button', { name: 'Edit the guard of latest' });
  await becomes();
  fireEvent.click(screen.getByRole('button', { name: 'Guard a tag…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Guard a tag with production' }));
  expect(dialog.getByText('One setting for all guarded tags of the project.')).toBeTruthy();
});

it('leads from the sentence about refused publishes to the choice, which is of the project and of no guard', async () => {
  const { call } = showLatest();
  fireEvent.click(await screen.findByRole('button', { name: 'Refuse what others publish…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Publishing to guarded tags' }));
  const choice = dialog.getByRole('radio', { name: 'The version waits for approval in the inbox' });
  await waitFor(() => expect(document.activeElement).toBe(choice));
  fireEvent.click(dialog.getByRole('radio', { name: 'npm publish fails with an error' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.settings', { projectId: 1, onRefusal: 'refuse' }));
});

it('claims no effect of guards whose environment nothing protects', async () => {
  const { becomes } = showLatest();
  await screen.findByText(/^Only users who may deploy here can publish to these dist-tags\./);
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
  fireEvent.click(await screen.findByRole('button', { name: 'Guard a tag…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByRole('textbox', { name: 'Tag or pattern' });
  const line = () => field.closest('.mantine-TextInput-root')?.querySelector('.mantine-TextInput-description');
  fireEvent.change(field, { target: { value: '*name-2027' } });
  expect(line()?.textContent).toBe(`Matches ${branch}-2027.`);
  expect(line()?.querySelector('bdi')?.textContent).toBe('name-2027');
  fireEvent.change(field, { target: { value: '*feature*' } });
  expect(line()?.textContent).toBe('Matches …feature-with-a-long-name-2026 and 1 more.');
});
