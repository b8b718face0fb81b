import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { ProjectDetail } from '../../../server/contract/directory.ts';
import { useCall } from '../../api/call.ts';
import { usePublishAge } from '../../api/stages.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';

interface PublishAgeDialogProps {
  project: ProjectDetail;
  onClose: () => void;
}

/** By how much a project shows clients its publish times older than they are. */
export function PublishAgeDialog({ project, onClose }: PublishAgeDialogProps) {
  const age = usePublishAge(project.id);
  if (age.data !== undefined) return <PublishAgeForm project={project} hours={age.data} onClose={onClose} />;
  return age.error ? <ErrorNotice error={age.error} /> : null;
}

function PublishAgeForm({ project, hours, onClose }: PublishAgeDialogProps & { hours: number }) {
  const save = useCall('publishAge.set', { handlesErrors: true });
  const [typed, setTyped] = useState<number | string>(hours);
  return (
    <FormDialog
      opened
      title={`Publish times of ${project.fullPath}`}
      action="Save"
      busy={save.isPending}
      error={save.error}
      disabled={typed === ''}
      onClose={onClose}
      onSubmit={() => save.mutate({ projectId: project.id, hours: Number(typed) }, { onSuccess: onClose })}
    >
      <NumberInput
        label="Show clients a time older by"
        description="For clients that refuse fresh versions: npm with min-release-age, pnpm with minimumReleaseAge."
        data-autofocus
        suffix=" hours"
        min={0}
        max={87_840}
        value={typed}
        onChange={setTyped}
      />
      <Notice title={Number(typed) > 0 ? 'Clients see a time that is not true' : 'Clients see the real time'}>
        The real time of every publish is kept, and this window and the activity go on showing it. With 0, clients see
        it again.
      </Notice>
    </FormDialog>
  );
}
