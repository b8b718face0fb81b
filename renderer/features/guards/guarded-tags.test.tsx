import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { OnRefusal, TagGuardView } from '../../../server/contract/guards.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { showQuestions } from '../../ui/feedback/ask.tsx';
import { GuardedTags } from './guarded-tags.tsx';

vi.mock('@tanstack/react-router', () => ({
  Link: ({ search, children, ...props }: { search: { name: string }; 'aria-label'?: string; children: string }) => (
    <a {...props} href={search.name}>
      {children}
    </a>
  ),
}));

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
const mia = {
  ...maintainers,
  id: 2,
  kind: 'user',
  accessLevel: null,
  userId: 7,
  description: 'Mia',
  requiredApprovals: 2,
};

/** Shows the guard of `latest`, whose approvers are those who may deploy or Mia; `becomes` is what the server has from then on. */
function showLatest(tags: readonly string[] = [], onRefusal: OnRefusal = 'stage', onlyMia = false) {
  let guards: readonly TagGuardView[] = [latest];
  const approvers = onlyMia ? [mia] : [];
  const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>((method) => {
    const values: Record<string, unknown> = {
      'guards.list': { onRefusal, guards, tags },
      'directory.projects': [{ id: 1, fullPath: 'local/packages' }],
      'directory.members': [],
      'directory.ruleCandidates': { users: [], groups: [] },
      'environments.listInherited': [],
      'environments.listProtected': [
        { name: 'production', tier: 'production', rules: [maintainers], approvalRules: approvers },
        { name: 'tag-approvers', tier: 'other', rules: [maintainers], approvalRules: [] },
      ],
    };
    return Promise.resolve({ ok: true, value: values[method] ?? latest });
  });
  vi.stubGlobal('gatehouse', { call });
  const client = createQueryClient(() => undefined);
  renderInWindow(
    <ModalsProvider>
      <Notifications />
      <GuardedTags projectId={1} onRequire={() => undefined} />
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
  fireEvent.click(await screen.findByRole('button', { name: 'Change what needs approval for latest' }));
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
  fireEvent.click(dialog.getByRole('button', { name: 'Require it again' }));
  const settings = { allowSelfApproval: false, deployersWait: false };
  const sent = { projectId: 1, pattern: 'latest', environment: 'production', ...settings };
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.set', sent));
});

it('says who approves what is published to a tag, and who need not wait', async () => {
  const { becomes } = showLatest(['latest']);
  const row = await screen.findByRole('listitem');
  expect(row.textContent).toContain(
    'Approvers: Maintainers Change approversApprovers publish without approval. Change…',
  );
  expect(within(row).getByRole('link', { name: 'Change approvers of latest' })).toBeTruthy();
  await becomes();
  expect(await screen.findByText('No tag requires approval')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Require approval…' })).toBeTruthy();
});

it('names those of the approval rules as approvers where there are any', async () => {
  showLatest(['latest'], 'stage', true);
  const row = await screen.findByRole('listitem');
  expect(row.textContent).toContain(
    'Approvers: Mia (2 approvals) Change approversMaintainers publish without approval.',
  );
});

it('lets users who may deploy wait, too, and says so in the list', async () => {
  const { call, becomes, dialog } = await editLatest();
  fireEvent.click(dialog.getByRole('radio', { name: 'It waits for another approver' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  const settings = { allowSelfApproval: false, deployersWait: true };
  const sent = { projectId: 1, pattern: 'latest', environment: 'production', ...settings };
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.set', { ...sent, updatedAt: 5 }));
  await becomes({ ...latest, deployersWait: true });
  expect(await screen.findByText(/^Approvers need approval, too\./)).toBeTruthy();
});

it('says what that means where publishes fail instead of waiting', async () => {
  const { becomes } = showLatest([], 'refuse');
  expect(await screen.findByText(/^May publish: Maintainers/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Change who publishes latest' })).toBeTruthy();
  await becomes({ ...latest, deployersWait: true });
  expect(await screen.findByText(/^Only administrators may publish\./)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Change what is refused for latest' }));
  const dialog = within(await screen.findByRole('dialog'));
  const choice = within(
    dialog.getByRole('radiogroup', { name: 'When somebody who may deploy publishes or moves the tag' }),
  );
  expect(choice.getByRole<HTMLInputElement>('radio', { name: /^It is refused/ }).checked).toBe(true);
});

it('leads to the choice of what becomes of refused publishes, which is of the project and of no guard', async () => {
  const { call } = showLatest();
  fireEvent.click(await screen.findByRole('button', { name: 'Let it fail instead…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Publishing to these tags' }));
  const choice = dialog.getByRole('radio', { name: 'It waits for approval in the inbox' });
  await waitFor(() => expect(document.activeElement).toBe(choice));
  fireEvent.click(dialog.getByRole('radio', { name: 'It fails with an error' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(call).toHaveBeenCalledWith('guards.settings', { projectId: 1, onRefusal: 'refuse' }));
});

it('claims no effect of guards whose environment nothing protects', async () => {
  const { becomes } = showLatest();
  await screen.findByText(/^Approvers: Maintainers/);
  await becomes({ ...latest, protected: false });
  expect(await screen.findByText('No effect')).toBeTruthy();
  expect(screen.getByRole('listitem').textContent).toContain('Not protected: production');
  expect(screen.queryByText(/^Approvers/)).toBeNull();
  await becomes({ ...latest, protected: false, deployersWait: true });
  await waitFor(() => expect(screen.queryByText('No effect')).toBeNull());
});

it('says of the guard of one tag that everyone can then move this tag', async () => {
  showLatest();
  fireEvent.click(await screen.findByRole('button', { name: 'Remove approval for latest' }));
  act(showQuestions);
  expect(
    await screen.findByText(/can then move this tag, unless another pattern in the list matches it\.$/),
  ).toBeTruthy();
});

it.each([
  ['keeps, while another tag needs them,', ['next'], false],
  ['deletes with the last tag, and says so before,', [], true],
])('%s the approvers that were chosen for tags alone', async (_what, others, ends) => {
  const { call, becomes } = showLatest();
  await screen.findByRole('listitem');
  const of = (pattern: string, id: number): TagGuardView => ({ ...latest, id, pattern, environment: 'tag-approvers' });
  await becomes(of('latest', 1), ...others.map((pattern) => of(pattern, 2)));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1 + others.length));
  fireEvent.click(await screen.findByRole('button', { name: 'Remove approval for latest' }));
  act(showQuestions);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByText(/The list of approvers is deleted, too\./) !== null).toBe(ends);
  fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(/no longer requires approval/)).toBeTruthy();
  // The server knows best whether another tag needs them by then.
  expect(call).toHaveBeenCalledWith('guards.remove', { projectId: 1, pattern: 'latest', unprotect: true });
});
