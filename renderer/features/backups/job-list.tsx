import { Button, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { Job } from '../../../server/contract/maintenance.ts';
import { useCall } from '../../api/call.ts';
import { useJobs } from '../../api/maintenance.ts';
import { Moment } from '../../ui/moment.tsx';
import { jobName, jobOutcome, jobProgress } from './job-text.ts';

const shown = 4;

/** What is being done to the store, and how the last things ended. Leaving the screen stops nothing. */
export function JobList() {
  const { data: jobs = [] } = useJobs();
  if (jobs.length === 0) return null;
  return (
    <section className="gh-jobs" aria-label="Jobs">
      {jobs.slice(0, shown).map((job) => (
        <JobCard key={job.id} job={job} />
      ))}
    </section>
  );
}

function JobCard({ job }: { job: Job }) {
  const cancel = useCall('maintenance.cancel');
  const repair = useCall('maintenance.doctor');
  const findings = job.report?.findings ?? [];
  const repairable = job.report?.repaired === false && findings.some((finding) => finding.repair === 'possible');
  const ill = job.state === 'failed' || job.report?.healthy === false;
  return (
    <article className="gh-job" aria-label={jobName(job)}>
      <div className="gh-row">
        {job.state === 'running' ? null : ill ? (
          <IconAlertTriangle size={16} color="var(--gh-danger)" aria-hidden="true" />
        ) : (
          <IconCircleCheck size={16} color="var(--gh-accent)" aria-hidden="true" />
        )}
        <strong>{jobName(job)}</strong>
        <span className="gh-faint">
          <Moment time={job.finishedAt ?? job.startedAt} />
        </span>
        <span className="gh-spacer" />
        {job.state === 'running' ? (
          <Button variant="default" size="compact-xs" onClick={() => cancel.mutate({ job: job.id })}>
            Cancel
          </Button>
        ) : null}
        {repairable ? (
          <Button size="compact-xs" loading={repair.isPending} onClick={() => repair.mutate({ repair: true })}>
            Repair
          </Button>
        ) : null}
      </div>
      {job.state === 'running' ? (
        <Progress
          value={jobProgress(job) ?? 100}
          animated={jobProgress(job) === undefined}
          aria-label={jobName(job)}
          size={6}
        />
      ) : null}
      <div className="gh-muted">{jobOutcome(job)}</div>
      {findings.length > 0 ? (
        <ul>
          {findings.slice(0, 20).map((finding) => (
            <li key={`${finding.kind} ${finding.subject}`}>{finding.text}</li>
          ))}
        </ul>
      ) : null}
    </article>
  );
}
