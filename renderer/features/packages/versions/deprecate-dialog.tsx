import { Textarea } from '@mantine/core';
import { packageMethods } from '../../../../server/contract/packages.ts';
import { useCall } from '../../../api/call.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { useSchemaForm } from '../../../ui/forms/use-schema-form.ts';

interface DeprecateDialogProps {
  packageId: number;
  /** Name of what is deprecated, for the title. */
  subject: string;
  versions: string[];
  /** The present message; null where those of the versions differ. */
  message: string | null;
  onClose: () => void;
}

/** Deprecates versions with a message, or lifts their deprecation. */
export function DeprecateDialog({ packageId, subject, versions, message, onClose }: DeprecateDialogProps) {
  const deprecate = useCall('packages.deprecate', { handlesErrors: true });
  const toInput = (values: { message: string }) => ({ packageId, versions, message: values.message.trim() });
  const form = useSchemaForm(packageMethods['packages.deprecate'].input, { message: message ?? '' }, { toInput });
  const typed = form.values.message.trim();
  return (
    <FormDialog
      opened
      title={`Deprecate ${subject}`}
      action={typed === '' && message !== '' ? 'Remove the deprecation' : 'Deprecate'}
      busy={deprecate.isPending}
      error={deprecate.error}
      disabled={typed === message?.trim()}
      onClose={onClose}
      onSubmit={form.submit((values) => deprecate.mutate(toInput(values), { onSuccess: onClose }))}
    >
      <Textarea
        label="Message"
        description="npm shows it on install; the version stays installable. Leave empty to remove the deprecation."
        placeholder="Use 2.x instead."
        data-autofocus
        autosize
        minRows={2}
        maxLength={1024}
        {...form.getInputProps('message')}
      />
    </FormDialog>
  );
}
