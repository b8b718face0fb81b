import { useMutation, useQuery } from '@tanstack/react-query';
import { changeDataFolder, type FolderChange } from './app.ts';
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

/** Restores a snapshot of a registry that does not start, and starts it. `onDone` is called though its screen is gone by then. */
export function useRecoverSnapshot(onDone: (name: string, change: FolderChange) => void) {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: (name: string) => changeDataFolder(() => window.gatehouse.app.recoverSnapshot(name)),
    onSuccess: (change, name) => change !== null && onDone(name, change),
  });
}

/** Restores a backup into a folder, both chosen in dialogs of the system, and starts the registry from there. */
export function useRecoverBackup(onDone: (change: FolderChange) => void) {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: () => changeDataFolder(window.gatehouse.app.recoverBackup),
    onSuccess: (change) => change !== null && onDone(change),
  });
}

/** Checks and repairs the data of a registry that does not start. */
export function useRepairData() {
  return useMutation({
    meta: { handlesErrors: true },
    mutationFn: async () => unwrap(await window.gatehouse.app.repairData()),
  });
}
