import type { Job, ScheduleStatus } from '../../../server/contract/maintenance.ts';

/** When everything was last written to an archive, by the clock or by hand since the start; undefined if nobody knows of one. */
export function lastBackupOf(
  schedule: Pick<ScheduleStatus, 'archives'> | undefined,
  jobs: readonly Pick<Job, 'backup'>[] | undefined,
): number | undefined {
  const times = [
    ...(schedule?.archives ?? []).map((archive) => archive.createdAt),
    ...(jobs ?? []).flatMap((job) => (job.backup === null ? [] : [job.backup.createdAt])),
  ];
  return times.length === 0 ? undefined : Math.max(...times);
}
