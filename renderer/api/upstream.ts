import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from './call.ts';
import { keys } from './keys.ts';

/** The other registries that are set up, with how they stand and what is kept of them; live. */
export function useUpstreams() {
  return useQuery({
    queryKey: keys.upstream.list,
    queryFn: async () => (await call('upstream.list', {})).upstreams,
  });
}

/** Whether requests leave this laptop, and how that was chosen; live. */
export function useOffline() {
  return useQuery({ queryKey: keys.upstream.offline, queryFn: () => call('offline.get', {}) });
}

const cachedPage = 500;

/** Packages of other registries that are kept here, by name; further ones are fetched as they are scrolled to. */
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

/** Scopes that are never asked elsewhere, by choice and because packages were published under them here. */
export function useReservedScopes() {
  return useQuery({ queryKey: keys.upstream.reserved, queryFn: () => call('upstream.reservedScopes', {}) });
}

/** What is being fetched beforehand, and how the last ones ended; live. */
export function usePrefetchJobs() {
  return useQuery({
    queryKey: keys.upstream.prefetch,
    queryFn: async () => (await call('upstream.prefetchJobs', {})).jobs,
  });
}

/** The push to an upstream that is under way, or the last one; live. */
export function useOutbox(upstreamId: number) {
  return useQuery({
    queryKey: keys.upstream.outbox(upstreamId),
    queryFn: () => call('outbox.status', { upstreamId }),
  });
}

/** Whose bundles are trusted, and the key that signs those made here. */
export function useTrustedKeys() {
  return useQuery({ queryKey: keys.upstream.trustedKeys, queryFn: () => call('bundles.trustedKeys', {}) });
}
