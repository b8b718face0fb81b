import { useCallback, useState } from 'react';

interface ShownJob {
  id: number;
  kind?: string;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  startedAt: number;
}

/** Until the window closes. Ids begin anew with the registry. */
const dismissed = new Set<string>();
const keyOfJob = ({ id, startedAt }: ShownJob): string => `${id} ${startedAt}`;

/**
 * The jobs that are worth a card, of a list that has the newest first: those that run, those that ended with a problem, and the last
 * one of each kind that ended. One that was dismissed does not come back.
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
  const isNewest = (job: J): boolean =>
    job === jobs.find(({ state, kind }) => state !== 'running' && kind === job.kind);
  const shown = jobs.filter(
    (job) =>
      job.state === 'running' ||
      (!dismissed.has(keyOfJob(job)) && (isNewest(job) || job.state === 'failed' || hasProblems(job))),
  );
  return { shown, dismiss };
}
