import { CheckIcon, type SelectProps } from '@mantine/core';
import { Fragment } from 'react';

/** An option of a select whose label may be a path, which breaks after its slashes. */
export const renderPathOption: NonNullable<SelectProps['renderOption']> = ({ option: { label }, checked = false }) => (
  <>
    <span>
      {label.split(/(?<=\/)/).map((part, index) => (
        <Fragment key={`${index} ${part}`}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </span>
    {checked ? <CheckIcon size={11} style={{ flex: 'none' }} /> : null}
  </>
);
