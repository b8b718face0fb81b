import { Textarea } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { packageMethods, type PackageVersion } from '../../../../server/contract/packages.ts';
import { useUndo } from '../../../api/activity.ts';
import { useCall } from '../../../api/call.ts';
import { showDone } from '../../../ui/feedback/toast.tsx';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';

interface DeprecateDialogProps {
  packageId: number;
  /** Name of what is deprecated, for the title. */
  subject: string;
  versions: readonly PackageVersion[];
  onClose: () => void;
}

/** Deprecates versions with a message, or lifts their deprecation. */
export function DeprecateDialog({ packageId, subject, versions, onClose }: DeprecateDialogProps) {
  const deprecate = useCall('packages.deprecate', { handlesErrors: true });
  const { mutate: undo } = useUndo();
  const present = new Set(versions.map(({ deprecated }) => deprecated ?? ''));
  // Null where those of the versions differ.
  const message = present.size === 1 ? ([...present][0] ?? '') : null;
  const toInput = (values: { message: string }) => ({
    packageId,
    versions: versions.map(({ version }) => version),
    message: values.message.trim(),
  });
  const form = useSchemaForm(
    packageMethods['packages.deprecate'].input,
    { message: message ?? '' },
    { toInput, required: message === '' ? { message: 'Enter a message.' } : {} },
  );
  const typed = form.values.message.trim();
  return (
    <FormDialog
      opened
      title={`Deprecate ${subject}`}
      action={typed === '' && message !== '' ? 'Remove the deprecation' : 'Deprecate'}
      busy={deprecate.isPending}
      error={deprecate.error}
      onClose={onClose}
      onSubmit={form.submit((values) => {
        if (typed === message) {
          onClose();
          return;
        }
        // Those that the change replaces.
        const messages = Object.fromEntries(versions.map(({ version, deprecated }) => [version, deprecated]));
        const verb =
          typed === '' ? 'Removed the deprecation of' : message ? 'Changed the deprecation of' : 'Deprecated';
        deprecate.mutate(toInput(values), {
          onSuccess: () => {
            onClose();
            showDone(`${verb} ${subject}`, `deprecation-${packageId}`, {
              label: 'Undo',
              run: () => undo({ kind: 'deprecate', packageId, messages }),
            });
          },
        });
      })}
    >
      <Textarea
        label="Message"
        description={`Shown as a warning on install.${message === '' ? '' : ' Leave empty to remove the deprecation.'}`}
        placeholder="e.g. Use 2.x instead."
        data-autofocus
        autosize
        minRows={2}
        maxLength={1024}
        onKeyDown={submitOnEnter}
        {...form.getInputProps('message')}
      />
    </FormDialog>
  );
}

/** npm prints the message as one line, so Enter has no other use; with Shift it still starts a line. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.currentTarget.form?.querySelector<HTMLButtonElement>('[type="submit"]:enabled')?.click();
}
