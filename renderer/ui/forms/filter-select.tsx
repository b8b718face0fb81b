import { Select } from '@mantine/core';
import { namesDropdown, shownClearButton } from '../theme/theme.ts';
import { renderPathOption } from './path-option.tsx';

export interface FilterSelectProps {
  /** For screen readers: "Project". */
  label: string;
  /** Shown while nothing is chosen, and the name of the clear button: "All projects". */
  all: string;
  data: { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  /** In pixels. */
  width: number;
}

/** What `search-field.tsx` loads after the first paint, hence the default export; it can be typed into when it is long. */
export default function FilterSelect({ label, all, data, value, onChange, width }: FilterSelectProps) {
  return (
    <Select
      {...namesDropdown}
      aria-label={label}
      placeholder={all}
      clearable
      searchable={data.length > 8}
      w={width}
      renderOption={renderPathOption}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      clearButtonProps={{ ...shownClearButton, 'aria-label': all }}
    />
  );
}
