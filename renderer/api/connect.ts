import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Clients that sent requests since a moment, newest first. */
export function useArrivals(since: number) {
  return useQuery({
    queryKey: [...keys.requests, 'arrivals', since],
    queryFn: () => call('connect.arrivals', { since }),
  });
}

/** The steps of the self-test of the package managers. */
export function useSelfTest() {
  return useQuery({ queryKey: keys.connect, queryFn: () => call('connect.selfTest', {}), refetchOnMount: 'always' });
}

/** Starts the self-test in a project, or stops it (`null`). */
export function useRunSelfTest() {
  return useMutation({
    mutationFn: (projectId: number | null) =>
      projectId === null ? call('connect.stopSelfTest', {}) : call('connect.startSelfTest', { projectId }),
  });
}

/** Logins that wait for an answer in the window. */
export function usePendingLogins() {
  return useQuery({ queryKey: keys.logins, queryFn: () => call('login.pending', {}) });
}

/** Allows a waiting login as a user, or denies it (`userId: null`). */
export function useAnswerLogin() {
  return useMutation({
    mutationFn: ({ id, userId }: { id: string; userId: number | null }) =>
      userId === null ? call('login.deny', { id }) : call('login.approve', { id, userId }),
  });
}
