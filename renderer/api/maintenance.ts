import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Running jobs and the last ones that ended, newest first. */
export function useJobs() {
  return useQuery({ queryKey: keys.maintenance.jobs, queryFn: () => call('maintenance.jobs', {}) });
}

/** Snapshots of the registry, newest first. */
export function useSnapshots() {
  return useQuery({ queryKey: keys.maintenance.snapshots, queryFn: () => call('maintenance.snapshots', {}) });
}

/** The schedule of automatic backups, and the backups it made. */
export function useBackupSchedule() {
  return useQuery({ queryKey: keys.maintenance.schedule, queryFn: () => call('maintenance.schedule', {}) });
}
