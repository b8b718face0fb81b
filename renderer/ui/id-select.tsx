import { Select, type SelectProps } from '@mantine/core';

interface Option {
  id: number;
  label: string;
}

interface IdSelectProps extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  options: readonly Option[] | undefined;
  value?: number | null | undefined;
  /** Called with null only where `clearable` or `allowDeselect` permits it. */
  onChange: (id: number | null) => void;
}

/** A select of things that have a number. */
export function IdSelect({ options = [], value, onChange, allowDeselect = false, ...props }: IdSelectProps) {
  return (
    <Select
      {...props}
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
