import { Button, type ButtonProps } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { useShowDataFolder } from '../../api/app.ts';

/** Shows the data folder in the file manager. */
export function ShowFolderButton({ label = 'Show in folder', ...props }: ButtonProps & { label?: string }) {
  const { mutate: show } = useShowDataFolder();
  return (
    <Button
      variant="default"
      leftSection={<IconFolderOpen size={15} aria-hidden="true" />}
      onClick={() => show()}
      {...props}
    >
      {label}
    </Button>
  );
}
