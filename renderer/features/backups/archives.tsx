import { Button, Group, Stack } from '@mantine/core';
import { IconFolderOpen, IconListDetails, IconRestore } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { chooseFile, chooseNewFile, showBackup } from '../../api/app.ts';
import { useCall } from '../../api/call.ts';
import { useBackupSchedule } from '../../api/maintenance.ts';
import { ask } from '../../ui/feedback/ask.tsx';
import { formatBytes, nowForName } from '../../ui/text/format.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { ErrorNotice } from '../../ui/feedback/notice.tsx';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import { Section } from '../../ui/page/section.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { BackupContents } from './backup-contents.tsx';
import { BackupSchedule } from './backup-schedule.tsx';

const extensions = ['backup'] as const;

/** Archives with everything in one file: made now or on a schedule, and restored. */
export function Archives() {
  const { data: schedule, error: scheduleError } = useBackupSchedule();
  const backup = useCall('maintenance.backup', { handlesErrors: true });
  const restore = useCall('maintenance.restore', { handlesErrors: true });
  const restoreArchive = useCall('maintenance.restoreArchive', { handlesErrors: true });
  const { mutate: show } = useMutation({ mutationFn: showBackup });
  const [opened, setOpened] = useState<string | null>(null);
  const chooseAndBackUp = async () => {
    const suggestedName = `gatehouse-${nowForName()}.backup`;
    const file = await chooseNewFile({ title: 'Back up to', suggestedName, extensions });
    // The dialog asks before a file is replaced.
    if (file !== null) backup.mutate({ file, replace: true });
  };
  const chooseAndRestore = async () => {
    // Older scheduled ones are called .tar.
    const file = await chooseFile({ title: 'Restore from', extensions: [...extensions, 'tar'] });
    if (file !== null) confirmRestore(file, () => restore.mutate({ file }));
  };
  const confirmRestore = (file: string, run: () => void, createdAt?: number) =>
    ask({
      title: 'Restore this backup?',
      consequence: (
        <Stack gap={8}>
          <div className="gh-mono">
            <PathText path={file} />
          </div>
          {createdAt === undefined ? null : (
            <div>
              Made <Moment time={createdAt} />.
            </div>
          )}
          <div>
            Packages, tags, people, tokens, rules and download counts become those of the backup. What is here now is
            kept as another snapshot, “before-restore”.
          </div>
        </Stack>
      ),
      action: 'Restore',
      run,
    });
  const error = backup.error ?? restore.error ?? restoreArchive.error ?? scheduleError;
  return (
    <Section
      title="Backup files"
      text={
        <>
          One file with everything: packages, people, passwords, tokens and the key that signs packages. Keep it
          elsewhere. For some packages only, export a{' '}
          <Link to="/upstream" search={{ tab: 'bundles' }}>
            bundle
          </Link>
          .
        </>
      }
    >
      <Stack gap={12}>
        <Group gap={8}>
          <Button
            data-command="back-up"
            variant="default"
            loading={backup.isPending}
            onClick={() => void chooseAndBackUp()}
          >
            Back up…
          </Button>
          <Button
            data-command="restore"
            variant="default"
            loading={restore.isPending}
            onClick={() => void chooseAndRestore()}
          >
            Restore…
          </Button>
        </Group>
        {error ? <ErrorNotice error={error} /> : null}
        {schedule?.archives.length === 0 ? <div className="gh-muted">No backups yet.</div> : null}
        {schedule && schedule.archives.length > 0 ? (
          <ul className="gh-list" aria-label="Existing backups">
            {schedule.archives.map(({ file, size, createdAt }) => (
              <li key={file}>
                <span className="gh-mono gh-truncate">
                  <TailText text={file} tail={file.length - Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\'))} />
                </span>
                <span className="gh-spacer" />
                <span className="gh-muted gh-figures">{formatBytes(size)}</span>
                <span className="gh-muted gh-figures">
                  <Moment time={createdAt} />
                </span>
                <RowMenu
                  name={file}
                  actions={[
                    { label: 'Show contents', icon: IconListDetails, run: () => setOpened(file) },
                    { label: 'Show in folder', icon: IconFolderOpen, run: () => show(file) },
                    {
                      label: 'Restore…',
                      icon: IconRestore,
                      run: () => confirmRestore(file, () => restoreArchive.mutate({ archive: file }), createdAt),
                    },
                  ]}
                />
              </li>
            ))}
          </ul>
        ) : null}
        {opened === null ? null : <BackupContents file={opened} onClose={() => setOpened(null)} />}
        {schedule ? <BackupSchedule schedule={schedule} /> : null}
      </Stack>
    </Section>
  );
}
