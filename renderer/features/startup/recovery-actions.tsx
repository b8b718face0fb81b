import { Button } from '@mantine/core';
import { IconArchive, IconFolderSymlink, IconStethoscope } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppFailure, RecoveryProgress } from '../../../server/contract/bridge.ts';
import type { DoctorReport } from '../../../server/contract/maintenance.ts';
import { stopRecovery, useAppInfo, useDataFolderAction } from '../../api/app.ts';
import { useRecoverBackup, useRecoverSnapshot, useRecoverySnapshots, useRepairData } from '../../api/recovery.ts';
import { ErrorNotice, Notice } from '../../ui/feedback/notice.tsx';
import { said, showDataOutcome } from '../../ui/feedback/toast.tsx';
import { ShowFolderButton } from '../../ui/forms/show-folder-button.tsx';
import { formatCount, formatPercent, plural } from '../../ui/text/format.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { TailText } from '../../ui/text/tail-text.tsx';
import { offers, taskTitles } from './failure-titles.ts';
import { FromTo, RunningTask } from './running-task.tsx';
import '../../ui/lists/list.css';

interface RecoveryActionsProps {
  failure: AppFailure;
  retry: ReactNode;
  /** What runs already. */
  recovery: RecoveryProgress | undefined;
}

/**
 * Buttons for what the screen of a failure advises, and how the last one went; while one runs, only how far it is. It stays mounted
 * meanwhile, since it holds the outcome.
 */
export function RecoveryActions({ failure, retry, recovery }: RecoveryActionsProps) {
  const { data: info } = useAppInfo();
  const open = useDataFolderAction(
    'open',
    ({ from, to }) => {
      if (from !== to)
        showDataOutcome('Opened another data folder', `The registry is in ${to} now. ${from} stays as it is.`);
    },
    { handlesErrors: true },
  );
  const backup = useRecoverBackup(({ from, to }) =>
    showDataOutcome('Restored the backup', `The registry is in ${to} now. ${from} stays as it is.`),
  );
  const repair = useRepairData();
  const snapshot = useRecoverSnapshot((name, { to }) =>
    showDataOutcome(
      said`Restored the snapshot ${name}`,
      `The damaged database is kept in the folder “quarantine” of ${to}.`,
    ),
  );
  // Another folder could not be used: the environment names this one at each start.
  const isFixed = info?.dataDirIsFixed === true;
  const { error } = [open, backup, repair].reduce((last, each) => (each.submittedAt > last.submittedAt ? each : last));
  if (recovery !== undefined) return <RunningRecovery recovery={recovery} />;
  return (
    <>
      <div className="gh-startup-actions">
        {offers(failure, 'repair') ? (
          <div className="gh-startup-group">
            {retry}
            <ActionButton label="Check and repair" icon={IconStethoscope} action={repair} />
          </div>
        ) : null}
        <div className="gh-startup-group">
          {offers(failure, 'repair') || offers(failure, 'snapshot') ? null : retry}
          {offers(failure, 'backup') && !isFixed ? (
            <ActionButton label="Restore a backup…" icon={IconArchive} action={backup} />
          ) : null}
          {offers(failure, 'otherFolder') && !isFixed ? (
            <ActionButton label="Use another folder…" icon={IconFolderSymlink} action={open} />
          ) : null}
          {offers(failure, 'snapshot') ? retry : null}
          {offers(failure, 'showFolder') ? <ShowFolderButton label="Show the data folder" /> : null}
        </div>
      </div>
      {offers(failure, 'otherFolder') && isFixed ? (
        <p className="gh-muted">
          <code>GATEHOUSE_DATA_DIR</code> sets the data folder. To use another one, or to restore a backup there, change
          it and start Gatehouse again.
        </p>
      ) : null}
      {error ? <ErrorNotice error={error} /> : null}
      {repair.data && !error ? <RepairResult report={repair.data} /> : null}
      {offers(failure, 'snapshot') ? <SnapshotChoice restore={snapshot} /> : null}
    </>
  );
}

interface ActionButtonProps {
  label: string;
  icon: typeof IconArchive;
  action: { isPending: boolean; mutate: () => void };
}

function ActionButton({ label, icon: Icon, action }: ActionButtonProps) {
  return (
    <Button
      variant="default"
      leftSection={<Icon size={15} aria-hidden="true" />}
      loading={action.isPending}
      onClick={() => action.mutate()}
    >
      {label}
    </Button>
  );
}

function RunningRecovery({ recovery: { task, step, percent, isStopping } }: { recovery: RecoveryProgress }) {
  return (
    <>
      {task.kind === 'backup' ? <FromTo from={task.file} to={task.folder} /> : null}
      {task.kind === 'snapshot' ? (
        <p className="gh-startup-cause">
          <strong>{task.name}</strong>
        </p>
      ) : null}
      <RunningTask
        name={taskTitles[task.kind]}
        percent={percent}
        status={
          isStopping ? 'Stopping…' : percent === null ? step || 'Starting…' : `${step}: ${formatPercent(percent)}`
        }
        cancelLabel="Cancel"
        isStopping={isStopping}
        onCancel={() => void stopRecovery()}
      />
    </>
  );
}

const findingsShown = 10;

function RepairResult({ report: { healthy, findings, checked } }: { report: DoctorReport }) {
  const lost = findings.filter((finding) => finding.repair === 'impossible').length;
  const title = healthy
    ? findings.length === 0
      ? 'No problems found'
      : `${plural(findings.length, 'problem')} found and repaired`
    : `${plural(lost === 0 ? findings.length : lost, 'problem')} could not be repaired`;
  return (
    <Notice tone={healthy ? 'done' : 'warn'} title={title}>
      Checked {plural(checked.versions, 'version')} and {plural(checked.tarballs, 'tarball')}.
      {findings.length === 0 ? null : (
        <ul style={{ margin: '4px 0 0', paddingLeft: 18 }}>
          {findings.slice(0, findingsShown).map(({ kind, subject, text }) => (
            <li key={`${kind} ${subject}`}>{text}</li>
          ))}
          {findings.length > findingsShown ? <li>and {formatCount(findings.length - findingsShown)} more</li> : null}
        </ul>
      )}
    </Notice>
  );
}

function SnapshotChoice({ restore }: { restore: ReturnType<typeof useRecoverSnapshot> }) {
  const { data: snapshots, error } = useRecoverySnapshots(true);
  const failed = error ?? restore.error;
  return (
    <section className="gh-startup-snapshots" aria-label="Snapshots">
      <h2>Snapshots</h2>
      {failed ? <ErrorNotice error={failed} /> : null}
      {snapshots?.length === 0 ? <p className="gh-muted">There is no snapshot of this registry.</p> : null}
      {snapshots === undefined || snapshots.length === 0 ? null : (
        <>
          <p className="gh-muted">A restore keeps the damaged database in the folder “quarantine”.</p>
          <ul className="gh-list">
            {snapshots.map(({ name, createdAt, packages, versions }, index) => (
              <li key={name}>
                <strong className="gh-truncate">
                  <TailText text={name} tail={14} />
                </strong>
                <span className="gh-spacer" />
                <span className="gh-faint gh-figures">
                  <Moment time={createdAt} />, {plural(packages, 'package')}, {plural(versions, 'version')}
                </span>
                <Button
                  variant={index === 0 ? 'filled' : 'default'}
                  size="compact-xs"
                  aria-label={`Restore ${name}`}
                  loading={restore.isPending && restore.variables === name}
                  onClick={() => restore.mutate(name)}
                >
                  Restore
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
