import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { useCall } from '../../api/call.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

interface DeprecateDialogProps {
  packageId: number;
  /** What is deprecated, as a person calls it. */
  subject: string;
  versions: string[];
  /** The message that is there now. */
  message: string;
  onClose: () => void;
}

/** Asks for what npm is to tell whoever installs these versions. */
export function DeprecateDialog({ packageId, subject, versions, message, onClose }: DeprecateDialogProps) {
  const [text, setText] = useState(message);
  const deprecate = useCall('packages.deprecate', { handlesErrors: true });
  return (
    <FormDialog
      opened
      title={`Deprecate ${subject}`}
      action={text.trim() === '' && message !== '' ? 'Lift the deprecation' : 'Deprecate'}
      busy={deprecate.isPending}
      error={deprecate.error}
      disabled={text.trim() === message.trim()}
      onClose={onClose}
      onSubmit={() => deprecate.mutate({ packageId, versions, message: text.trim() }, { onSuccess: onClose })}
    >
      <Textarea
        label="Message"
        description="npm shows it to whoever installs. It stays installable. Leave it empty to lift the deprecation."
        placeholder="Use 2.x instead."
        data-autofocus
        autosize
        minRows={2}
        maxLength={1024}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
