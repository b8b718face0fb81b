import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** Counts, sizes and the last thirty days. Memory and requests change without an event, so it is also refetched every 15 seconds. */
export function useOverview() {
  return useQuery({
    queryKey: keys.overview,
    queryFn: () => call('overview.get', {}),
    refetchInterval: 15_000,
    refetchOnMount: 'always',
  });
}

/** The newest requests. */
export function useRequests() {
  return useQuery({
    queryKey: keys.requests,
    queryFn: async () => (await call('requests.list', { limit: 5000 })).requests,
    refetchOnMount: 'always',
  });
}

/** Where the registry listens, its version, data folder and default project. */
export function useServerStatus() {
  return useQuery({ queryKey: keys.status, queryFn: () => call('server.status', {}) });
}
