import { Input, InputBase } from '@mantine/core';
import { IconFile, IconFolderOpen } from '@tabler/icons-react';
import type { FileRequest } from '../../../server/contract/bridge.ts';
import { chooseFile, chooseFolder } from '../../api/app.ts';
import type { ReactNode } from 'react';
import { TailText } from '../text/tail-text.tsx';
import type { requiredField } from './use-schema-form.ts';

const kinds = {
  folder: { choose: chooseFolder, prompt: 'Choose a folder…', Icon: IconFolderOpen },
  file: { choose: chooseFile, prompt: 'Choose a file…', Icon: IconFile },
} as const;

interface PathFieldProps {
  label: string;
  kind: keyof typeof kinds;
  request: FileRequest;
  /** Empty until one is chosen. */
  value: string;
  onChange: (path: string) => void;
  error?: ReactNode;
  /** As `useSchemaForm` gives them. */
  labelProps?: typeof requiredField.labelProps;
  'data-path'?: string;
  'aria-required'?: boolean;
}

/** A folder or file of this machine. The system's dialog is the only way to name one. */
export function PathField({ label, kind, request, value, onChange, ...field }: PathFieldProps) {
  // Only what is typed into can be said to be required.
  const { 'aria-required': _required, ...props } = field;
  const { choose, prompt, Icon } = kinds[kind];
  return (
    <InputBase
      component="button"
      size="xs"
      type="button"
      pointer
      flex="1 1 260px"
      miw={0}
      label={label}
      {...props}
      aria-label={`${label}: ${value === '' ? prompt : value}`}
      leftSection={<Icon size={14} aria-hidden="true" />}
      onClick={() =>
        void choose(request).then((path) => {
          if (path !== null) onChange(path);
        })
      }
    >
      {value === '' ? <Input.Placeholder>{prompt}</Input.Placeholder> : <TailText text={value} tail={32} />}
    </InputBase>
  );
}
