import { useMutation, useQuery } from '@tanstack/react-query';
import type { MethodName, MethodParams, MethodResult } from '../../server/contract/methods.ts';
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

type MaintenanceMethod = Extract<MethodName, `maintenance.${string}`>;

/** Starts or changes something about backups, snapshots and checks. */
export function useMaintenance<M extends MaintenanceMethod>(method: M, options: { handlesErrors?: boolean } = {}) {
  return useMutation<MethodResult<M>, Error, MethodParams<M>>({
    meta: { handlesErrors: options.handlesErrors === true },
    mutationFn: (params) => call(method, params),
  });
}
