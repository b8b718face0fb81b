import { IconBox } from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../api/query-client.ts';
import { commandEntries, rankEntries, useThings, type Entry } from './palette-entries.ts';

const navigate = vi.fn(() => Promise.resolve());
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }));

afterEach(() => vi.unstubAllGlobals());

function entry(title: string, kind: Entry['kind'], more: Partial<Entry> = {}): Entry {
  return {
    key: `${kind} ${title}`,
    title,
    kind,
    detail: '',
    keywords: '',
    icon: IconBox,
    run: () => undefined,
    ...more,
  };
}

const titles = (entries: readonly Entry[]) => entries.map(({ title }) => title);

it('lists what matches by title before what matches by keyword, whatever kind it is', () => {
  const entries = [
    entry('Connect', 'Go to', { keywords: 'npmrc token' }),
    entry('Create a token', 'Do'),
    entry('token-store', 'Package'),
  ];
  expect(titles(rankEntries(entries, 'token'))).toEqual(['token-store', 'Create a token', 'Connect']);
});

it('lists a few of each kind, so that thousands of packages do not hide a command', () => {
  const packages = Array.from({ length: 10_000 }, (_, index) => entry(`set-${index}`, 'Package'));
  const found = titles(rankEntries([...packages, entry('Resume a set', 'Do')], 'set'));
  expect(found).toHaveLength(7);
  expect(found.at(-1)).toBe('Resume a set');
});

it('lists no command that acts on what the screen happens to have', () => {
  const command = { title: 'Save', group: 'Do', icon: IconBox, keywords: '', run: () => undefined } as const;
  expect(commandEntries([{ ...command, id: 'save', keyOnly: true }])).toEqual([]);
});

it('finds what groups protect beside what projects do', async () => {
  const values: Record<string, (params: { projectId?: number }) => unknown> = {
    'directory.projects': () => [{ id: 1, fullPath: 'acme/app' }],
    'directory.groups': () => [{ id: 1, fullPath: 'acme' }],
    'environments.listProtected': ({ projectId }) => [
      { name: projectId === undefined ? 'production' : 'staging' },
      { name: 'tag-approvers' },
    ],
  };
  vi.stubGlobal('gatehouse', {
    call: (method: string, params: object) => Promise.resolve({ ok: true, value: values[method]?.(params) ?? [] }),
  });
  const client = createQueryClient(() => undefined);
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children);
  const { result } = renderHook(useThings, { initialProps: '', wrapper });
  const environments = () => result.current.filter(({ kind }) => kind === 'Environment');
  await waitFor(() => expect(environments()).toHaveLength(2));
  for (const { run } of environments()) run();
  expect(navigate).toHaveBeenCalledWith({ to: '/environments', search: { project: 1, name: 'staging' } });
  expect(navigate).toHaveBeenCalledWith({ to: '/environments', search: { groupId: 1, name: 'production' } });
});

it('finds packages by their descriptions, and by keywords that only the server knows', async () => {
  const packages = [
    { id: 1, name: 'lamp', latest: '1.0.0', description: 'Light at night' },
    { id: 2, name: 'kettle', latest: '1.0.0', description: 'Hot water' },
  ];
  const list = ({ search }: { search?: string }) => ({ packages: search === 'bulb' ? packages.slice(0, 1) : packages });
  vi.stubGlobal('gatehouse', {
    call: (method: string, params: object) =>
      Promise.resolve({ ok: true, value: method === 'packages.list' ? list(params) : [] }),
  });
  const client = createQueryClient(() => undefined);
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client }, children);
  const { result, rerender } = renderHook(useThings, { initialProps: '', wrapper });
  const found = (typed: string) => titles(rankEntries(result.current, typed));
  await waitFor(() => expect(found('night')).toEqual(['lamp']));
  expect(found('bulb')).toEqual([]);
  rerender('bulb');
  await waitFor(() => expect(found('bulb')).toEqual(['lamp']));
});
