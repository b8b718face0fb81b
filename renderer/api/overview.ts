import { useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

const every = 15_000;

/** Sums, sizes and the last thirty days. Memory and requests change without an event, so this one is also asked again by the clock. */
export function useOverview() {
  return useQuery({
    queryKey: keys.overview,
    queryFn: () => call('overview.get', {}),
    refetchInterval: every,
    refetchOnMount: 'always',
  });
}

/** The newest requests, live. */
export function useRequests() {
  return useQuery({
    queryKey: keys.requests,
    queryFn: async () => (await call('requests.list', { limit: 5000 })).requests,
    refetchOnMount: 'always',
  });
}
