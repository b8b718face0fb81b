import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications, notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  InheritedProtection,
  ProtectedEnvironment,
  ProtectionOwner,
} from '../../../server/contract/environments.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { showQuestions } from '../../ui/feedback/ask.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { useUnsavedEdits } from './unsaved-edits.ts';

// Where links lead has no part here.
vi.mock('@tanstack/react-router', () => ({ Link: ({ children }: { children: ReactNode }) => children }));

const rule = { id: 1, accessLevel: null, userId: null, groupId: null, groupInheritanceType: 0 as const, detail: '' };
const ada = { ...rule, kind: 'user' as const, userId: 7, description: 'Ada Lovelace', detail: '@ada' };
const maintainers = { ...rule, kind: 'role' as const, accessLevel: 40 as const, description: 'Maintainers' };
const crew = (groupInheritanceType: 0 | 1) => ({
  ...rule,
  kind: 'group' as const,
  groupId: 3,
  groupInheritanceType,
  description: 'Release crew',
  detail: 'crew',
});
const administrators = { ...rule, kind: 'role' as const, accessLevel: 60 as const, description: 'Administrators' };

function production(updatedAt: number, ...rules: ProtectedEnvironment['rules']): ProtectedEnvironment {
  return { id: 1, name: 'production', tier: 'production', rules, approvalRules: [], updatedAt };
}

const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>();
let answers: Record<string, unknown>;
beforeEach(() => {
  call.mockReset();
  answers = {
    'directory.ruleCandidates': { users: [], groups: [] },
    'guards.list': { onRefusal: 'refuse', guards: [], tags: [] },
  };
  call.mockImplementation((method) => Promise.resolve({ ok: true, value: answers[method] ?? [] }));
  vi.stubGlobal('gatehouse', { call });
});
afterEach(() => {
  act(() => notifications.clean());
  cleanup();
  vi.unstubAllGlobals();
});

function show(
  environment: ProtectedEnvironment | undefined,
  inherited: readonly InheritedProtection[] = [],
  owner: ProtectionOwner = { projectId: 1 },
  own = 'production',
) {
  const client = createQueryClient(() => undefined);
  const tree = (stored: ProtectedEnvironment | undefined, name = own) => (
    <MantineProvider>
      <QueryClientProvider client={client}>
        <ModalsProvider>
          <Notifications />
          <RuleEditor
            key={name}
            owner={owner}
            name={name}
            environment={stored}
            inherited={inherited}
            onProtect={() => undefined}
            onClosed={() => undefined}
          />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
  const { rerender } = render(tree(environment));
  return {
    becomes: (stored: ProtectedEnvironment | undefined) => rerender(tree(stored)),
    leaves: () => rerender(tree(undefined, 'staging')),
  };
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const disabled = (name: string) => screen.getByRole('button', { name }).hasAttribute('disabled');

describe('the editor of deploy rules', () => {
  it('edits what a group protects, which guards no tags', async () => {
    show(production(5, maintainers, administrators), [], { groupId: 3 });
    expect(screen.getByText(/^In every production environment of the group’s projects/)).toBeTruthy();
    press('Remove Administrators');
    call.mockResolvedValueOnce({ ok: true, value: production(6, maintainers) });
    press('Save');
    await waitFor(() =>
      expect(call).toHaveBeenCalledWith('environments.replaceRules', {
        groupId: 3,
        name: 'production',
        rules: [{ accessLevel: 40 }],
        approvalRules: [],
        updatedAt: 5,
      }),
    );
    expect(call.mock.calls.map(([method]) => method)).not.toContain('guards.list');
  });

  it('says what saving changes, and sends the rules with the state they were read in', async () => {
    show(production(5, maintainers, ada));
    expect(disabled('Save')).toBe(true);
    press('Remove Ada Lovelace');
    expect(screen.getByRole('status').textContent).toBe('Removes Ada Lovelace.');
    call.mockResolvedValueOnce({ ok: true, value: production(6, maintainers) });
    press('Save');
    await waitFor(() =>
      expect(call).toHaveBeenCalledWith('environments.replaceRules', {
        projectId: 1,
        name: 'production',
        rules: [{ accessLevel: 40 }],
        approvalRules: [],
        updatedAt: 5,
      }),
    );
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('All changes are saved.'));
  });

  it('offers to put back what was saved over, unless it was changed again since', async () => {
    show(production(5, maintainers, ada));
    press('Remove Ada Lovelace');
    call.mockResolvedValueOnce({ ok: true, value: production(6, maintainers) });
    press('Save');
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() =>
      expect(call).toHaveBeenCalledWith('environments.replaceRules', {
        projectId: 1,
        name: 'production',
        rules: [{ accessLevel: 40 }, { userId: 7 }],
        approvalRules: [],
        updatedAt: 6,
      }),
    );
    expect(await screen.findByText(/are as they were/)).toBeTruthy();
  });

  it('says that rules are as they were also where another environment was opened meanwhile', async () => {
    const { leaves } = show(production(5, maintainers, ada));
    press('Remove Ada Lovelace');
    call.mockResolvedValueOnce({ ok: true, value: production(6, maintainers) });
    press('Save');
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    leaves();
    expect(await screen.findByText(/are as they were/)).toBeTruthy();
  });

  it('marks an environment whose edit is not saved, also while another screen is open', () => {
    function Edited() {
      return <output>{[...useUnsavedEdits().keys()].join()}</output>;
    }
    render(<Edited />);
    show(production(5, maintainers, ada));
    const edited = document.querySelector('output');
    /** Whether a close or a reload of the window asks first. */
    const holdsWindow = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(edited?.textContent).toBe('');
    expect(holdsWindow()).toBe(false);
    press('Remove Ada Lovelace');
    expect(edited?.textContent).toBe('1/production');
    expect(holdsWindow()).toBe(true);
    press('Discard');
    expect(edited?.textContent).toBe('');
    expect(holdsWindow()).toBe(false);
  });

  it('undoes a removal without a trace', () => {
    show(production(5, maintainers, ada));
    press('Remove Ada Lovelace');
    press('Keep Ada Lovelace');
    expect(disabled('Save')).toBe(true);
  });

  it('leaves an environment to administrators when its last rule is removed', async () => {
    answers['environments.replaceRules'] = production(6, administrators);
    show(production(5, maintainers));
    press('Remove Maintainers');
    expect(screen.getByRole('status').textContent).toBe('Adds Administrators. Removes Maintainers.');
    press('Keep Maintainers');
    expect(disabled('Save')).toBe(true);
    press('Remove Maintainers');
    press('Save');
    await waitFor(() =>
      expect(call).toHaveBeenCalledWith(
        'environments.replaceRules',
        expect.objectContaining({ rules: [{ accessLevel: 60 }] }),
      ),
    );
  });

  it('applies an edit on top of a change made elsewhere, and does not give back what that one revoked', async () => {
    const { becomes } = show(production(5, maintainers, ada));
    press('Remove Ada Lovelace');
    becomes(production(6, administrators, ada));
    expect(screen.getByText('Merged with a change made elsewhere')).toBeTruthy();
    expect(screen.getByText('Adds Administrators. Removes Maintainers.')).toBeTruthy();
    expect(screen.getByRole('status').textContent).toBe('Removes Ada Lovelace.');
    call.mockResolvedValueOnce({ ok: true, value: production(7, administrators) });
    press('Save');
    await waitFor(() =>
      expect(call).toHaveBeenCalledWith('environments.replaceRules', {
        projectId: 1,
        name: 'production',
        rules: [{ accessLevel: 60 }],
        approvalRules: [],
        updatedAt: 6,
      }),
    );
  });

  it('asks only about a rule that both changed, and saves nothing before', () => {
    const { becomes } = show(production(5, maintainers, crew(0)));
    fireEvent.click(screen.getByRole('switch', { name: 'Inherited members of Release crew' }));
    press('Remove Maintainers');
    becomes(production(6, maintainers, ada));
    expect(disabled('Save')).toBe(true);
    expect(screen.getByText('Release crew: removed there, with inherited members here.')).toBeTruthy();
    press('Use theirs');
    expect(screen.getByRole('status').textContent).toBe('Removes Maintainers.');
    expect(screen.getByRole('button', { name: 'Remove Ada Lovelace' })).toBeTruthy();
    expect(disabled('Save')).toBe(false);
    press('Discard');
  });

  it('follows another’s edit while it has none of its own', () => {
    const { becomes } = show(production(5, maintainers));
    becomes(production(6, administrators));
    expect(screen.getByRole('button', { name: 'Remove Administrators' })).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says which tags nothing guards once it is unprotected, and which any Developer then approves', async () => {
    const of = (pattern: string, deployersWait: boolean) => ({
      id: pattern,
      pattern,
      environment: 'production',
      protected: true,
      deployersWait,
    });
    answers['guards.list'] = { onRefusal: 'stage', guards: [of('next', false), of('latest', true)], tags: [] };
    show(production(5, maintainers));
    await screen.findByText(/^They also approve|latest and 1 more/);
    press('Unprotect…');
    act(showQuestions);
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain('This tag no longer needs approval:next');
    expect(dialog.textContent).toContain('Any other Developer can then approve what waits for:latest');
  });

  it('shows approval rules and edits them by their ids', async () => {
    const approval = { ...maintainers, id: 9, requiredApprovals: 2 };
    show({ ...production(5, maintainers), approvalRules: [approval] });
    const approvals = screen.getByRole('list', { name: 'Approvers' });
    expect(approvals.textContent).toContain('Maintainers');
    fireEvent.change(screen.getByRole('textbox', { name: 'Approvals of Maintainers' }), { target: { value: '3' } });
    expect(screen.getByRole('status').textContent).toBe('Asks for 3 approvals of Maintainers.');
    call.mockResolvedValueOnce({ ok: true, value: production(6, maintainers) });
    press('Save');
    await waitFor(() =>
      expect(call).toHaveBeenCalledWith('environments.replaceRules', {
        projectId: 1,
        name: 'production',
        rules: [{ accessLevel: 40 }],
        approvalRules: [{ id: 9, requiredApprovals: 3, groupInheritanceType: 0 }],
        updatedAt: 5,
      }),
    );
  });

  it('shows the rules of a group for the tier, which cannot be edited here', () => {
    const { id, tier, approvalRules, updatedAt } = production(4);
    const ofGroup = { id, tier, approvalRules, updatedAt, rules: [administrators], group: { id: 2, fullPath: 'acme' } };
    show(production(5, maintainers), [
      ofGroup,
      { ...ofGroup, id: 8, tier: 'staging', group: { id: 3, fullPath: 'x' } },
    ]);
    expect(screen.getByText(/^To deploy, a user must match a rule here and one of the group acme\./)).toBeTruthy();
    const list = screen.getByRole('list', { name: 'Allowed to deploy by acme' });
    expect(list.textContent).toContain('Administrators');
    expect(list.querySelector('button')).toBeNull();
    expect(screen.queryByText('From the group x')).toBeNull();
  });

  it('says which guarded tags those who may deploy approve, unless approvers do', async () => {
    const latest = { id: 1, pattern: 'latest', environment: 'production', tier: 'production', deployersWait: false };
    answers['guards.list'] = { onRefusal: 'stage', guards: [{ ...latest, protected: true }], tags: [] };
    const { becomes } = show(production(5, maintainers));
    const form = screen.getByRole('form', { name: 'Rules of production' });
    await waitFor(() => expect(form.textContent).toContain('They also approve what is published to latest.'));
    expect(screen.getByText('Deployments need no approval.')).toBeTruthy();
    becomes({ ...production(6, maintainers), approvalRules: [{ ...ada, requiredApprovals: 1 }] });
    await waitFor(() => expect(form.textContent).toContain('They may also publish to latest without approval.'));
    expect(form.textContent).toContain('Who must approve deployments, and what is published to latest.');
  });

  it('speaks of approvers where the environment only keeps those of tags, to which nothing is deployed', async () => {
    const name = 'tag-approvers';
    const latest = { id: 1, pattern: 'latest', environment: name, tier: 'other', deployersWait: false };
    answers['guards.list'] = { onRefusal: 'stage', guards: [{ ...latest, protected: true }], tags: [] };
    const { becomes } = show({ ...production(5, maintainers), name, tier: 'other' }, [], { projectId: 1 }, name);
    const form = screen.getByRole('form', { name: 'Rules of tag-approvers' });
    expect(await screen.findByRole('heading', { name: 'Approvers of latest' })).toBeTruthy();
    // It goes with its last tag.
    expect(screen.queryByRole('button', { name: 'Unprotect…' })).toBeNull();
    const sentence = 'Administrators and everyone listed here approve what is published to latest.';
    await waitFor(() => expect(form.textContent).toContain(sentence));
    expect(screen.getByRole('list', { name: 'Approvers' }).textContent).toContain('Maintainers');
    expect(form.textContent).not.toContain('deploy');
    becomes({ ...production(6, maintainers), name, tier: 'other', approvalRules: [{ ...ada, requiredApprovals: 2 }] });
    await waitFor(() => expect(form.textContent).toContain('publish to latest without approval.'));
    expect(screen.getByRole('list', { name: 'Publish without approval' }).textContent).toContain('Maintainers');
    expect(screen.getByRole('list', { name: 'Must approve' }).textContent).toContain('Ada');
  });

  it('shows the rules of an environment that was protected elsewhere while it was open as one that is not', async () => {
    const { becomes } = show(undefined);
    expect(await screen.findByText(/^Not protected: everyone with the Developer role/)).toBeTruthy();
    becomes(production(5, maintainers));
    expect(screen.getByRole('button', { name: 'Remove Maintainers' })).toBeTruthy();
  });

  it('keeps an edit of an environment whose protection was removed elsewhere until it is closed', async () => {
    const { becomes } = show(production(5, maintainers, ada));
    press('Remove Ada Lovelace');
    becomes(undefined);
    expect(screen.getByText('No longer protected')).toBeTruthy();
    press('Close');
    expect(await screen.findByText(/^Not protected: everyone/)).toBeTruthy();
  });

  it('shows why the server refuses, and keeps what was entered', async () => {
    show(production(5, maintainers, ada));
    press('Remove Maintainers');
    const messages = ['Deploy access levels user 7 does not have Developer access to the project'];
    call.mockResolvedValueOnce({ ok: false, error: { code: 'unprocessable', message: 'No.', details: { messages } } });
    press('Save');
    expect((await screen.findByRole('alert')).textContent).toContain(messages[0]);
    expect(screen.getByRole('status').textContent).toBe('Removes Maintainers.');
    press('Discard');
  });
});
