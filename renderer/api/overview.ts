import { useServerQuery } from './call.ts';

/** Counts, sizes and the last thirty days. Memory and requests change without an event, so it is also refetched every 15 seconds. */
export const useOverview = () =>
  useServerQuery('overview.get', {}, { refetchInterval: 15_000, refetchOnMount: 'always' });

/** The newest requests. */
export const useRequests = () =>
  useServerQuery('requests.list', { limit: 5000 }, { select: ({ requests }) => requests, refetchOnMount: 'always' });

/** Where the registry listens, its version, data folder and default project. */
export const useServerStatus = () => useServerQuery('server.status', {});
