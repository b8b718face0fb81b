import { Button, type ButtonProps } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { showDataFolder } from '../../api/app.ts';

/** Shows the data folder in the file manager. */
export function ShowFolderButton({ label = 'Show', ...props }: ButtonProps & { label?: string }) {
  return (
    <Button
      variant="default"
      leftSection={<IconFolderOpen size={15} aria-hidden="true" />}
      onClick={() => void showDataFolder()}
      {...props}
    >
      {label}
    </Button>
  );
}
