import { Button, NumberInput, Switch } from '@mantine/core';
import { useState } from 'react';
import type { ScheduleStatus } from '../../../server/contract/maintenance.ts';
import { useCall } from '../../api/call.ts';
import { useBackupSchedule } from '../../api/maintenance.ts';
import { chooseFile, chooseNewFile } from '../../api/app.ts';
import { ask } from '../../ui/ask.tsx';
import { formatBytes } from '../../ui/format.ts';
import { Moment } from '../../ui/moment.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { PathField } from '../../ui/path-field.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TailText } from '../../ui/tail-text.tsx';

const extensions = ['backup'] as const;

/** "gatehouse-2027-01-31.backup". */
function archiveName(now: Date): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `gatehouse-${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}.backup`;
}

/** Archives with everything in one file: made now or by the clock, and put back. */
export function Archives() {
  const schedule = useBackupSchedule();
  const backup = useCall('maintenance.backup', { handlesErrors: true });
  const restore = useCall('maintenance.restore', { handlesErrors: true });
  const putBack = (from: string) =>
    ask({
      title: 'Put this backup in the place of everything?',
      consequence: `The registry becomes what ${from} holds. The present state is kept as a snapshot first.`,
      action: 'Restore',
      run: () => restore.mutate({ file: from }),
    });
  const error = backup.error ?? restore.error ?? schedule.error;
  return (
    <section aria-labelledby="backups-archives">
      <h2 id="backups-archives">Backups</h2>
      <p>
        One file with everything, taken while the registry serves, read back before it counts. Keep it on another disk.
      </p>
      <div className="gh-form-row">
        <Button
          variant="default"
          loading={backup.isPending}
          onClick={() =>
            void chooseNewFile({ title: 'Back up to', suggestedName: archiveName(new Date()), extensions }).then(
              (file) => file !== null && backup.mutate({ file }),
            )
          }
        >
          Back up…
        </Button>
        <Button
          variant="default"
          loading={restore.isPending}
          onClick={() =>
            void chooseFile({ title: 'Restore from', extensions }).then((file) => file !== null && putBack(file))
          }
        >
          Restore…
        </Button>
      </div>
      {error ? <ErrorNotice error={error} /> : null}
      {schedule.data ? (
        <>
          <Schedule key={JSON.stringify([schedule.data.folder, schedule.data.enabled])} schedule={schedule.data} />
          {schedule.data.archives.length > 0 ? (
            <ul className="gh-backup-list" aria-label="Backups by the clock">
              {schedule.data.archives.map((archive) => (
                <li key={archive.file}>
                  <span className="gh-mono gh-truncate">
                    <TailText text={archive.file} tail={archive.file.length - archive.file.lastIndexOf('/')} />
                  </span>
                  <span className="gh-spacer" />
                  <span className="gh-muted">{formatBytes(archive.size)}</span>
                  <span className="gh-muted">
                    <Moment time={archive.createdAt} />
                  </span>
                  <RowMenu name={archive.file} actions={[{ label: 'Restore…', run: () => putBack(archive.file) }]} />
                </li>
              ))}
            </ul>
          ) : null}
        </>
      ) : null}
    </section>
  );
}

function Schedule({ schedule }: { schedule: ScheduleStatus }) {
  const save = useCall('maintenance.setSchedule', { handlesErrors: true });
  const [enabled, setEnabled] = useState(schedule.enabled);
  const [folder, setFolder] = useState(schedule.folder);
  const [everyHours, setEveryHours] = useState<number | string>(schedule.everyHours);
  const [keep, setKeep] = useState<number | string>(schedule.keep);
  return (
    <form
      className="gh-schedule"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ enabled, folder: folder.trim(), everyHours: Number(everyHours), keep: Number(keep) });
      }}
    >
      <Switch
        label="Back up by the clock"
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      <div className="gh-form-row">
        <PathField
          label="Into the folder"
          placeholder="/media/usb/backups"
          kind="folder"
          request={{ title: 'The folder of the backups' }}
          value={folder}
          onChange={setFolder}
        />
        <NumberInput
          label="Every"
          w={104}
          min={1}
          max={744}
          allowDecimal={false}
          suffix={Number(everyHours) === 1 ? ' hour' : ' hours'}
          value={everyHours}
          onChange={setEveryHours}
        />
        <NumberInput
          label="Keep"
          w={104}
          min={1}
          max={1000}
          allowDecimal={false}
          suffix=" newest"
          value={keep}
          onChange={setKeep}
        />
        <Button type="submit" variant="default" loading={save.isPending} disabled={enabled && folder.trim() === ''}>
          Save
        </Button>
      </div>
      {save.error ? <ErrorNotice error={save.error} /> : null}
      {schedule.lastError === null ? null : (
        <Notice tone="warn" title="The last one failed">
          {schedule.lastError}
        </Notice>
      )}
    </form>
  );
}
