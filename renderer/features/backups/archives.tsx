import { Button, Group, NumberInput, Stack, Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { scheduleChange, type ScheduleStatus } from '../../../server/contract/maintenance.ts';
import { chooseFile, chooseNewFile, showBackup } from '../../api/app.ts';
import { useCall } from '../../api/call.ts';
import { useBackupSchedule } from '../../api/maintenance.ts';
import { ask } from '../../ui/feedback/ask.tsx';
import { formatBytes, nowForName } from '../../ui/text/format.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { ErrorNotice, Notice } from '../../ui/feedback/notice.tsx';
import { PathField } from '../../ui/forms/path-field.tsx';
import { RowMenu } from '../../ui/lists/row-menu.tsx';
import { Section } from '../../ui/page/section.tsx';
import { PathText } from '../../ui/text/path-text.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';

const extensions = ['backup'] as const;

/** Archives with everything in one file: made now or on a schedule, and restored. */
export function Archives() {
  const { data: schedule, error: scheduleError } = useBackupSchedule();
  const backup = useCall('maintenance.backup', { handlesErrors: true });
  const restore = useCall('maintenance.restore', { handlesErrors: true });
  const restoreArchive = useCall('maintenance.restoreArchive', { handlesErrors: true });
  const { mutate: show } = useMutation({ mutationFn: showBackup });
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
            Packages, tags, people and rules become those of the backup. The current state is kept as the snapshot
            “before-restore”.
          </div>
        </Stack>
      ),
      action: 'Restore',
      run,
    });
  const error = backup.error ?? restore.error ?? restoreArchive.error ?? scheduleError;
  return (
    <Section title="Backups" text="Everything in one file, made while the registry runs.">
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
        {schedule && schedule.archives.length > 0 ? (
          <ul className="gh-list" aria-label="Existing backups">
            {schedule.archives.map(({ file, size, createdAt }) => (
              <li key={file}>
                <span className="gh-mono gh-truncate">
                  <TailText text={file} tail={file.length - file.lastIndexOf('/')} />
                </span>
                <span className="gh-spacer" />
                <span className="gh-muted gh-figures">{formatBytes(size)}</span>
                <span className="gh-muted gh-figures">
                  <Moment time={createdAt} />
                </span>
                <RowMenu
                  name={file}
                  actions={[
                    { label: 'Show in folder', run: () => show(file) },
                    {
                      label: 'Restore…',
                      run: () => confirmRestore(file, () => restoreArchive.mutate({ archive: file }), createdAt),
                    },
                  ]}
                />
              </li>
            ))}
          </ul>
        ) : null}
        {schedule ? <Schedule schedule={schedule} /> : null}
      </Stack>
    </Section>
  );
}

/** The switch is saved at once; when and where, with a button. */
function Schedule({ schedule }: { schedule: ScheduleStatus }) {
  const save = useCall('maintenance.setSchedule', { handlesErrors: true });
  const { enabled, folder, everyHours, keep } = schedule;
  return (
    <Stack gap={12} mt={8}>
      <div className="gh-row">
        <Switch
          label="Scheduled backups"
          checked={save.isPending ? save.variables.enabled : enabled}
          onChange={(event) => save.mutate({ enabled: event.currentTarget.checked, everyHours, keep })}
        />
        {enabled && schedule.nextAt !== null ? (
          <span className="gh-muted">
            {schedule.lastAt === null ? (
              'The first within a minute'
            ) : (
              <>
                Next <Moment time={schedule.nextAt} />
              </>
            )}
          </span>
        ) : null}
      </div>
      {enabled ? <ScheduleForm key={folder} schedule={schedule} /> : null}
      {save.error ? <ErrorNotice error={save.error} /> : null}
      {schedule.lastError === null ? null : (
        <Notice tone="warn" title="The last scheduled backup failed">
          {schedule.lastError}
        </Notice>
      )}
    </Stack>
  );
}

function ScheduleForm({ schedule: { folder, everyHours, keep } }: { schedule: ScheduleStatus }) {
  const save = useCall('maintenance.setSchedule', { handlesErrors: true });
  const toInput = (values: { folder: string; everyHours: number | string; keep: number | string }) => ({
    enabled: true,
    // The page may only name a folder that was chosen here.
    ...(values.folder === folder ? {} : { folder: values.folder }),
    everyHours: Number(values.everyHours),
    keep: Number(values.keep),
  });
  const form = useSchemaForm<Parameters<typeof toInput>[0]>(scheduleChange, { folder, everyHours, keep }, { toInput });
  return (
    <form
      onSubmit={form.submit((values) =>
        save.mutate(toInput(values), {
          onSuccess: () => {
            form.resetDirty();
            notifications.show({ message: 'Saved the schedule of backups' });
          },
        }),
      )}
    >
      <Stack gap={12}>
        <div className="gh-form-row">
          <PathField
            label="Folder"
            kind="folder"
            request={{ title: 'Folder for backups' }}
            value={form.values.folder}
            onChange={(path) => form.setFieldValue('folder', path)}
          />
          <NumberInput
            label="Every"
            w={104}
            min={1}
            max={744}
            allowDecimal={false}
            suffix={Number(form.values.everyHours) === 1 ? ' hour' : ' hours'}
            {...form.getInputProps('everyHours')}
          />
          <NumberInput
            label="Keep"
            w={104}
            min={1}
            max={1000}
            allowDecimal={false}
            suffix=" newest"
            {...form.getInputProps('keep')}
          />
          <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
            Save
          </Button>
        </div>
        {save.error ? <ErrorNotice error={save.error} /> : null}
      </Stack>
    </form>
  );
}
