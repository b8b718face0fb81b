import { Textarea } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { longestDeprecation } from '../../../../server/contract/constants.ts';
import { packageMethods, type PackageDetail, type PackageVersion } from '../../../../server/contract/packages.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';
import { isDeprecated, messagesOf, useDeprecate } from './use-deprecate.tsx';
import { VersionList } from './version-list.tsx';

interface DeprecateDialogProps {
  packageId: number;
  /** Name of what is deprecated, for the title. */
  subject: string;
  versions: readonly PackageVersion[];
  /** To list the versions with theirs; left out where the title says which versions they are. */
  tags?: PackageDetail['tags'];
  /** They were deprecated, or no longer are. */
  onDone?: (() => void) | undefined;
  onClose: () => void;
}

/** Deprecates versions with a message, or lifts their deprecation. */
export function DeprecateDialog({ packageId, subject, versions, tags, onDone, onClose }: DeprecateDialogProps) {
  const { deprecate, isPending, error } = useDeprecate(packageId, { handlesErrors: true });
  const present = new Set(versions.map(({ deprecated }) => deprecated ?? ''));
  // Null where those of the versions differ.
  const message = present.size === 1 ? ([...present][0] ?? '') : null;
  const toInput = (values: { message: string }) => ({
    packageId,
    messages: messagesOf(versions, values.message.trim()),
  });
  const form = useSchemaForm(
    packageMethods['packages.deprecate'].input,
    { message: message ?? '' },
    { toInput, fieldOf: { messages: 'message' }, required: message === '' ? { message: 'Enter a message.' } : {} },
  );
  const typed = form.values.message.trim();
  return (
    <FormDialog
      opened
      title={`${isDeprecated(versions) ? 'Change the deprecation of' : 'Deprecate'} ${subject}`}
      action={typed === '' && message !== '' ? 'Remove the deprecation' : isDeprecated(versions) ? 'Save' : 'Deprecate'}
      busy={isPending}
      error={error}
      onClose={onClose}
      onSubmit={form.submit(() => {
        if (typed === message) onClose();
        else
          deprecate({ subject, versions, message: typed }, () => {
            onClose();
            onDone?.();
          });
      })}
    >
      {tags === undefined ? null : (
        <VersionList label="Versions to deprecate" versions={versions.map(({ version }) => version)} tags={tags} />
      )}
      <Textarea
        label="Message"
        description={`Shown as a warning on install.${message === '' ? '' : ' Leave empty to remove the deprecation.'}`}
        placeholder="e.g. Use 2.x instead."
        data-autofocus
        autosize
        minRows={2}
        maxLength={longestDeprecation}
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
