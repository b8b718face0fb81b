import { useMutation, useQuery } from '@tanstack/react-query';
import { unwrap } from './call.ts';

/** The snapshots of a registry that does not start, newest first. */
export function useRecoverySnapshots(enabled: boolean) {
  return useQuery({
    queryKey: ['app', 'recoverySnapshots'],
    queryFn: async () => unwrap(await window.gatehouse.app.recoverySnapshots()),
    enabled,
    staleTime: 0,
  });
}

/** Restores a snapshot of a registry that does not start, and starts it. */
export function useRecoverSnapshot() {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: async (name: string) => unwrap(await window.gatehouse.app.recoverSnapshot(name)),
  });
}

/** Restores a backup into a folder, both chosen in dialogs of the system, and starts the registry from there. */
export function useRecoverBackup() {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: async () => unwrap(await window.gatehouse.app.recoverBackup()),
  });
}

/** Checks and repairs the data of a registry that does not start. */
export function useRepairData() {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: async () => unwrap(await window.gatehouse.app.repairData()),
  });
}
