import { Select, type SelectProps } from '@mantine/core';
import { useState } from 'react';
import { namesDropdown, shownClearButton } from '../theme/theme.ts';
import { matchRank } from './match-rank.ts';
import { renderPathOption } from './path-option.tsx';

interface Option {
  id: number;
  label: string;
}

export interface IdSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  options: readonly Option[] | undefined;
  value?: number | null | undefined;
  /** What no choice means, such as "All projects"; without it a choice cannot be cleared. */
  none?: string;
  /** What is offered, and done, where nothing matches what is typed. */
  missing?: { label: (typed: string) => string; run: (typed: string) => void };
  /** Called with null only with `none` or `allowDeselect`. */
  onChange: (id: number | null) => void;
}

/** A select of things that have a number; it can be typed into when it is long. */
export function IdSelect({
  options = [],
  value,
  none,
  missing,
  onChange,
  allowDeselect = false,
  ...props
}: IdSelectProps) {
  const [typed, setTyped] = useState('');
  const hasMatch = options.some(({ label }) => matchRank(typed, label) !== undefined);
  const added = missing !== undefined && typed.trim() !== '' && !hasMatch ? missing : undefined;
  return (
    <Select
      {...namesDropdown}
      {...(none === undefined
        ? {}
        : { placeholder: none, clearable: true, clearButtonProps: { ...shownClearButton, 'aria-label': none } })}
      searchable={options.length > 8}
      nothingFoundMessage="No match"
      renderOption={renderPathOption}
      {...props}
      onSearchChange={setTyped}
      onKeyDown={(event) => {
        // A form is not sent with the former choice while something else is typed.
        if (event.key === 'Enter' && !hasMatch) event.preventDefault();
      }}
      allowDeselect={allowDeselect}
      data={[
        ...options.map(({ id, label }) => ({ value: String(id), label })),
        ...(added === undefined ? [] : [{ value: 'missing', label: added.label(typed.trim()) }]),
      ]}
      value={value === null || value === undefined ? null : String(value)}
      onChange={(chosen) => {
        if (chosen === 'missing') added?.run(typed.trim());
        else onChange(chosen === null ? null : Number(chosen));
      }}
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
