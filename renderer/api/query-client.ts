import { MutationCache, QueryClient } from '@tanstack/react-query';
import { settingsKey } from './app.ts';
import { updatesKey } from './updates.ts';
import { CallFailed, visible } from './call.ts';
import { createInvalidationQueue, staleAfter } from './invalidation.ts';

const burstMilliseconds = 40;

/**
 * The cache of server data. Nothing goes stale by age: a query is refetched when an event of the server says so, or when the server
 * was restarted.
 */
export function createQueryClient(onMutationError: (error: Error) => void): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 10 * 60_000,
        // Calls do not need a network.
        networkMode: 'always',
        // A read may be repeated as often as it takes; the window says meanwhile that the server does not answer.
        retry: (failures, error) =>
          error instanceof CallFailed &&
          (error.code === 'app_timeout' || (error.code === 'app_unavailable' && failures < 2)),
        refetchOnWindowFocus: false,
      },
      mutations: { networkMode: 'always' },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.['handlesErrors'] !== true) onMutationError(error);
      },
    }),
  });
}

/** Refetches queries as the server's events name them. Called once, before anything is read. */
export function followServer(client: QueryClient): void {
  const enqueue = createInvalidationQueue(
    (queryKey) => void client.invalidateQueries({ queryKey }),
    (flush) => setTimeout(flush, burstMilliseconds),
  );
  window.gatehouse.onEvent((event) => enqueue(staleAfter(event)));
  window.gatehouse.app.onState((state) => {
    // Events may have been missed while the server was down, or did not answer.
    if (state.phase === 'ready' && state.answering) void client.invalidateQueries();
  });
  window.gatehouse.updates.onState((updates) => client.setQueryData(updatesKey, visible(updates)));
  window.gatehouse.app.onSettings((settings) => client.setQueryData(settingsKey, settings));
}
