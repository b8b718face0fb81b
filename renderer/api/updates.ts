import { useMutation, useQuery } from '@tanstack/react-query';
import type { Updates } from '../../server/contract/updates.ts';
import { unwrap } from './call.ts';

/** Under which it is kept what is known of newer versions. */
export const updatesKey = ['app', 'updates'] as const;

/** What is known of newer versions, live. As long as `wanted` is false nobody is asked, and only what another asked for is there. */
export function useUpdates(wanted = true): Updates | undefined {
  return useQuery({ queryKey: updatesKey, queryFn: () => window.gatehouse.updates.state(), enabled: wanted }).data;
}

/** Asks the feed for the newest version. */
export function checkForUpdate(): Promise<void> {
  return window.gatehouse.updates.check();
}

/** Downloads the version that was found. */
export function downloadUpdate(): Promise<void> {
  return window.gatehouse.updates.download();
}

/** Stops the check or the download that is under way. */
export function stopUpdate(): Promise<void> {
  return window.gatehouse.updates.stop();
}

/** Shows the downloaded file in the file manager. */
export function showUpdate(): Promise<void> {
  return window.gatehouse.updates.show();
}

/** Has the downloaded version installed when the app quits, or not. */
export function useInstallOnQuit() {
  return useMutation({
    mutationFn: async (wanted: boolean) => unwrap(await window.gatehouse.updates.installOnQuit(wanted)),
  });
}
