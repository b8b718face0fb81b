import { useQuery } from '@tanstack/react-query';
import type { UpdateState } from '../../server/contract/updates.ts';
import { visible } from './call.ts';

export const updatesKey = ['app', 'updates'] as const;

/** What is known of newer versions, live. While `enabled` is false, only what another query has read is returned. */
export function useUpdates(enabled = true): UpdateState | undefined {
  return useQuery({
    queryKey: updatesKey,
    queryFn: async () => visible(await window.gatehouse.updates.state()),
    enabled,
  }).data;
}

/** Looks for a newer version. */
export function checkForUpdate(): Promise<void> {
  return window.gatehouse.updates.check();
}

/** Downloads the version that was found; it is installed when the app quits. */
export function downloadUpdate(): Promise<void> {
  return window.gatehouse.updates.download();
}

export function cancelUpdate(): Promise<void> {
  return window.gatehouse.updates.cancel();
}
