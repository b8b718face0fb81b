import { useCallback, useState } from 'react';

interface ShownJob {
  id: number;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  startedAt: number;
}

/** Until the window closes. Ids begin anew with the registry. */
const dismissed = new Set<string>();
const keyOfJob = ({ id, startedAt }: ShownJob): string => `${id} ${startedAt}`;

/**
 * The jobs that are worth a card, of a list that has the newest first: those that run, those that ended with a problem, and the last
 * one that ended. One that was dismissed does not come back.
 */
export function useShownJobs<J extends ShownJob>(
  jobs: readonly J[],
  hasProblems: (job: J) => boolean,
): { shown: J[]; dismiss: (job: J) => void } {
  const [, redraw] = useState(0);
  const dismiss = useCallback((job: J) => {
    dismissed.add(keyOfJob(job));
    redraw((count) => count + 1);
  }, []);
  const newest = jobs.find((job) => job.state !== 'running');
  const shown = jobs.filter(
    (job) =>
      job.state === 'running' ||
      (!dismissed.has(keyOfJob(job)) && (job === newest || job.state === 'failed' || hasProblems(job))),
  );
  return { shown, dismiss };
}
