import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { MemberEntry } from '../../../server/contract/directory.ts';
import type { DeployAccess, EnvironmentAccess } from '../../../server/contract/environments.ts';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { AccessGrid, accessRows } from './access-grid.tsx';

vi.mock('@tanstack/react-router', () => ({ Link: () => null }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const person = (id: number, name: string) => ({ id, username: name.toLowerCase(), name });
const may = (user: DeployAccess['user'], allowed = true): DeployAccess => ({ user, allowed, reason: '', rule: null });
const environment = (name: string, ...users: DeployAccess[]): EnvironmentAccess => ({
  environment: name,
  protected: true,
  tier: 'other',
  users,
});

it('has a row for every member and for every administrator who is none', () => {
  const [root, ada, grace] = [person(1, 'Root'), person(2, 'Ada'), person(3, 'Grace')] as const;
  const members = [ada, grace].map((user) => ({ user }) as unknown as MemberEntry);
  const rows = accessRows([environment('production', may(root)), environment('staging', may(root), may(ada))], members);
  expect(rows.map((row) => [row.user.name, row.allowed])).toEqual([
    ['Ada', [false, true]],
    ['Grace', [false, false]],
    ['Root', [true, true]],
  ]);
});

it('explains the cell that was chosen before it was left, and tells of the one that the pointer leaves', async () => {
  const [ada, grace] = [person(2, 'Ada'), person(3, 'Grace')] as const;
  const answers: Record<string, unknown> = {
    'environments.access': [environment('production', may(ada)), environment('staging', may(ada), may(grace, false))],
    'directory.members': [ada, grace].map((user) => ({ user })),
    'environments.decide': { ...may(grace, false), reason: 'No rule allows it.' },
  };
  const call = vi.fn<(method: string, params: unknown) => Promise<unknown>>((method) =>
    Promise.resolve({ ok: true, value: answers[method] ?? [] }),
  );
  vi.stubGlobal('gatehouse', { call });
  HTMLElement.prototype.scrollIntoView = () => undefined;
  const choose = vi.fn<(cell: unknown) => void>();
  renderInWindow(
    <AccessGrid projectId={1} chosen={{ user: 3, environment: 'staging' }} onChoose={choose} action={null} />,
  );
  const cell = await screen.findByRole('button', { name: 'Grace may not deploy to staging' });
  expect(cell.dataset['explained']).toBe('true');
  expect(cell.tabIndex).toBe(0);
  // A dash was taken for missing data.
  expect(cell.querySelector('.tabler-icon-x')).not.toBeNull();
  const other = screen.getByRole('button', { name: 'Ada may deploy to production' });
  fireEvent.mouseEnter(other);
  expect(choose).not.toHaveBeenCalled();
  const body = other.closest('tbody');
  if (body === null) throw new Error('The cell is in no table');
  fireEvent.mouseLeave(body);
  expect(choose).toHaveBeenCalledExactlyOnceWith({ user: 2, environment: 'production' });
  fireEvent.focus(cell);
  expect(choose).toHaveBeenLastCalledWith({ user: 3, environment: 'staging' });
});

it('had a column for what only keeps the approvers of tags, to which nothing is deployed', async () => {
  const ada = person(2, 'Ada');
  const answers: Record<string, unknown> = {
    'environments.access': ['production', 'tag-approvers', 'tag-approvers-2'].map((name) =>
      environment(name, may(ada)),
    ),
    'directory.members': [{ user: ada }],
    'guards.list': { onRefusal: 'stage', guards: [{ pattern: 'latest', environment: 'tag-approvers' }], tags: [] },
    'environments.decide': may(ada),
  };
  vi.stubGlobal('gatehouse', {
    call: (method: string) => Promise.resolve({ ok: true, value: answers[method] ?? [] }),
  });
  HTMLElement.prototype.scrollIntoView = () => undefined;
  const none = { user: undefined, environment: undefined };
  renderInWindow(<AccessGrid projectId={1} chosen={none} onChoose={() => undefined} action={null} />);
  await screen.findByRole('button', { name: 'Ada may deploy to production' });
  // One that guards no tag is an environment like any other.
  expect(
    screen.getAllByRole('button', { name: /^Ada may deploy to / }).map((cell) => cell.getAttribute('aria-label')),
  ).toEqual(['Ada may deploy to production', 'Ada may deploy to tag-approvers-2']);
});
