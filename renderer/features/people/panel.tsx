import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ListPanel } from '../../ui/lists/list-panel.tsx';
import { SearchField } from '../../ui/forms/search-field.tsx';
import type { Sort } from '../../ui/lists/table-head.tsx';
import type { Column } from '../../ui/lists/virtual-table.tsx';
import { sortRows, type SortValues } from './sort-rows.ts';

interface PanelProps<Row> {
  /** In the plural: "users". */
  things: string;
  rows: readonly Row[] | undefined;
  error: Error | null;
  columns: readonly Column<Row>[];
  /** By the label of each column that can be sorted. */
  sortBy: SortValues<Row>;
  /** What the search looks at. */
  textOf: (row: Row) => string;
  /** Words that find what has exactly this one, in lower case: `@ann` is not `@annabel`. */
  exact?: { ids: readonly string[]; of: (row: Row) => string };
  /** The id of what was added here last: a search that does not find it ends. */
  added?: number | undefined;
  addLabel: string;
  /** `only` is the one of the exact words that is searched for. */
  onAdd: (only?: string) => void;
  onOpen?: (row: Row) => void;
}

/** A searchable list of the directory with the button that adds to it. */
export function Panel<Row extends { id: number }>(props: PanelProps<Row>) {
  const { things, rows, error, columns, sortBy, textOf, exact, added, addLabel, onAdd, onOpen } = props;
  const { q = '' } = useSearch({ from: '/people' });
  const [search, setSearch] = useState(q);
  const [sort, setSort] = useState<Sort>();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const only = exact?.ids.find((id) => words.length === 1 && words[0] === id);
  const shown = rows?.filter((row) =>
    words.every((word) =>
      exact?.ids.includes(word) ? exact.of(row) === word : textOf(row).toLowerCase().includes(word),
    ),
  );
  const has = (list: readonly Row[] | undefined) => list?.some(({ id }) => id === added) === true;
  const [seen, setSeen] = useState(added);
  if (seen !== added && has(rows)) {
    setSeen(added);
    if (!has(shown)) setSearch('');
  }
  return (
    <ListPanel
      bar={
        <>
          <SearchField label={`Search ${things}`} value={search} onChange={setSearch} />
          <span className="gh-spacer" />
          <Button
            data-command="new"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => onAdd(only)}
          >
            {addLabel}
          </Button>
        </>
      }
      what={`the ${things}`}
      error={error}
      empty={
        only !== undefined ? `${only} has no ${things}` : words.length > 0 ? `No ${things} match` : `No ${things} yet`
      }
      label={things.charAt(0).toUpperCase() + things.slice(1)}
      rows={shown && sortRows(shown, sortBy, sort)}
      columns={columns.map((column) => (Object.hasOwn(sortBy, column.key) ? { ...column, sortable: true } : column))}
      {...(sort === undefined ? {} : { sort })}
      onSort={setSort}
      rowKey={rowId}
      {...(onOpen ? { onOpen } : {})}
    />
  );
}

const rowId = ({ id }: { id: number }): number => id;
