import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderInWindow } from '../../test/render-in-window.tsx';
import { textColumn } from '../../ui/lists/columns.tsx';
import { Panel } from './panel.tsx';

vi.mock('@tanstack/react-router', () => ({ useSearch: () => ({ q: 'root' }) }));

afterEach(cleanup);

type Row = { id: number; name: string };
const root = { id: 1, name: 'root' };
const bob = { id: 2, name: 'bob' };

function panelOf(rows: readonly Row[], added?: number) {
  return (
    <Panel<Row>
      things="tokens"
      rows={rows}
      error={null}
      columns={[textColumn('Name', '1fr', ({ name }) => name)]}
      sortBy={{}}
      textOf={({ name }) => name}
      added={added}
      addLabel="Create a token"
      onAdd={() => undefined}
    />
  );
}

it('ends a search that would hide what was just added, and no later one', () => {
  const { rerender } = renderInWindow(panelOf([root]));
  const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search tokens' });
  expect(search.value).toBe('root');
  // Added, and not read yet.
  rerender(panelOf([root], bob.id));
  expect(search.value).toBe('root');
  rerender(panelOf([root, bob], bob.id));
  expect(search.value).toBe('');
  fireEvent.change(search, { target: { value: 'root' } });
  expect(search.value).toBe('root');
});

it('keeps a search that finds what was added', () => {
  const { rerender } = renderInWindow(panelOf([root]));
  rerender(panelOf([root, { id: 3, name: 'another of root' }], 3));
  const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search tokens' });
  expect(search.value).toBe('root');
  fireEvent.change(search, { target: { value: 'bob' } });
  expect(search.value).toBe('bob');
});
