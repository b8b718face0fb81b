import { Button, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Pending } from '../../ui/pending.tsx';
import { VirtualTable, type Column } from '../../ui/virtual-table.tsx';
import '../../ui/tabbed.css';
import './people.css';

interface PanelProps<Row> {
  /** In the plural: "users". */
  things: string;
  rows: readonly Row[] | undefined;
  error: Error | null;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => number;
  /** What the search looks at. */
  textOf: (row: Row) => string;
  addLabel: string;
  onAdd: () => void;
  onOpen?: (row: Row) => void;
}

/** A list of the directory with its search and the button that adds to it. */
export function Panel<Row>({ things, rows, error, columns, rowKey, textOf, addLabel, onAdd, onOpen }: PanelProps<Row>) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows?.filter((row) => words.every((word) => textOf(row).toLowerCase().includes(word)));
  return (
    <>
      <div className="gh-panel-bar">
        <TextInput
          type="search"
          data-find
          aria-label={`Search ${things}`}
          placeholder="Search"
          w={220}
          leftSection={<IconSearch size={14} aria-hidden="true" />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <span className="gh-spacer" />
        <Button leftSection={<IconPlus size={14} aria-hidden="true" />} onClick={onAdd}>
          {addLabel}
        </Button>
      </div>
      <div className="gh-panel-body">
        {error || shown === undefined ? (
          <Pending what={`the ${things}`} error={error} />
        ) : shown.length === 0 ? (
          <div className="gh-no-match" role="status">
            <strong>{words.length > 0 ? `No ${things} match` : `No ${things} yet`}</strong>
          </div>
        ) : (
          <VirtualTable
            label={things.charAt(0).toUpperCase() + things.slice(1)}
            rows={shown}
            columns={columns}
            rowKey={rowKey}
            {...(onOpen ? { onOpen } : {})}
          />
        )}
      </div>
    </>
  );
}
