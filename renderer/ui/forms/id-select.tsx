import { Select, type SelectProps } from '@mantine/core';
import { namesDropdown, shownClearButton } from '../theme/theme.ts';
import { matchRank } from './match-rank.ts';

interface Option {
  id: number;
  label: string;
}

interface IdSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  options: readonly Option[] | undefined;
  value?: number | null | undefined;
  /** What no choice means, such as "All projects"; without it a choice cannot be cleared. */
  none?: string;
  /** Called with null only with `none` or `allowDeselect`. */
  onChange: (id: number | null) => void;
}

/** A select of things that have a number; it can be typed into when it is long. */
export function IdSelect({ options = [], value, none, onChange, allowDeselect = false, ...props }: IdSelectProps) {
  return (
    <Select
      {...namesDropdown}
      {...(none === undefined
        ? {}
        : { placeholder: none, clearable: true, clearButtonProps: { ...shownClearButton, 'aria-label': none } })}
      searchable={options.length > 8}
      nothingFoundMessage="No match"
      {...props}
      onKeyDown={(event) => {
        // A form is not sent with the former choice while something else is typed.
        const typed = event.currentTarget instanceof HTMLInputElement ? event.currentTarget.value : '';
        const hasMatch = options.some(({ label }) => matchRank(typed, label) !== undefined);
        if (event.key === 'Enter' && !hasMatch) event.preventDefault();
      }}
      allowDeselect={allowDeselect}
      data={options.map(({ id, label }) => ({ value: String(id), label }))}
      value={value === null || value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? null : Number(chosen))}
    />
  );
}

/** A user as an option: names are not unique. */
export function userOption({ id, name, username }: { id: number; name: string; username: string }): Option {
  return { id, label: `${name} (@${username})` };
}

/** A project or group as an option. */
export function pathOption({ id, fullPath }: { id: number; fullPath: string }): Option {
  return { id, label: fullPath };
}
