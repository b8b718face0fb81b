import { Button, Group, NumberInput, Select, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { scheduleChange, type ScheduleStatus } from '../../../server/contract/maintenance.ts';
import { showBackupFolder } from '../../api/app.ts';
import { useCall } from '../../api/call.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/notice.tsx';
import { PathField } from '../../ui/forms/path-field.tsx';
import { useSchemaForm } from '../../ui/forms/use-schema-form.ts';
import { formatHour, formatPlanned } from '../../ui/text/format.ts';

const hoursOfDay = 24;
const headingId = 'scheduled-backups';

/** Backups by the clock: set up, then turned on with a button, and off with another. */
export function BackupSchedule({ schedule }: { schedule: ScheduleStatus }) {
  const off = useCall('maintenance.setSchedule', { handlesErrors: true });
  const { mutate: show } = useMutation({ mutationFn: showBackupFolder });
  const [isSettingUp, setSettingUp] = useState(false);
  const setUp = useRef<HTMLButtonElement>(null);
  const { enabled, folder, everyHours, atHour, keep, lastAt, nextAt, lastError } = schedule;
  return (
    <Stack gap={12} mt={8} role="group" aria-labelledby={headingId}>
      <div className="gh-row">
        <strong id={headingId}>Scheduled backups</strong>
        <span className="gh-muted">
          {nextAt === null
            ? 'Off'
            : lastAt === null && everyHours % hoursOfDay > 0
              ? 'First within a minute'
              : `Next ${formatPlanned(nextAt)}`}
        </span>
        <span className="gh-spacer" />
        {enabled ? (
          <>
            <Button variant="default" onClick={() => show()}>
              Show in folder
            </Button>
            <Button
              variant="default"
              loading={off.isPending}
              onClick={() => off.mutate({ enabled: false, everyHours, atHour, keep })}
            >
              Turn off
            </Button>
          </>
        ) : isSettingUp ? null : (
          <Button ref={setUp} variant="default" onClick={() => setSettingUp(true)}>
            Set up…
          </Button>
        )}
      </div>
      {enabled || isSettingUp ? (
        <ScheduleForm
          key={`${enabled} ${folder}`}
          schedule={schedule}
          onSaved={() => setSettingUp(false)}
          onCancel={() => {
            flushSync(() => setSettingUp(false));
            setUp.current?.focus();
          }}
        />
      ) : null}
      {off.error ? <ErrorNotice error={off.error} /> : null}
      {lastError === null ? null : (
        <Notice tone="warn" title="The last scheduled backup failed">
          {lastError}
        </Notice>
      )}
    </Stack>
  );
}

/** How often, in hours. */
const intervals: Readonly<Record<number, string>> = {
  1: 'hour',
  6: '6 hours',
  12: '12 hours',
  24: 'day',
  168: '7 days',
};

const hourOptions = Array.from({ length: hoursOfDay }, (_, hour) => ({
  value: String(hour),
  label: formatHour(hour),
}));

interface ScheduleFormProps {
  schedule: ScheduleStatus;
  onSaved: () => void;
  onCancel: () => void;
}

function ScheduleForm({ schedule, onSaved, onCancel }: ScheduleFormProps) {
  const save = useCall('maintenance.setSchedule', { handlesErrors: true });
  const { enabled, folder } = schedule;
  const initial = {
    folder,
    everyHours: String(schedule.everyHours),
    atHour: String(schedule.atHour),
    keep: schedule.keep as number | string,
  };
  const toInput = (values: typeof initial) => ({
    enabled: true,
    // The page may only name a folder that was chosen here.
    ...(values.folder === folder ? {} : { folder: values.folder }),
    everyHours: Number(values.everyHours),
    atHour: Number(values.atHour),
    keep: Number(values.keep),
  });
  const form = useSchemaForm(scheduleChange, initial, { toInput });
  const offered = {
    ...intervals,
    [schedule.everyHours]: intervals[schedule.everyHours] ?? `${schedule.everyHours} hours`,
  };
  return (
    <form
      ref={enabled ? undefined : focusFolder}
      onSubmit={form.submit((values) =>
        save.mutate(toInput(values), {
          onSuccess: () => {
            form.resetDirty();
            onSaved();
            notifications.show({ message: enabled ? 'Saved the schedule of backups' : 'Turned on scheduled backups' });
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
        </div>
        <div className="gh-form-row">
          <Select
            label="Every"
            w={90}
            allowDeselect={false}
            data={Object.entries(offered).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('everyHours')}
          />
          {Number(form.values.everyHours) % hoursOfDay === 0 ? (
            <Select label="At" w={112} allowDeselect={false} data={hourOptions} {...form.getInputProps('atHour')} />
          ) : null}
          <NumberInput
            label="Keep"
            w={90}
            min={1}
            max={1000}
            allowDecimal={false}
            suffix=" newest"
            {...form.getInputProps('keep')}
          />
          {enabled ? (
            <Button type="submit" variant="default" disabled={!form.isDirty()} loading={save.isPending}>
              Save
            </Button>
          ) : (
            <Group gap={8} wrap="nowrap">
              <Button variant="default" onClick={onCancel}>
                Cancel
              </Button>
              <Button type="submit" loading={save.isPending}>
                Turn on
              </Button>
            </Group>
          )}
        </div>
        <div className="gh-muted gh-small">
          Older scheduled backups are deleted; those made by hand never are. A missed backup is made when Gatehouse runs
          again.
        </div>
        {save.error ? <ErrorNotice error={save.error} /> : null}
      </Stack>
    </form>
  );
}

/** The form opens where its button was, which had the focus. */
function focusFolder(form: HTMLFormElement | null): void {
  form?.querySelector('button')?.focus();
}
