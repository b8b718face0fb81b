import { Button, CloseButton, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { namesDropdown, shownClearButton } from '../theme/theme.ts';

interface SearchFieldProps {
  /** For screen readers: "Search packages". */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Enter in a field that is not empty. */
  onEnter?: () => void;
  width?: number;
}

/**
 * The search field above a list: one per screen, found by the command "Find" (`data-command`). Escape clears it, arrow down moves to the
 * table. Filtering is the caller's: `useDeferredValue` for rows in memory, a debounced value for what the server searches.
 */
export function SearchField({ label, value, onChange, onEnter, width = 220 }: SearchFieldProps) {
  return (
    <TextInput
      className="gh-search"
      type="search"
      data-command="find"
      aria-label={label}
      placeholder="Search"
      w={width}
      leftSection={<IconSearch size={14} aria-hidden="true" />}
      rightSection={
        value === '' ? null : <CloseButton size="xs" aria-label="Clear the search" onClick={() => onChange('')} />
      }
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value !== '') onChange('');
        if (event.key === 'Enter' && value.trim() !== '') onEnter?.();
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        document.querySelector<HTMLElement>('.gh-table-row[tabindex="0"]')?.focus();
      }}
    />
  );
}

interface FilterSelectProps {
  /** For screen readers: "Project". */
  label: string;
  /** Shown while nothing is chosen, and the name of the clear button: "All projects". */
  all: string;
  data: { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  width?: number;
}

/** A choice beside the search field that narrows the list; it can be typed into when it is long. */
export function FilterSelect({ label, all, data, value, onChange, width = 180 }: FilterSelectProps) {
  return (
    <Select
      {...namesDropdown}
      aria-label={label}
      placeholder={all}
      clearable
      searchable={data.length > 8}
      w={width}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearButtonProps={{ ...shownClearButton, 'aria-label': all }}
    />
  );
}

/** In place of a list that the search or a filter left empty; `onReset` adds a button that shows everything again. */
export function NoMatch({ text, reset, onReset }: { text: string; reset?: string; onReset?: () => void }) {
  return (
    <div className="gh-no-match" role="status">
      <strong>{text}</strong>
      {onReset === undefined ? null : (
        <Button variant="default" onClick={onReset}>
          {reset ?? 'Show all'}
        </Button>
      )}
    </div>
  );
}
