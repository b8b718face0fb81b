import { Button } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useCall } from '../../api/call.ts';
import { Page } from '../../ui/page/page.tsx';
import { Archives } from './archives.tsx';
import { JobList } from './job-list.tsx';
import { Snapshots } from './snapshots.tsx';

/** Backups, snapshots, and a check of every byte. */
export function BackupsPage() {
  const check = useCall('maintenance.doctor');
  return (
    <Page
      title="Backups"
      actions={
        <Button
          data-command="check"
          variant="default"
          leftSection={<IconStethoscope size={15} aria-hidden="true" />}
          loading={check.isPending}
          onClick={() => check.mutate({ repair: false })}
        >
          Check the data
        </Button>
      }
    >
      <div className="gh-sections">
        <JobList />
        <Archives />
        <Snapshots />
      </div>
    </Page>
  );
}
