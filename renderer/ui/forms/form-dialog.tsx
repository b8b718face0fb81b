import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../feedback/notice.tsx';

interface FormDialogProps {
  opened: boolean;
  title: string;
  /** Label of the button that submits. */
  action: string;
  busy?: boolean;
  /** Why the server refused. */
  error?: Error | null;
  /** Nothing was changed, or nothing can be. What is missing is said at its field when the form is sent. */
  disabled?: boolean;
  /** It deletes something. */
  danger?: boolean;
  /** Nothing needs to be filled in: Enter does it. */
  isFilled?: boolean;
  /** Width in pixels. */
  size?: number;
  onClose: () => void;
  onSubmit: () => void;
  children: ReactNode;
}

/** A dialog with a form. It stays open, with the reason, if the server refuses. */
export function FormDialog(props: FormDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      size={props.size ?? 440}
      // A press beside it does not lose what was typed or chosen.
      closeOnClickOutside={false}
    >
      <form
        className="gh-dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          // To React, the dialog is inside the form that opened it.
          event.stopPropagation();
          props.onSubmit();
        }}
      >
        <Stack gap={12} className="gh-dialog-scroll">
          {props.children}
          {props.error ? (
            <div key={props.error.message} ref={intoView}>
              <ErrorNotice error={props.error} />
            </div>
          ) : null}
        </Stack>
        <Group justify="flex-end" gap={8} className="gh-dialog-footer">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            data-autofocus={props.isFilled || undefined}
            {...(props.danger === true && { color: 'red' })}
            loading={props.busy === true}
            disabled={props.disabled === true}
          >
            {props.action}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** In a dialog that scrolls, the reason would come behind the buttons. */
function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
