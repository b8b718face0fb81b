import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './notice.tsx';

interface FormDialogProps {
  opened: boolean;
  title: string;
  /** What the button says that carries it out. */
  action: string;
  busy?: boolean;
  /** What the server said against it. */
  error?: Error | null;
  disabled?: boolean;
  /** Width in pixels. */
  size?: number;
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
}

/** A dialog that asks for a few things and stays open, with the reason, if they are refused. */
export function FormDialog(props: FormDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} size={props.size ?? 440}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog is drawn inside the form that opened it as far as React's events are concerned.
          event.stopPropagation();
          props.onSubmit();
        }}
      >
        <Stack gap={12}>
          {props.children}
          {props.error ? <ErrorNotice error={props.error} /> : null}
          <Group justify="flex-end" gap={8} className="gh-dialog-footer">
            <Button variant="default" onClick={props.onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={props.busy === true} disabled={props.disabled === true}>
              {props.action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
