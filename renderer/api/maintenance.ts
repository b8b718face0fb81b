import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Running jobs and the last ones that ended, newest first; live. */
export function useJobs() {
  return useQuery({ queryKey: keys.maintenance.jobs, queryFn: () => call('maintenance.jobs', {}) });
}

/** States of the registry that can be gone back to, newest first. */
export function useSnapshots() {
  return useQuery({ queryKey: keys.maintenance.snapshots, queryFn: () => call('maintenance.snapshots', {}) });
}

/** When backups are made by themselves, and those that there are. */
export function useBackupSchedule() {
  return useQuery({ queryKey: keys.maintenance.schedule, queryFn: () => call('maintenance.schedule', {}) });
}
