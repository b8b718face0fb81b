import { Button, Group, TextInput } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import type { FileRequest } from '../../../server/contract/bridge.ts';
import { chooseFile, chooseFolder, chooseNewFile } from '../../api/app.ts';

const choosers = { folder: chooseFolder, file: chooseFile, 'new-file': chooseNewFile } as const;

interface PathFieldProps {
  label: string;
  description?: string;
  placeholder: string;
  kind: keyof typeof choosers;
  request: FileRequest;
  value: string;
  onChange: (path: string) => void;
}

/** A path on this machine: typed, pasted or chosen in the system's dialog. */
export function PathField({ label, description, placeholder, kind, request, value, onChange }: PathFieldProps) {
  return (
    <Group gap={8} align="end" wrap="nowrap" flex="1 1 300px" miw={0}>
      <TextInput
        flex={1}
        label={label}
        description={description}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button
        variant="default"
        aria-label={`Choose: ${label}`}
        leftSection={<IconFolderOpen size={14} aria-hidden="true" />}
        onClick={() =>
          void choosers[kind](request).then((path) => {
            if (path !== null) onChange(path);
          })
        }
      >
        Choose…
      </Button>
    </Group>
  );
}
