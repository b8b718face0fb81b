import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Clients that asked this registry for packages since a moment, newest first; live. */
export function useArrivals(since: number) {
  return useQuery({
    queryKey: [...keys.requests, 'arrivals', since],
    queryFn: () => call('connect.arrivals', { since }),
  });
}

/** How far the self-test of the package managers is. */
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
