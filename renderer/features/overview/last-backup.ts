import type { Job, ScheduleStatus } from '../../../server/contract/maintenance.ts';

/** When the last backup was made, by the schedule or since the start by hand; undefined if there is none. */
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
