import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** The upstream registries with their state and the size of their cache. */
export function useUpstreams() {
  return useQuery({
    queryKey: keys.upstream.list,
    queryFn: async () => (await call('upstream.list', {})).upstreams,
  });
}

/** Whether upstream registries are reachable, and the chosen mode. */
export function useOffline() {
  return useQuery({ queryKey: keys.upstream.offline, queryFn: () => call('offline.get', {}) });
}

const cachedPage = 500;

/** Cached packages of upstream registries, by name, in pages. */
export function useCachedPackages(search: string, upstreamId: number | undefined) {
  return useInfiniteQuery({
    queryKey: [...keys.upstream.cached, search, upstreamId ?? 0],
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

/** Scopes that are never looked up upstream: those chosen, and those of packages published here. */
export function useReservedScopes() {
  return useQuery({ queryKey: keys.upstream.reserved, queryFn: () => call('upstream.reservedScopes', {}) });
}

/** Prefetch jobs, running and ended. */
export function usePrefetchJobs() {
  return useQuery({
    queryKey: keys.upstream.prefetch,
    queryFn: async () => (await call('upstream.prefetchJobs', {})).jobs,
  });
}

/** The running push to an upstream, or the last one. */
export function useOutbox(upstreamId: number) {
  return useQuery({
    queryKey: keys.upstream.outbox(upstreamId),
    queryFn: () => call('outbox.status', { upstreamId }),
  });
}

/** The keys whose bundles are trusted, and this registry's own key. */
export function useTrustedKeys() {
  return useQuery({ queryKey: keys.upstream.trustedKeys, queryFn: () => call('bundles.trustedKeys', {}) });
}
