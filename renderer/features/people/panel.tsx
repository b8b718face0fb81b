import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Pending } from '../../ui/pending.tsx';
import { NoMatch, SearchField } from '../../ui/search-field.tsx';
import { VirtualTable, type Column } from '../../ui/virtual-table.tsx';
import '../../ui/tabbed.css';

interface PanelProps<Row> {
  /** In the plural: "users". */
  things: string;
  rows: readonly Row[] | undefined;
  error: Error | null;
  columns: readonly Column<Row>[];
  /** What the search looks at. */
  textOf: (row: Row) => string;
  addLabel: string;
  onAdd: () => void;
  onOpen?: (row: Row) => void;
}

/** A searchable list of the directory with the button that adds to it. */
export function Panel<Row extends { id: number }>(props: PanelProps<Row>) {
  const { things, rows, error, columns, textOf, addLabel, onAdd, onOpen } = props;
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows?.filter((row) => words.every((word) => textOf(row).toLowerCase().includes(word)));
  return (
    <>
      <div className="gh-panel-bar">
        <SearchField label={`Search ${things}`} value={search} onChange={setSearch} />
        <span className="gh-spacer" />
        <Button leftSection={<IconPlus size={14} aria-hidden="true" />} onClick={onAdd}>
          {addLabel}
        </Button>
      </div>
      <div className="gh-panel-body">
        {error || shown === undefined ? (
          <Pending what={`the ${things}`} error={error} />
        ) : shown.length === 0 ? (
          <NoMatch text={words.length > 0 ? `No ${things} match` : `No ${things} yet`} />
        ) : (
          <VirtualTable
            label={things.charAt(0).toUpperCase() + things.slice(1)}
            rows={shown}
            columns={columns}
            rowKey={rowId}
            {...(onOpen ? { onOpen } : {})}
          />
        )}
      </div>
    </>
  );
}

const rowId = ({ id }: { id: number }): number => id;
