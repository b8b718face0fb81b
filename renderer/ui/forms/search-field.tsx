import { Button, CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { latePart } from '../page/late-part.tsx';
import type { FilterSelectProps } from './filter-select.tsx';

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

const LateFilterSelect = latePart(() => import('./filter-select.tsx'));

/** A choice beside the search field that narrows the list. The first paint shows it, and it can be used after that. */
export function FilterSelect(props: FilterSelectProps) {
  const { label, all, data, value, width } = props;
  const chosen = data.find((option) => option.value === value)?.label ?? '';
  const field = <TextInput readOnly aria-label={label} placeholder={all} value={chosen} w={width} />;
  return <LateFilterSelect {...props} fallback={field} />;
}

interface NoMatchProps {
  text: string;
  detail?: string | undefined;
  reset?: string;
  onReset?: () => void;
}

/** In place of a list that has nothing to show; `detail` says what that means, `onReset` adds a button that shows everything again. */
export function NoMatch({ text, detail, reset, onReset }: NoMatchProps) {
  return (
    <div className="gh-no-match" role="status">
      <strong>{text}</strong>
      {detail}
      {onReset === undefined ? null : (
        <Button variant="default" onClick={onReset}>
          {reset ?? 'Show all'}
        </Button>
      )}
    </div>
  );
}
