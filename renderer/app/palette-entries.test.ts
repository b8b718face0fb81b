import { IconBox } from '@tabler/icons-react';
import { expect, it } from 'vitest';
import { commandEntries, rankEntries, type Entry } from './palette-entries.ts';

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
