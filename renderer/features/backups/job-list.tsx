import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Job } from '../../../server/contract/maintenance.ts';
import { showBackup } from '../../api/app.ts';
import { useCall } from '../../api/call.ts';
import { useJobs } from '../../api/maintenance.ts';
import { formatBytes, plural } from '../../ui/text/format.ts';
import { JobCard } from '../../ui/feedback/job-card.tsx';
import { useShownJobs } from '../../ui/feedback/shown-jobs.ts';

/** Running jobs and how the last ones ended. Leaving the screen stops nothing. */
export function JobList() {
  const { data: jobs = [] } = useJobs();
  const { mutate: cancel } = useCall('maintenance.cancel');
  const repair = useCall('maintenance.doctor');
  const { mutate: show } = useMutation({ mutationFn: showBackup });
  // A snapshot that was taken stands in its list. What the schedule does, too, and its errors beside it: nobody waits for its card.
  const notable = jobs.filter((job) => !job.scheduled && (job.kind !== 'snapshot' || job.state !== 'done'));
  const { shown, dismiss } = useShownJobs(notable, isUnhealthy);
  if (shown.length === 0) return null;
  const actionOf = (job: Job) => {
    const { kind, backup } = job;
    if (kind === 'backup' && backup !== null)
      return (
        <Button variant="default" size="compact-xs" onClick={() => show(backup.file)}>
          Show in folder
        </Button>
      );
    return isRepairable(job) ? (
      <Button size="compact-xs" loading={repair.isPending} onClick={() => repair.mutate({ repair: true })}>
        Repair
      </Button>
    ) : null;
  };
  return (
    <section className="gh-jobs" aria-label="Jobs">
      {shown.map((job) => (
        <JobCard
          key={job.id}
          job={job}
          name={names[job.kind]}
          hasProblems={isUnhealthy(job)}
          progress={jobProgress(job)}
          outcome={jobOutcome(job)}
          problems={(job.report?.findings ?? []).map(({ kind, subject, text }) => ({
            key: `${kind} ${subject}`,
            text,
          }))}
          onCancel={() => cancel({ job: job.id })}
          onDismiss={() => dismiss(job)}
          action={actionOf(job)}
        />
      ))}
    </section>
  );
}

const names: Record<Job['kind'], string> = {
  doctor: 'Check',
  backup: 'Backup',
  restore: 'Backup restore',
  snapshot: 'Snapshot',
  rewind: 'Snapshot restore',
};

const isUnhealthy = (job: Job): boolean => job.report?.healthy === false;

function isRepairable({ report }: Job): boolean {
  return report?.repaired === false && report.findings.some((finding) => finding.repair === 'possible');
}

/** How far a running job is, in percent; undefined while the total is not known. */
export function jobProgress(job: Job): number | undefined {
  return job.total > 0 ? Math.min(100, (job.done / job.total) * 100) : undefined;
}

/** What a job is doing or how it ended, in a sentence. */
export function jobOutcome({ kind, state, phase, error, report, backup }: Job): string {
  if (state === 'running') return `${phase}…`;
  // What a check had repaired by then stays.
  if (state === 'cancelled') return kind === 'doctor' ? 'Cancelled.' : 'Cancelled. Nothing was changed.';
  if (state === 'failed') return error ?? 'It failed.';
  if (report) {
    const { checked, findings, healthy } = report;
    const seen = `${plural(checked.versions, 'version')}, ${formatBytes(checked.bytes)} checked.`;
    if (findings.length === 0) return `No problems found. ${seen}`;
    return healthy ? `No problems left. ${seen}` : `${plural(findings.length, 'problem')} found. ${seen}`;
  }
  if (kind === 'backup' && backup) return `Written and verified, with ${plural(backup.versions, 'package version')}.`;
  if (kind === 'rewind' || kind === 'restore')
    return `Restored${backup ? ` ${backup.file}` : ''}. The previous state is kept as the snapshot “before-restore”.`;
  return 'Done.';
}
