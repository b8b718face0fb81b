import { useMutation } from '@tanstack/react-query';
import { call, useServerQuery } from './call.ts';

/** Clients that sent requests since a moment, newest first. */
export const useArrivals = (since: number) => useServerQuery('connect.arrivals', { since });

/** The steps of the self-test of the package managers. */
export const useSelfTest = () => useServerQuery('connect.selfTest', {}, { refetchOnMount: 'always' });

/** Starts the self-test in a project, or stops it (`null`). */
export function useRunSelfTest() {
  return useMutation({
    mutationFn: (projectId: number | null) =>
      projectId === null ? call('connect.stopSelfTest', {}) : call('connect.startSelfTest', { projectId }),
  });
}

/** Logins that wait for an answer in the window. */
export const usePendingLogins = () => useServerQuery('login.pending', {});

/** Allows a waiting login as a user, or denies it (`userId: null`). */
export function useAnswerLogin() {
  return useMutation({
    mutationFn: ({ id, userId }: { id: string; userId: number | null }) =>
      userId === null ? call('login.deny', { id }) : call('login.approve', { id, userId }),
  });
}
