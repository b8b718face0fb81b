import { NumberInput } from '@mantine/core';
import type { ProjectDetail } from '../../../server/contract/directory.ts';
import { publishAgeMethods } from '../../../server/contract/npm.ts';
import { useCall } from '../../api/call.ts';
import { usePublishAge } from '../../api/packages.ts';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback/notice.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';

interface PublishAgeDialogProps {
  project: ProjectDetail;
  onClose: () => void;
}

/** By how much clients see the publish times of a project backdated. */
export function PublishAgeDialog({ project, onClose }: PublishAgeDialogProps) {
  const age = usePublishAge(project.id);
  if (age.data !== undefined) return <PublishAgeForm project={project} hours={age.data} onClose={onClose} />;
  return age.error ? <ErrorNotice error={age.error} /> : null;
}

function PublishAgeForm({ project, hours, onClose }: PublishAgeDialogProps & { hours: number }) {
  const save = useCall('publishAge.set', { handlesErrors: true });
  const form = useSchemaForm<{ hours: number | string }>(
    publishAgeMethods['publishAge.set'].input,
    { hours },
    {
      toInput: ({ hours: typed }) => ({ projectId: project.id, hours: typed === '' ? '' : Number(typed) }),
      required: { hours: 'Enter a number of hours.' },
    },
  );
  const typed = form.values.hours;
  return (
    <FormDialog
      opened
      title={`Publish times of ${project.fullPath}`}
      action="Save"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={form.submit((values) =>
        save.mutate({ projectId: project.id, hours: Number(values.hours) }, { onSuccess: onClose }),
      )}
    >
      <NumberInput
        label="Backdate publish times by"
        description="For clients that refuse new versions: npm with min-release-age, pnpm with minimumReleaseAge."
        data-autofocus
        suffix=" hours"
        min={0}
        max={87_840}
        {...form.getInputProps('hours')}
      />
      {Number(typed) > 0 ? <Notice>This window always shows the real times.</Notice> : null}
    </FormDialog>
  );
}
