import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { sumCounts, type OutboxCounts } from '../../server/contract/outbox-words.ts';
import { call, keyOf, useServerQuery } from './call.ts';

/** The upstream registries with their state and the size of their cache. */
export const useUpstreams = () => useServerQuery('upstream.list', {}, { select: ({ upstreams }) => upstreams });

/** Whether upstream registries are reachable, and the chosen mode. */
export const useOffline = () => useServerQuery('offline.get', {});

/** How many changes are not at the registries that they go to, of all of those. */
export const useUnsent = (): OutboxCounts => sumCounts(useOffline().data?.unsent ?? []);

const cachedPage = 500;

/** Cached packages of upstream registries, by name, in pages. */
export function useCachedPackages(search: string, upstreamId: number | undefined) {
  return useInfiniteQuery({
    queryKey: [...keyOf('upstream.cached'), search, upstreamId ?? 0],
    queryFn: ({ pageParam }) =>
      call('upstream.cached', { search, offset: pageParam, limit: cachedPage, ...(upstreamId ? { upstreamId } : {}) }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const known = pages.reduce((sum, page) => sum + page.packages.length, 0);
      return known < last.total && last.packages.length > 0 ? known : undefined;
    },
    placeholderData: keepPreviousData,
  });
}

/** Scopes and names that are local for everybody, and the scopes of packages published here that are not. */
export const useClaims = () => useServerQuery('upstream.claims', {});

/** Prefetch jobs, running and ended. */
export const usePrefetchJobs = () => useServerQuery('upstream.prefetchJobs', {}, { select: ({ jobs }) => jobs });

/** The running push to an upstream, or the last one. */
export const useOutbox = (upstreamId: number) => useServerQuery('outbox.status', { upstreamId });

/** What waits to be sent to an upstream, as its settings say or as it is proposed. */
export const useWaiting = (upstreamId: number) => useServerQuery('outbox.waiting', { upstreamId });

/** The keys whose bundles are trusted, and this registry's own key. */
export const useTrustedKeys = () => useServerQuery('bundles.trustedKeys', {});
