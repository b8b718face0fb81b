import { Button, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleMinus } from '@tabler/icons-react';
import type { PrefetchJob } from '../../../server/contract/upstream.ts';
import { useCall } from '../../api/call.ts';
import { Moment } from '../../ui/moment.tsx';
import { prefetchOutcome, prefetchProgress } from './prefetch-text.ts';

const failuresShown = 20;

/** A prefetch with its progress, or how it ended and what is missing. */
export function PrefetchCard({ job }: { job: PrefetchJob }) {
  const cancel = useCall('upstream.cancelPrefetch');
  const progress = prefetchProgress(job);
  const ill = job.state === 'failed' || job.failures.length > 0;
  const more = job.failures.length - failuresShown;
  return (
    <article className="gh-job" aria-label={job.source}>
      <div className="gh-row">
        {job.state === 'running' ? null : ill ? (
          <IconAlertTriangle size={16} color="var(--gh-danger)" aria-hidden="true" />
        ) : job.state === 'cancelled' ? (
          <IconCircleMinus size={16} color="var(--gh-faint)" aria-hidden="true" />
        ) : (
          <IconCircleCheck size={16} color="var(--gh-accent)" aria-hidden="true" />
        )}
        <strong className="gh-mono gh-truncate">{job.source}</strong>
        <span className="gh-faint">
          <Moment time={job.finishedAt ?? job.startedAt} />
        </span>
        <span className="gh-spacer" />
        {job.state === 'running' ? (
          <Button variant="default" size="compact-xs" onClick={() => cancel.mutate({ jobId: job.id })}>
            Cancel
          </Button>
        ) : null}
      </div>
      {job.state === 'running' ? (
        <Progress value={progress ?? 100} animated={progress === undefined} aria-label={job.source} size={6} />
      ) : null}
      <div className="gh-muted" role="status">
        {prefetchOutcome(job)}
      </div>
      {job.failures.length > 0 ? (
        <ul>
          {job.failures.slice(0, failuresShown).map((failure) => (
            <li key={`${failure.name}@${failure.version}`}>
              <span className="gh-mono">
                {failure.name}@{failure.version}
              </span>
              : {failure.reason}
            </li>
          ))}
          {more > 0 ? <li>and {more} more</li> : null}
        </ul>
      ) : null}
    </article>
  );
}
